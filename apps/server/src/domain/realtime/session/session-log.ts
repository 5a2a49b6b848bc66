import { type CustomEvent, type EndReason, type RealtimeUsage, ToolStatus } from '@parley/contract'
import type { MessageRecord } from '../../../ports/conversation-store.js'
import type { Stores } from '../../../ports/database.js'
import type { ExchangeRecord, SessionLatency } from '../../../ports/realtime-exchange-store.js'
import type { UsageRecord } from '../../../ports/usage-ledger.js'
import { OrderedWrites, type OrderedWritesDependencies, type PartWrite } from '../../durability/ordered-writes.js'
import type { CallLog, FinishedCall } from '../../tools/calls/call-records.js'
import type { BudgetStanding } from '../../usage/budgets/budget-standing.js'
import { costOf } from '../../usage/cost.js'
import { countSession, countUse, measureUse, type UseDependencies } from '../../usage/count-use.js'
import type { ModelUse } from '../../usage/model-use.js'
import { maxExchanges, type StartedCall, Timeline } from '../timeline/timeline.js'
import type { RealtimeSessionRecord } from '../../../ports/realtime-session-store.js'
import { storable } from '../../storable-text.js'
import type { TranscriptEffect, TranscriptSegment } from '../transcript/transcript.js'
import type { Timers } from '../../../ports/timers.js'
import type { ProviderEvent } from '../protocol/provider-event.js'
import { Latencies } from '../timeline/latencies.js'
import { v7 as uuid } from 'uuid'

const maxWaitingBytes = 1024 * 1024
/** What a write takes besides the text in it, about. */
const writeBytes = 512
/** What a call takes in an exchange, its names included. */
const exchangeToolBytes = 1024

interface SessionLogDependencies extends OrderedWritesDependencies, UseDependencies {}

interface SessionLogOptions {
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

/** Has what was said stored, and its events emitted afterwards. */
export class TranscriptRecorder {
  readonly #session: RealtimeSessionRecord
  readonly #log: SessionLog

  constructor(session: RealtimeSessionRecord, log: SessionLog) {
    this.#session = session
    this.#log = log
  }

  record(effects: readonly TranscriptEffect[]): void {
    for (const effect of effects) {
      if (effect.effect === 'interrupt') this.#log.markInterrupted(storable(effect.itemId))
      else {
        const message = segmentMessage(this.#session, effect.segment)
        void this.#log.append(message, this.#eventsOf(effect.announce, message))
      }
    }
  }

  #eventsOf(what: 'message' | 'response' | null, { id, content, createdAt }: MessageRecord): CustomEvent[] {
    const chatbotId = this.#session.agentId
    if (what === 'message')
      return [{ type: 'message.created', data: { chatbotId, id, role: 'user', content, createdAt } }]
    if (what === 'response')
      return [
        { type: 'response.id', data: { chatbotId, id } },
        { type: 'response.completed', data: { chatbotId } },
      ]
    return []
  }
}

interface TimelineRecorderOptions {
  readonly timers: Timers
  readonly log: SessionLog
  /** The monotonic time at which the session started. */
  readonly startedAt: number
  readonly replayedItemIds: readonly string[]
}

/** Tells the timeline what happens and when, and has each exchange stored once it is over. */
export class TimelineRecorder {
  readonly #timers: Timers
  readonly #log: SessionLog
  readonly #timeline: Timeline
  readonly #latencies = new Latencies()

  constructor({ timers, log, startedAt, replayedItemIds }: TimelineRecorderOptions) {
    this.#timers = timers
    this.#log = log
    this.#timeline = new Timeline(startedAt, replayedItemIds)
  }

  observe(event: ProviderEvent): void {
    this.#store(this.#timeline.observe(event, this.#timers.monotonic()))
  }

  observeAudio(at: number): void {
    this.#timeline.observeAudio(at)
  }

  startCall(call: StartedCall): void {
    this.#timeline.startCall(call, this.#timers.monotonic())
  }

  awaitPerson(callId: string, isAwaited: boolean): void {
    this.#timeline.awaitPerson(callId, isAwaited, this.#timers.monotonic())
  }

  /** Also after the end of the session: tools that run go on. */
  endCall(callId: string): void {
    this.#store(this.#timeline.endCall(callId, this.#timers.monotonic()))
  }

  end(): void {
    this.#store(this.#timeline.end(this.#timers.monotonic()))
  }

  #store(exchanges: readonly ExchangeRecord[]): void {
    for (const exchange of exchanges) {
      this.#latencies.add(exchange)
      this.#log.saveExchange(exchange, this.#latencies.summary)
    }
  }
}

/** A transcript segment as the message that is stored of it. Its time is the time it was said. */
function segmentMessage(session: RealtimeSessionRecord, segment: TranscriptSegment): MessageRecord {
  const saidAt = new Date(Math.floor(segment.position.microseconds / 1000)).toISOString()
  return {
    id: uuid(),
    organizationId: session.organizationId,
    conversationId: session.conversationId,
    originId: session.id,
    itemId: storable(segment.itemId),
    contentIndex: segment.contentIndex,
    positionMicroseconds: segment.position.microseconds,
    positionCounter: segment.position.counter,
    createdAt: saidAt,
    updatedAt: saidAt,
    role: segment.role,
    content: storable(segment.content),
    channel: 'realtime',
    interrupted: segment.interrupted,
    failure: segment.failure === null ? null : storable(segment.failure),
    callId: null,
    name: null,
    arguments: null,
    status: null,
    executionTimeSeconds: null,
  }
}
