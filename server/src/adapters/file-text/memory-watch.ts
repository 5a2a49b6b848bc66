import { workerData } from 'node:worker_threads'

/*
 * A thread beside the one that reads a file, which may be caught in a loop of its own. Limits of threads and heaps do
 * not count what lies outside the heap, such as the bytes of files; the process's own size does. And a reader whose
 * service has gone has nobody to read for.
 */
const { maxMemoryBytes } = workerData as { readonly maxMemoryBytes: number }
const pollMilliseconds = 50
const parent = process.ppid

setInterval(() => {
  if (process.memoryUsage.rss() > maxMemoryBytes || process.ppid !== parent)
    process.kill(process.pid, 'SIGKILL')
}, pollMilliseconds)
