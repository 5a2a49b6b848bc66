import { once } from 'node:events'
import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads'
import { stackMegabytes } from './cluster-settings.js'
import { Activity, watchForStall } from './stall-watch.js'
import type { DumpReply, FromThread, ThreadSettings, ToThread } from './thread-messages.js'

const stopTimeoutMilliseconds = 30_000

export interface DatabaseThreadOptions {
  readonly directory: string
  readonly statementLimitMilliseconds: number
  /** Called once if the thread ends without having been stopped. */
  readonly onCrash: (error: Error) => void
}

/** The database thread, as used by the main thread. */
export interface DatabaseThread {
  /** Increases with each statement. */
  readonly activityCount: number
  /** Opens a new connection, which replaces the previous one. Returns the port of this thread. */
  connect(): MessagePort
  /** Returns the data directory as a tar archive. The caller must hold the connection. */
  dump(): Promise<ArrayBuffer>
  /** Closes the database, and ends the thread in any case. */
  stop(): Promise<void>
}

export async function startDatabaseThread(options: DatabaseThreadOptions): Promise<DatabaseThread> {
  const { directory, onCrash, statementLimitMilliseconds } = options
  const activity = new Activity()
  const worker = new Worker(new URL('./database-worker.js', import.meta.url), {
    name: 'embedded database',
    workerData: { directory, activity: activity.memory } satisfies ThreadSettings,
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

  function post(message: ToThread, ...transfer: MessagePort[]): void {
    if (phase !== 'ready') throw new Error('The embedded database is closed.')
    worker.postMessage(message, transfer)
  }

  worker.on('error', (error) => end(error instanceof Error ? error : new Error(String(error))))
  worker.once('exit', () => end(new Error('The thread of the embedded database ended unexpectedly.')))
  worker.on('message', (message: FromThread) => {
    if (message.type === 'broken') return end(new Error(message.reason))
    phase = 'ready'
    onStarted()
  })

  await started
  // From here on, running queries keep the process alive, because their connections do.
  worker.unref()

  return {
    get activityCount() {
      return activity.count
    },
    connect() {
      const { port1, port2 } = new MessageChannel()
      post({ type: 'connect', port: port2 }, port2)
      return port1
    },
    async dump() {
      const { port1, port2 } = new MessageChannel()
      post({ type: 'dump', port: port2 }, port2)
      const reply = await Promise.race([once(port1, 'message'), exited])
      port1.close()
      const dumped: DumpReply | undefined = reply?.[0]
      if (dumped === undefined) throw new Error('The embedded database ended during the backup.')
      if (!dumped.ok) throw new Error(dumped.reason)
      return dumped.archive
    },
    async stop() {
      if (phase === 'ready') {
        post({ type: 'stop' })
        phase = 'stopping'
        worker.ref()
        const timer = setTimeout(() => void worker.terminate(), stopTimeoutMilliseconds)
        await exited
        clearTimeout(timer)
      }
      await worker.terminate()
    },
  }
}
