import cluster, { type Worker } from 'node:cluster'
import { fileURLToPath } from 'node:url'
import { countForWorkers } from './adapters/rate-limiter/cluster-rate-limiter.js'
import { addUpMetrics } from './adapters/system/cluster-metrics.js'
import { placeSockets } from './adapters/system/cluster-sockets.js'

/** What a worker sends when it serves. */
export const workerIsReady = 'ready'

const restartDelayMilliseconds = 1000

/**
 * Runs several processes of the service behind one port. The first one sets up what there is to set up and tells the
 * operator; where it cannot start, none can. One that dies later is replaced. A signal goes to all of them.
 */
export function runCluster(count: number): void {
  let isStarted = false
  let isStopping = false
  let exitCode = 0

  countForWorkers()
  addUpMetrics()
  placeSockets()
  cluster.setupPrimary({ exec: fileURLToPath(new URL('./main.js', import.meta.url)) })
  fork()

  cluster.on('message', (_worker, message) => {
    // Not when it listens: another one that came before it has set up would show nobody the first key.
    if (message !== workerIsReady || isStarted) return
    isStarted = true
    for (let index = 1; index < count && !isStopping; index += 1) fork()
  })

  cluster.on('exit', (worker: Worker, code: number | null, signal: string | null) => {
    if (isStarted && !isStopping) {
      process.stderr.write(`Worker ${worker.process.pid} ended (${signal ?? code}); another one starts.\n`)
      setTimeout(() => !isStopping && fork(), restartDelayMilliseconds)
      return
    }
    // One that was still starting knows no better than to end by the signal.
    if (code !== 0 && signal !== 'SIGTERM' && signal !== 'SIGINT') exitCode = 1
    if (workers().every((other) => other.isDead())) process.exit(exitCode)
  })

  const stop = (received: NodeJS.Signals): void => {
    // The second one is for all of them too. They cannot pass it on themselves: a terminal or a service manager sends
    // the first one to every process of the group, so they have it twice.
    const signal = isStopping ? 'SIGKILL' : received
    isStopping = true
    for (const worker of workers()) worker.process.kill(signal)
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
}

function fork(): void {
  // What is sent to a worker that has just died fails; `runCluster` handles its exit.
  cluster.fork().on('error', () => undefined)
}

function workers(): Worker[] {
  return Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined)
}
