import type { EndReason, RealtimeUsage } from '@parley/contract'
import type { Clock } from '../../../ports/clock.js'
import type { MessageRecord, ToolMessageFields } from '../../../ports/conversation-store.js'
import { OrderedWrites, type OrderedWritesDependencies } from '../../durability/ordered-writes.js'

const maxWaitingBytes = 1024 * 1024

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

export interface SessionLogDependencies extends OrderedWritesDependencies {
  readonly clock: Clock
}

/**
 * Writes what happened in a session to the database, in order, each entry until it is in; then, and only then, it is
 * announced. While the database is away entries wait in memory, up to a bound.
 */
export class SessionLog {
  readonly #dependencies: SessionLogDependencies
  readonly #sessionId: string
  readonly #onFull: () => void
  readonly #writes: OrderedWrites

  constructor(dependencies: SessionLogDependencies, sessionId: string, onFull: () => void) {
    this.#dependencies = dependencies
    this.#sessionId = sessionId
    this.#onFull = onFull
    this.#writes = new OrderedWrites(dependencies, { sessionId })
  }

  push(entry: LogEntry): void {
    const write = () => this.#write(entry)
    const waiting = this.#writes.push({ kind: entry.kind, bytes: sizeOf(entry), write })
    if (waiting > maxWaitingBytes) this.#onFull()
  }

  /** Settles once everything is written. */
  settled(): Promise<void> {
    return this.#writes.settled()
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
}

function sizeOf(entry: LogEntry): number {
  if (entry.kind === 'turn')
    return (entry.message.content.length + (entry.message.arguments?.length ?? 0)) * 2 + 512
  return entry.kind === 'call' ? (entry.fields.content?.length ?? 0) * 2 + 512 : 256
}
