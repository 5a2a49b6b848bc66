import type { EndReason, RealtimeUsage } from '@parley/contract'
import type { Clock } from '../../ports/clock.js'
import type { MessageRecord, ToolMessageFields } from '../../ports/conversation-store.js'
import type { Database } from '../../ports/database.js'
import type { Log } from '../../ports/log.js'
import type { Timers } from '../../ports/timers.js'

const maxWaitingBytes = 1024 * 1024
const retryMilliseconds = { first: 100, most: 2000 } as const
const attemptsWithDatabase = 5

export type LogEntry =
  | { readonly kind: 'turn'; readonly message: MessageRecord; readonly announce: (storedId: string) => void }
  | { readonly kind: 'interrupt'; readonly itemId: string }
  | {
      readonly kind: 'call'
      readonly messageId: string
      readonly fields: ToolMessageFields
      /** The approval that is finished with the call. */
      readonly approvalId: string | null
      readonly announce: () => void
    }
  | { readonly kind: 'withdraw'; readonly approvalId: string }
  | { readonly kind: 'usage'; readonly usage: RealtimeUsage }
  | { readonly kind: 'end'; readonly reason: EndReason }

export interface TurnLogDependencies {
  readonly database: Database
  readonly clock: Clock
  readonly timers: Timers
  readonly log: Log
}

/**
 * Writes what happened in a session to the database, in order, each entry until it is in; then, and only then, it is
 * announced. While the database is away entries wait in memory, up to a bound. Every write can be repeated without
 * harm, since nobody knows whether a commit that was never answered took place.
 */
export class TurnLog {
  readonly #dependencies: TurnLogDependencies
  readonly #sessionId: string
  readonly #onFull: () => void
  readonly #waiting: LogEntry[] = []
  #waitingBytes = 0
  #writing: Promise<void> | null = null

  constructor(dependencies: TurnLogDependencies, sessionId: string, onFull: () => void) {
    this.#dependencies = dependencies
    this.#sessionId = sessionId
    this.#onFull = onFull
  }

  push(entry: LogEntry): void {
    this.#waiting.push(entry)
    this.#waitingBytes += sizeOf(entry)
    this.#writing ??= this.#writeAll()
    if (this.#waitingBytes > maxWaitingBytes) this.#onFull()
  }

  /** Settles once everything is written. */
  async settled(): Promise<void> {
    while (this.#writing) await this.#writing
  }

  async #writeAll(): Promise<void> {
    for (let entry = this.#waiting[0]; entry !== undefined; entry = this.#waiting[0]) {
      await this.#writeUntilDone(entry)
      this.#waiting.shift()
      this.#waitingBytes -= sizeOf(entry)
    }
    this.#writing = null
  }

  async #writeUntilDone(entry: LogEntry): Promise<void> {
    const { log, timers } = this.#dependencies
    let delay: number = retryMilliseconds.first
    for (let refusals = 0; ; ) {
      try {
        return await this.#write(entry)
      } catch (error) {
        // With the database there, an entry that fails again and again must not keep all later ones waiting.
        if (await this.#isDatabaseThere()) refusals += 1
        if (refusals >= attemptsWithDatabase) {
          log.error(
            { err: error, sessionId: this.#sessionId, entry: entry.kind },
            'the database refuses an entry of the session',
          )
          return
        }
        if (delay === retryMilliseconds.first)
          log.warn({ err: error, sessionId: this.#sessionId }, 'the database is away; turns wait')
        await new Promise<void>((resolve) => void timers.after(delay, resolve))
        delay = Math.min(delay * 2, retryMilliseconds.most)
      }
    }
  }

  async #write(entry: LogEntry): Promise<void> {
    const { database, clock } = this.#dependencies
    const { approvals, conversations, realtimeSessions } = database.stores
    const now = clock.now().toISOString()
    switch (entry.kind) {
      case 'turn': {
        const storedId = await database.transaction((stores) =>
          stores.conversations.addMessage(entry.message),
        )
        if (storedId !== null) entry.announce(storedId)
        return
      }
      case 'interrupt':
        await conversations.markInterrupted(this.#sessionId, entry.itemId, now)
        return
      case 'call':
        await database.transaction(async (stores) => {
          await stores.conversations.updateToolMessage(entry.messageId, entry.fields, now)
          if (entry.approvalId !== null) await stores.approvals.finish(entry.approvalId, now)
        })
        entry.announce()
        return
      case 'withdraw':
        await approvals.withdraw(entry.approvalId, now)
        return
      case 'usage':
        await realtimeSessions.saveUsage(this.#sessionId, entry.usage)
        return
      case 'end':
        await realtimeSessions.end(this.#sessionId, entry.reason, now)
    }
  }

  async #isDatabaseThere(): Promise<boolean> {
    try {
      await this.#dependencies.database.ping()
      return true
    } catch {
      return false
    }
  }
}

function sizeOf(entry: LogEntry): number {
  if (entry.kind === 'turn')
    return (entry.message.content.length + (entry.message.arguments?.length ?? 0)) * 2 + 512
  return entry.kind === 'call' ? (entry.fields.content?.length ?? 0) * 2 + 512 : 256
}
