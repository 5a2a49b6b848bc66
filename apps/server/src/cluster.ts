import cluster, { type Worker } from 'node:cluster'
import { fileURLToPath } from 'node:url'
import { countForWorkers } from './adapters/rate-limiter/limiters.js'
import { addUpMetrics } from './adapters/system/cluster-metrics.js'

/** The message that a worker sends when it accepts requests. */
export const workerIsReady = 'ready'

const restartDelayMilliseconds = 1000

/**
 * Runs several worker processes behind one port. The first worker sets up the installation and informs the
 * operator. If it cannot start, the service ends. A worker that dies later is replaced. Signals are forwarded
 * to all workers.
 */
export function runCluster(count: number): void {
  let isStarted = false
  let isStopping = false
  let exitCode = 0

  countForWorkers()
  addUpMetrics()
  cluster.setupPrimary({ exec: fileURLToPath(new URL('./main.js', import.meta.url)) })
  fork()

  cluster.on('message', (_worker, message) => {
    // The others start after the first one has set up the installation, so that only the first one shows the
    // first key.
    if (message !== workerIsReady || isStarted) return
    isStarted = true
    for (let index = 1; index < count && !isStopping; index += 1) fork()
  })

  cluster.on('exit', (worker: Worker, code: number | null, signal: string | null) => {
    if (isStarted && !isStopping) {
      process.stderr.write(`Worker ${worker.process.pid} ended (${signal ?? code}). Starting another one.\n`)
      setTimeout(() => !isStopping && fork(), restartDelayMilliseconds)
      return
    }
    // These signals are not failures, because they kill a worker that is still starting.
    if (code !== 0 && signal !== 'SIGTERM' && signal !== 'SIGINT') exitCode = 1
    if (workers().every((other) => other.isDead())) process.exit(exitCode)
  })

  const stop = (received: NodeJS.Signals): void => {
    // The second signal ends all workers. They cannot count signals themselves, because a terminal or a service manager
    // sends the first one to every process of the group.
    const signal = isStopping ? 'SIGKILL' : received
    isStopping = true
    for (const worker of workers()) worker.process.kill(signal)
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
}

function fork(): void {
  // Sending to a worker that has just died fails. `runCluster` handles its exit.
  cluster.fork().on('error', () => undefined)
}

function workers(): Worker[] {
  return Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined)
}
