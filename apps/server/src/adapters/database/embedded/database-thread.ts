import { once } from 'node:events'
import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads'
import { stackMegabytes } from './cluster-settings.js'
import { postponeOptimizing } from './postpone-optimizing.js'
import { Activity, watchForStall } from './stall-watch.js'
import type { DumpReply, FromThread, ThreadSettings, ToThread } from './thread-messages.js'
import { waitAtMost } from './wait-at-most.js'

const stopTimeoutMilliseconds = 30_000

export interface DatabaseThreadOptions extends Omit<ThreadSettings, 'activity'> {
  readonly statementLimitMilliseconds: number
  /** Called once, when the thread ends without having been stopped. */
  readonly onCrash: (error: Error) => void
}

/** The thread that the database runs in, seen from the one that uses it. */
export interface DatabaseThread {
  /** The near end of a new connection. */
  connect(): MessagePort
  /** The data directory as a tar archive of one moment; transactions wait meanwhile. */
  dump(): Promise<ArrayBuffer>
  /** Ends the database in order, or in any case. */
  stop(): Promise<void>
}

export async function startDatabaseThread(options: DatabaseThreadOptions): Promise<DatabaseThread> {
  const { onCrash, statementLimitMilliseconds, ...settings } = options
  const activity = new Activity()
  postponeOptimizing()
  const worker = new Worker(new URL('./database-worker.js', import.meta.url), {
    name: 'embedded database',
    workerData: { ...settings, activity: activity.memory } satisfies ThreadSettings,
    resourceLimits: { stackSizeMb: stackMegabytes },
  })
  let phase: 'starting' | 'ready' | 'stopping' | 'ended' = 'starting'
  let onStarted: () => void = () => {}
  let onStartFailed: (error: Error) => void = () => {}
  const started = new Promise<void>((resolve, reject) => {
    onStarted = resolve
    onStartFailed = reject
  })
  const exited = new Promise<void>((resolve) => worker.once('exit', () => resolve()))
  const stopWatching = watchForStall(activity, statementLimitMilliseconds, () =>
    end(new Error(`A statement kept the embedded database busy for ${statementLimitMilliseconds / 1000} s.`)),
  )

  function end(error: Error): void {
    const endedPhase = phase
    phase = 'ended'
    stopWatching()
    void worker.terminate()
    if (endedPhase === 'starting') exited.then(() => onStartFailed(error))
    if (endedPhase === 'ready') onCrash(error)
  }

  worker.on('error', (error) => end(toError(error)))
  worker.once('exit', () => end(new Error('The embedded database ended by itself.')))
  worker.on('message', (message: FromThread) => {
    if (message.type === 'broken') return end(new Error(message.reason))
    phase = 'ready'
    onStarted()
  })

  await started
  // From here on it is for queries under way to keep the process alive, and their connections do.
  worker.unref()

  return {
    connect() {
      if (phase !== 'ready') throw new Error('The embedded database has ended.')
      const { port1, port2 } = new MessageChannel()
      worker.postMessage({ type: 'connect', port: port2 } satisfies ToThread, [port2])
      return port1
    },
    async dump() {
      if (phase !== 'ready') throw new Error('The embedded database has ended.')
      const { port1, port2 } = new MessageChannel()
      worker.postMessage({ type: 'dump', port: port2 } satisfies ToThread, [port2])
      const reply = await Promise.race([once(port1, 'message'), exited])
      port1.close()
      const dumped: DumpReply | undefined = reply?.[0]
      if (dumped === undefined) throw new Error('The embedded database ended during the backup.')
      if (!dumped.ok) throw new Error(dumped.reason)
      return dumped.archive
    },
    async stop() {
      if (phase === 'ready') {
        phase = 'stopping'
        worker.ref()
        worker.postMessage({ type: 'stop' } satisfies ToThread)
        await waitAtMost(stopTimeoutMilliseconds, exited)
      }
      await worker.terminate()
    },
  }
}

function toError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error(String(reason))
}
