import { getPriority, setPriority } from 'node:os'
import { Worker } from 'node:worker_threads'
import { mayStartThreads, type ReaderOrder } from './reader-messages.js'

/*
 * A process that reads one file and ends. This thread only watches the one that reads, which may be caught in a loop of
 * its own. Limits of threads and heaps do not count what lies outside the heap, such as the bytes of files; the
 * process's own size does. And a reader whose service has gone has nobody to read for.
 */
const pollMilliseconds = 50
const parent = process.ppid

/** Whoever uploads a file waits anyway; whoever talks must not. */
const readerPriority = 10

setPriority(Math.max(readerPriority, getPriority()))
const order = JSON.parse(process.argv[2] ?? '{}') as ReaderOrder
const thread = new Worker(new URL('./reader-thread.js', import.meta.url), {
  workerData: order,
  // A thread may give those that it starts all permissions: this one starts none.
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
