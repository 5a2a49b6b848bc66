import type { Deadline } from '../../concurrency/deadline.js'
import type { Timers } from '../../ports/time.js'
import { NotSentError } from './call-failure.js'
import type { McpConnection } from './connection.js'

export interface PoolLimits {
  readonly maxConnections: number
  /** How long an unused connection is kept. */
  readonly idleMilliseconds: number
}

export type OpenConnection = (signal: AbortSignal) => Promise<McpConnection>

/** A shared use of a connection. */
export interface Lease {
  readonly connection: McpConnection
  /** Excludes the connection from later calls. It is closed when its last user has released it. */
  discard(): void
  /** Must be called once. */
  release(): void
}

interface Entry {
  readonly key: string
  readonly opening: Promise<McpConnection>
  readonly abandon: AbortController
  users: number
  cancelIdleTimer: () => void
}

/** A pool of connections that calls share. A connection is kept for a while after its last use. */
export class ConnectionPool {
  readonly #timers: Timers
  readonly #limits: PoolLimits
  /** Entries in order of use. The most recently used one comes last. */
  readonly #current = new Map<string, Entry>()
  /** All connections that are not closed yet, including discarded ones. */
  readonly #openConnections = new Set<Entry>()
  #isClosed = false

  constructor(timers: Timers, limits: PoolLimits) {
    this.#timers = timers
    this.#limits = limits
  }

  /** The number of connections, including those that are being opened. */
  get size(): number {
    return this.#openConnections.size
  }

  async lease(key: string, open: OpenConnection, deadline: Deadline): Promise<Lease> {
    const entry = this.#current.get(key) ?? this.#add(key, open)
    entry.users += 1
    entry.cancelIdleTimer()
    const release = () => this.#release(entry)
    try {
      const connection = await deadline.race(entry.opening)
      return { connection, discard: () => this.#forget(entry), release }
    } catch (error) {
      release()
      throw error
    }
  }

  /** Resolves when every connection is closed and every process has exited. */
  async close(): Promise<void> {
    this.#isClosed = true
    await Promise.all([...this.#openConnections].map((entry) => this.#end(entry)))
  }

  #add(key: string, open: OpenConnection): Entry {
    if (this.#isClosed) throw new NotSentError('The service is shutting down.')
    this.#makeRoom()
    const abandon = new AbortController()
    const entry: Entry = {
      key,
      opening: open(abandon.signal),
      abandon,
      users: 0,
      cancelIdleTimer: () => undefined,
    }
    this.#current.set(key, entry)
    this.#openConnections.add(entry)
    const drop = () => {
      this.#forget(entry)
      this.#openConnections.delete(entry)
    }
    entry.opening.then((connection) => connection.closed.then(drop), drop)
    return entry
  }

  #makeRoom(): void {
    if (this.#current.size < this.#limits.maxConnections) return
    const unused = [...this.#current.values()].find((entry) => entry.users === 0)
    if (unused === undefined) throw new NotSentError('Too many MCP servers are in use. Try again later.')
    void this.#end(unused)
  }

  #release(entry: Entry): void {
    entry.users -= 1
    if (entry.users > 0) return
    if (this.#current.get(entry.key) !== entry) {
      void this.#end(entry)
      return
    }
    this.#current.delete(entry.key)
    this.#current.set(entry.key, entry)
    const { idleMilliseconds } = this.#limits
    entry.cancelIdleTimer = this.#timers.after(idleMilliseconds, () => void this.#end(entry))
  }

  #forget(entry: Entry): void {
    entry.cancelIdleTimer()
    if (this.#current.get(entry.key) === entry) this.#current.delete(entry.key)
  }

  async #end(entry: Entry): Promise<void> {
    this.#forget(entry)
    entry.abandon.abort(new Error('The connection is no longer needed.'))
    const connection = await entry.opening.catch(() => null)
    await connection?.close()
    this.#openConnections.delete(entry)
  }
}
