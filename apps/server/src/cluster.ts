import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { countForWorkers } from './adapters/rate-limiter/limiters.js'
import { addUpMetrics } from './adapters/system/cluster-metrics.js'

/** The message that a worker sends when it accepts requests. */
export const workerIsReady = 'ready'

const restartDelayMilliseconds = 1000
/** How long the start of a replacement may take. */
const startMilliseconds = 5 * 60 * 1000

/**
 * Runs several worker processes behind one port. The first worker sets up the installation and informs the
 * operator. If it cannot start, the service ends. A worker that dies later is replaced. Signals are forwarded
 * to all workers, except SIGUSR2, which replaces them one after another.
 */
export function runCluster(count: number): void {
  let isStarted = false
  let isStopping = false
  let isReplacing = false
  let exitCode = 0
  /** The replacements that are not ready yet. */
  const starting = new Set<Worker>()

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
      if (worker.exitedAfterDisconnect || starting.has(worker)) return
      report(`Worker ${worker.process.pid} ended (${signal ?? code}). Starting another one.`)
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

  /** Starts a replacement of each worker, and ends the worker when its replacement is ready. */
  const replaceWorkers = async (): Promise<void> => {
    for (const worker of workers()) {
      const replacement = fork()
      starting.add(replacement)
      const isReady = await becomesReady(replacement)
      starting.delete(replacement)
      if (isStopping) return
      if (!isReady) {
        replacement.process.kill('SIGKILL')
        return report('A new worker did not start. The remaining workers continue.')
      }
      // The worker accepts no more connections, and ends after its sessions have moved.
      worker.disconnect()
      worker.process.kill('SIGTERM')
      if (!worker.isDead()) await once(worker, 'exit')
    }
    report('All workers were replaced.')
  }
  process.on('SIGUSR2', () => {
    if (!isStarted || isStopping || isReplacing) return
    isReplacing = true
    report('Replacing the workers one after another.')
    void replaceWorkers().finally(() => {
      isReplacing = false
    })
  })
}

function report(line: string): void {
  process.stderr.write(`${line}\n`)
}

function fork(): Worker {
  // Sending to a worker that has just died fails. `runCluster` handles its exit.
  return cluster.fork().on('error', () => undefined)
}

/** Returns whether the worker accepts requests within the time limit. */
async function becomesReady(worker: Worker): Promise<boolean> {
  const over = new AbortController()
  const ready = new Promise<boolean>((resolve) => {
    worker.on('message', (message) => message === workerIsReady && resolve(true))
    worker.once('exit', () => resolve(false))
  })
  const timeout = sleep(startMilliseconds, false, { signal: over.signal }).catch(() => false)
  const isReady = await Promise.race([ready, timeout])
  over.abort()
  return isReady
}

function workers(): Worker[] {
  return Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined)
}
