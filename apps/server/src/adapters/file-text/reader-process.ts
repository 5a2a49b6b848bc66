import { getPriority, setPriority } from 'node:os'
import { Worker } from 'node:worker_threads'
import { mayStartThreads, type ReaderOrder } from './reader-messages.js'

/*
 * A process that reads one file and exits. This thread only watches the reading thread, which may be in an
 * endless loop. Limits for threads and heaps exclude memory outside the heap, such as the bytes of files, so
 * the size of the process is checked too. If the service has exited, the process exits as well.
 */
const pollMilliseconds = 50
const parent = process.ppid

/** Lowers the priority, because uploads can wait and voice sessions cannot. */
const readerPriority = 10

setPriority(Math.max(readerPriority, getPriority()))
const order = JSON.parse(process.argv[2] ?? '{}') as ReaderOrder
const thread = new Worker(new URL('./reader-thread.js', import.meta.url), {
  workerData: order,
  // A thread can grant all permissions to threads that it starts, so this one must not start any.
  execArgv: process.execArgv.filter((flag) => flag !== mayStartThreads),
  resourceLimits: { maxOldGenerationSizeMb: order.maxHeapMegabytes },
})
thread.once('error', (error) => {
  process.stderr.write(`${error.stack ?? error.message}\n`, () => process.exit(1))
})
thread.once('exit', (code) => process.exit(code))

setInterval(() => {
  if (process.memoryUsage.rss() > order.maxMemoryBytes || process.ppid !== parent)
    process.kill(process.pid, 'SIGKILL')
}, pollMilliseconds)
