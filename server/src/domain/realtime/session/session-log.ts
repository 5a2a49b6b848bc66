import { type CustomEvent, type EndReason, type RealtimeUsage, ToolStatus } from '@parley/contract'
import type { MessageRecord } from '../../../ports/conversation-store.js'
import type { ExchangeRecord, SessionLatency } from '../../../ports/realtime-exchange-store.js'
import { OrderedWrites, type OrderedWritesDependencies } from '../../durability/ordered-writes.js'
import type { CallLog, FinishedCall } from '../../tools/calls/call-context.js'
import type { BudgetStanding } from '../../usage/budgets/budget-standing.js'
import { costOf } from '../../usage/cost-of.js'
import { countSession, countUseAlone, type UseDependencies } from '../../usage/count-use.js'
import type { ModelUse } from '../../usage/model-use.js'
import { maxExchanges } from '../timeline/timeline.js'

const maxWaitingBytes = 1024 * 1024
/** What a write takes besides the text in it, about. */
const writeBytes = 512
/** What a call takes in an exchange, its names included. */
const exchangeToolBytes = 1024

export interface SessionLogDependencies extends OrderedWritesDependencies, UseDependencies {}

export interface SessionLogOptions {
  readonly organizationId: string
  readonly sessionId: string
  readonly emit: (event: CustomEvent) => void
  /** The database is away and too much waits for it. */
  readonly onFull: () => void
}

/**
 * Writes what happened in a session to the database, in order, each entry until it is in; then, and only then, its
 * events are emitted. While the database is away entries wait in memory, up to a bound.
 */
export class SessionLog implements CallLog {
  readonly #dependencies: SessionLogDependencies
  readonly #sessionId: string
  readonly #emit: (event: CustomEvent) => void
  readonly #writes: OrderedWrites

  constructor(dependencies: SessionLogDependencies, options: SessionLogOptions) {
    const { organizationId, sessionId, emit, onFull } = options
    this.#dependencies = dependencies
    this.#sessionId = sessionId
    this.#emit = emit
    this.#writes = new OrderedWrites(dependencies, {
      organizationId,
      owner: { sessionId },
      maxWaitingBytes,
      onFull,
    })
  }

  append(message: MessageRecord, events: readonly CustomEvent[]): Promise<boolean> {
    const { database } = this.#dependencies
    const bytes = (message.content.length + (message.arguments?.length ?? 0)) * 2 + writeBytes
    let isStored = false
    const written = this.#push('message', bytes, async () => {
      // Said earlier, changed now: those who follow changes look for what is new by this moment.
      const stored = { ...message, updatedAt: this.#now() }
      const storedId = await database.stores.conversations.addMessage(stored)
      // Of a conversation that is gone nothing is said.
      isStored = storedId !== null
      if (isStored) this.#emitAll(events)
    })
    return written.then((isWritten) => isWritten && isStored)
  }

  startCall(messageId: string, events: readonly CustomEvent[]): Promise<boolean> {
    const { conversations } = this.#dependencies.database.stores
    return this.#push('call', writeBytes, async () => {
      await conversations.updateToolMessage(messageId, { status: ToolStatus.Pending }, this.#now())
      this.#emitAll(events)
    })
  }

  finishCall({ messageId, approvalId, ...fields }: FinishedCall, events: readonly CustomEvent[]) {
    const { database } = this.#dependencies
    return this.#push('call', fields.content.length * 2 + writeBytes, async () => {
      const at = this.#now()
      if (approvalId === null) await database.stores.conversations.updateToolMessage(messageId, fields, at)
      else
        await database.transaction(async (stores) => {
          await stores.conversations.updateToolMessage(messageId, fields, at)
          await stores.approvals.finish(approvalId, at)
        })
      this.#emitAll(events)
    })
  }

  withdrawApproval(approvalId: string): Promise<boolean> {
    const { approvals } = this.#dependencies.database.stores
    return this.#push('withdrawal', writeBytes, () =>
      approvals.withdraw(approvalId, this.#sessionId, this.#now()),
    )
  }

  /** The words of this item were cut off after they were stored. */
  markInterrupted(itemId: string): void {
    const { conversations } = this.#dependencies.database.stores
    void this.#push('interruption', writeBytes, () =>
      conversations.markInterrupted(this.#sessionId, itemId, this.#now()),
    )
  }

  /** The session counts from now on. */
  countSession(session: Parameters<typeof countSession>[1]): void {
    const { stores } = this.#dependencies.database
    void this.#push('session', writeBytes, () => countSession(stores, session))
  }

  /** A model was used, and this is what the session has used with it. Returns the budgets that are used up. */
  async countUse(use: ModelUse, total: RealtimeUsage): Promise<readonly BudgetStanding[]> {
    const { database } = this.#dependencies
    let usedUp: readonly BudgetStanding[] = []
    await this.#push('use', writeBytes, async () => {
      usedUp = await countUseAlone(this.#dependencies, use)
      // Apart from the count, which others of the organization wait for; written again it is the same.
      const { usageLedger, realtimeSessions } = database.stores
      const cost = costOf(await usageLedger.sumOf(this.#sessionId))
      await realtimeSessions.saveUsage(this.#sessionId, total, cost)
    })
    return usedUp
  }

  /** An exchange is over, or a call of one that was. */
  saveExchange(exchange: ExchangeRecord, latency: SessionLatency): void {
    const { realtimeExchanges } = this.#dependencies.database.stores
    const bytes = writeBytes + exchange.tools.length * exchangeToolBytes
    void this.#push('exchange', bytes, () =>
      realtimeExchanges.save({ sessionId: this.#sessionId, exchange, latency, kept: maxExchanges }),
    )
  }

  end(reason: EndReason): void {
    const { realtimeSessions } = this.#dependencies.database.stores
    void this.#push('end', writeBytes, async () => {
      await realtimeSessions.end(this.#sessionId, reason, this.#now())
    })
  }

  /** How many writes wait for the database. */
  get waitingWrites(): number {
    return this.#writes.waitingCount
  }

  /** Settles once everything is written. */
  settled(): Promise<void> {
    return this.#writes.settled()
  }

  #push(kind: string, bytes: number, write: () => Promise<void>): Promise<boolean> {
    return this.#writes.push({ kind, bytes, write })
  }

  #emitAll(events: readonly CustomEvent[]): void {
    for (const event of events) this.#emit(event)
  }

  #now(): string {
    return this.#dependencies.clock.now().toISOString()
  }
}
