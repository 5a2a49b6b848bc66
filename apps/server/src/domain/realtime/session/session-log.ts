import { type CustomEvent, type EndReason, type RealtimeUsage, ToolStatus } from '@parley/contract'
import type { MessageRecord } from '../../../ports/conversation-store.js'
import type { Stores } from '../../../ports/database.js'
import type { ExchangeRecord, SessionLatency } from '../../../ports/realtime-exchange-store.js'
import type { UsageRecord } from '../../../ports/usage-ledger.js'
import {
  OrderedWrites,
  type OrderedWritesDependencies,
  type PartWrite,
} from '../../durability/ordered-writes.js'
import type { CallLog, FinishedCall } from '../../tools/calls/call-context.js'
import type { BudgetStanding } from '../../usage/budgets/budget-standing.js'
import { costOf } from '../../usage/cost-of.js'
import { countSession, countUse, measureUse, type UseDependencies } from '../../usage/count-use.js'
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

interface SessionWrite extends PartWrite {
  /** It is a transaction also if it is written apart. */
  readonly hasSeveralStatements?: boolean
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
    const bytes = (message.content.length + (message.arguments?.length ?? 0)) * 2 + writeBytes
    let isStored = false
    const written = this.#push('message', bytes, {
      write: async (stores) => {
        // Said earlier, changed now: those who follow changes look for what is new by this moment.
        const stored = { ...message, updatedAt: this.#now() }
        const storedId = await stores.conversations.addMessage(stored)
        isStored = storedId !== null
      },
      // Of a conversation that is gone nothing is said.
      onCommitted: () => isStored && this.#emitAll(events),
    })
    return written.then((isWritten) => isWritten && isStored)
  }

  startCall(messageId: string, events: readonly CustomEvent[]): Promise<boolean> {
    return this.#push('call', writeBytes, {
      write: ({ conversations }) =>
        conversations.updateToolMessage(messageId, { status: ToolStatus.Pending }, this.#now()),
      onCommitted: () => this.#emitAll(events),
    })
  }

  finishCall({ messageId, approvalId, ...fields }: FinishedCall, events: readonly CustomEvent[]) {
    return this.#push('call', fields.content.length * 2 + writeBytes, {
      write: async (stores) => {
        const at = this.#now()
        await stores.conversations.updateToolMessage(messageId, fields, at)
        if (approvalId !== null) await stores.approvals.finish(approvalId, at)
      },
      hasSeveralStatements: approvalId !== null,
      onCommitted: () => this.#emitAll(events),
    })
  }

  withdrawApproval(approvalId: string): Promise<boolean> {
    return this.#push('withdrawal', writeBytes, {
      write: ({ approvals }) => approvals.withdraw(approvalId, this.#sessionId, this.#now()),
    })
  }

  /** The words of this item were cut off after they were stored. */
  markInterrupted(itemId: string): void {
    void this.#push('interruption', writeBytes, {
      write: ({ conversations }) => conversations.markInterrupted(this.#sessionId, itemId, this.#now()),
    })
  }

  /** The session counts from now on. */
  countSession(session: Parameters<typeof countSession>[1]): void {
    void this.#push('session', writeBytes, {
      write: (stores) => countSession(stores, session),
      locksSharedRows: true,
    })
  }

  /** A model was used, and this is what the session has used with it. Returns the budgets that are used up. */
  async countUse(use: ModelUse, total: RealtimeUsage): Promise<readonly BudgetStanding[]> {
    const { database, workMetrics } = this.#dependencies
    let usedUp: readonly BudgetStanding[] = []
    let counted: UsageRecord | undefined
    const count = async (stores: Stores) => {
      counted = undefined
      usedUp = await countUse(this.#dependencies, stores, use, (record) => {
        counted = record
      })
    }
    const measure = () => counted && measureUse(workMetrics, use, counted)
    const save = async ({ usageLedger, realtimeSessions }: Stores) => {
      const cost = costOf(await usageLedger.sumOf(this.#sessionId))
      await realtimeSessions.saveUsage(this.#sessionId, total, cost)
    }
    await this.#writes.push({
      kind: 'use',
      bytes: writeBytes,
      write: async () => {
        await database.transaction(count)
        measure()
        // Apart from the count, which others of the organization wait for; written again it is the same.
        await save(database.stores)
      },
      part: {
        write: async (stores) => {
          await count(stores)
          await save(stores)
        },
        onCommitted: measure,
        locksSharedRows: true,
      },
    })
    return usedUp
  }

  /** An exchange is over, or a call of one that was. */
  saveExchange(exchange: ExchangeRecord, latency: SessionLatency): void {
    const bytes = writeBytes + exchange.tools.length * exchangeToolBytes
    void this.#push('exchange', bytes, {
      write: ({ realtimeExchanges }) =>
        realtimeExchanges.save({ sessionId: this.#sessionId, exchange, latency, kept: maxExchanges }),
    })
  }

  end(reason: EndReason): void {
    void this.#push('end', writeBytes, {
      write: async ({ realtimeSessions }) => {
        await realtimeSessions.end(this.#sessionId, reason, this.#now())
      },
      // Nothing else: but it stays behind the uses.
      locksSharedRows: true,
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

  #push(kind: string, bytes: number, part: SessionWrite): Promise<boolean> {
    const { database } = this.#dependencies
    const write = async () => {
      if (part.hasSeveralStatements) await database.transaction((stores) => part.write(stores))
      else await part.write(database.stores)
      part.onCommitted?.()
    }
    return this.#writes.push({ kind, bytes, write, part })
  }

  #emitAll(events: readonly CustomEvent[]): void {
    for (const event of events) this.#emit(event)
  }

  #now(): string {
    return this.#dependencies.clock.now().toISOString()
  }
}
