import cluster, { type Worker } from 'node:cluster'

const restartDelayMilliseconds = 1000

/** Runs several processes of the service behind one port. One that dies is replaced; a signal goes to all of them. */
export function runWorkers(count: number): void {
  let isStopping = false
  cluster.setupPrimary({ exec: new URL('./main.js', import.meta.url).pathname })
  for (let index = 0; index < count; index += 1) cluster.fork()

  cluster.on('exit', (worker: Worker, code: number) => {
    if (isStopping) return
    process.stderr.write(`Worker ${worker.process.pid} ended with code ${code}; another one starts.\n`)
    setTimeout(() => !isStopping && cluster.fork(), restartDelayMilliseconds)
  })

  const stop = (signal: NodeJS.Signals): void => {
    isStopping = true
    for (const worker of Object.values(cluster.workers ?? {})) worker?.process.kill(signal)
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
}
