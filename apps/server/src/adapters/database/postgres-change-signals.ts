import pg from 'pg'
import { type Batch, batch } from '../../concurrency/coalesce.js'
import type { ChangeSignals, SignalledChange } from '../../ports/changes.js'
import type { Log } from '../../ports/log.js'
import { findSessions } from './open-postgres.js'

const channel = 'parley_changes'
/**
 * The minimum interval between messages of one instance, and therefore between the polls that they cause on
 * others.
 */
const publishIntervalMilliseconds = 50
const deliverIntervalMilliseconds = 15
/**
 * A PostgreSQL notification has at most 8000 bytes. If there are more changes, the message says that anything
 * may have changed.
 */
const maxChanges = 100
const retryMilliseconds = [1000, 5000, 30_000]
const timeoutMilliseconds = 10_000

const planned = 'tasks'

export interface PostgresChangeSignalsOptions {
  readonly url: string
  readonly log: Log
  /** Sent with each message, so that an instance ignores its own. */
  readonly instanceId: string
}

/**
 * Signals by LISTEN and NOTIFY over a dedicated connection. They carry rare changes: those that affect
 * sessions, turns and calls of other instances, and planned runs. Events of turns and live streams would need
 * a statement each, so they are polled, whereas Redis carries all of them. Behind a pooler that shares
 * sessions, LISTEN receives nothing, so everything is polled.
 */
export function makePostgresChangeSignals({
  url,
  log,
  instanceId,
}: PostgresChangeSignalsOptions): ChangeSignals {
  let client: pg.Client | null = null
  let retry: NodeJS.Timeout | undefined
  let failures = 0
  let isClosed = false
  let delivered: Batch<SignalledChange> | undefined
  const onPlanned = new Set<() => void>()

  const published = batch<SignalledChange | typeof planned>(
    publishIntervalMilliseconds,
    maxChanges,
    (changes) => {
      const message = [instanceId, ...(changes ?? [])].join()
      client?.query('select pg_notify($1, $2)', [channel, message]).catch(() => undefined)
    },
  )

  function receive(message: string): void {
    const [sender, ...changes] = message.split(',')
    if (sender === instanceId) return
    if (changes.length === 0) return receiveAll()
    for (const change of changes)
      if (change === planned) wakePlanned()
      else delivered?.add(change as SignalledChange)
  }

  function wakePlanned(): void {
    for (const listener of onPlanned) listener()
  }

  function receiveAll(): void {
    delivered?.add(null)
    wakePlanned()
  }

  async function connect(): Promise<void> {
    const sessions = await findSessions(url).catch(() => null)
    if (sessions === 'pooled') {
      log.info({}, 'the database is behind a pooler, so this process polls for changes of other instances')
      return
    }
    const connecting = new pg.Client({
      connectionString: url,
      connectionTimeoutMillis: timeoutMilliseconds,
      query_timeout: timeoutMilliseconds,
      application_name: 'parley signals',
      keepAlive: true,
    })
    const onLost = () => {
      if (client === connecting) client = null
      connecting.removeAllListeners('end')
      connectLater()
    }
    connecting.on('error', () => undefined)
    connecting.on('notification', ({ payload }) => receive(payload ?? ''))
    try {
      await connecting.connect()
      await connecting.query(`listen ${channel}`)
    } catch (error) {
      await connecting.end().catch(() => undefined)
      if (failures === 0)
        log.warn({ err: error }, 'change notifications are unavailable; falling back to polling')
      return connectLater()
    }
    if (isClosed) return connecting.end()
    failures = 0
    client = connecting
    connecting.once('end', onLost)
    // A poll finds the signals that were sent before the subscription.
    receiveAll()
  }

  function connectLater(): void {
    if (isClosed) return
    const wait = retryMilliseconds[Math.min(failures, retryMilliseconds.length - 1)]
    failures += 1
    clearTimeout(retry)
    retry = setTimeout(() => void connect(), wait).unref()
  }

  let connected = connect()

  return {
    publish(topic) {
      if (topic === planned && !isClosed) published.add(planned)
    },
    subscribe(topic, listener) {
      if (topic !== planned) return () => undefined
      const own = () => listener()
      onPlanned.add(own)
      return () => void onPlanned.delete(own)
    },
    publishChange(change) {
      if (!isClosed) published.add(change)
    },
    onChanges(listener) {
      delivered = batch(deliverIntervalMilliseconds, maxChanges, listener)
    },
    async close() {
      isClosed = true
      clearTimeout(retry)
      published.stop()
      delivered?.stop()
      await connected
      connected = Promise.resolve()
      await client?.end().catch(() => undefined)
    },
  }
}
