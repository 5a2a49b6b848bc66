import { type CustomEvent, type EndReason, type RealtimeUsage, ToolStatus } from '@parley/contract'
import { v7 as uuid } from 'uuid'
import type { MessageRecord } from '../../../ports/conversation-stores.js'
import type { Stores } from '../../../ports/database.js'
import type {
  ExchangeRecord,
  RealtimeSessionRecord,
  SessionLatency,
  SessionSetup,
} from '../../../ports/realtime-stores.js'
import type { Timers } from '../../../ports/time.js'
import type { UsageRecord } from '../../../ports/usage-stores.js'
import {
  OrderedWrites,
  type OrderedWritesDependencies,
  type PartWrite,
} from '../../durability/ordered-writes.js'
import { storable } from '../../storable-text.js'
import type { CallLog, FinishedCall } from '../../tools/calls/call-records.js'
import { costOf } from '../../usage/cost.js'
import { countSession, countUse, measureUse, type UseDependencies } from '../../usage/count-use.js'
import type { ModelUse } from '../../usage/model-use.js'
import type { UsedUp } from '../../usage/use-counter.js'
import type { ProviderEvent } from '../protocol/provider-event.js'
import type { SessionListener } from '../session-listener.js'
import { Latencies } from '../timeline/latencies.js'
import { maxExchanges, type StartedTool, Timeline } from '../timeline/timeline.js'
import type { Transcript, TranscriptEffect, TranscriptSegment } from '../transcript/transcript.js'

const maxWaitingBytes = 1024 * 1024
/** The approximate memory of a queued write, excluding its text. */
const writeBytes = 512
/** The approximate memory of a call in an exchange. */
const exchangeToolBytes = 1024

interface SessionLogDependencies extends OrderedWritesDependencies, UseDependencies {}

type SessionLogListener = Pick<SessionListener, 'emit' | 'end'>

interface SessionWrite extends PartWrite {
  /** Whether the write needs a transaction of its own. */
  readonly hasSeveralStatements?: boolean
}

/**
 * Writes the events of a session to the database, in order. Each entry is retried until it is stored, and its
 * events are emitted only after that. While the database is unavailable, entries are queued in memory, up to
 * a limit.
 */
export class SessionLog implements CallLog {
  readonly #dependencies: SessionLogDependencies
  readonly #sessionId: string
  readonly #listener: SessionLogListener
  readonly #writes: OrderedWrites

  constructor(
    dependencies: SessionLogDependencies,
    { id: sessionId, organizationId }: RealtimeSessionRecord,
    listener: SessionLogListener,
  ) {
    this.#dependencies = dependencies
    this.#sessionId = sessionId
    this.#listener = listener
    this.#writes = new OrderedWrites(dependencies, {
      organizationId,
      owner: { sessionId },
      maxWaitingBytes,
      onFull: () =>
        listener.end('internal', 'The database does not respond, and too many writes are queued.'),
    })
  }

  append(message: MessageRecord, events: readonly CustomEvent[]): Promise<boolean> {
    const bytes = (message.content.length + (message.arguments?.length ?? 0)) * 2 + writeBytes
    let isStored = false
    const written = this.#push('message', bytes, {
      write: async (stores) => {
        // Live streams find changes by this time, which may be later than the time of the speech.
        const stored = { ...message, updatedAt: this.#now() }
        const storedId = await stores.conversations.addMessage(stored)
        isStored = storedId !== null
      },
      // If the conversation was deleted, no event is emitted.
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

  /** Called when an item is interrupted after it was stored. */
  markInterrupted(itemId: string): void {
    void this.#push('interruption', writeBytes, {
      write: ({ conversations }) => conversations.markInterrupted(this.#sessionId, itemId, this.#now()),
    })
  }

  saveSetup(setup: SessionSetup): void {
    void this.#push('setup', writeBytes, {
      write: ({ realtimeSessions }) => realtimeSessions.saveSetup(this.#sessionId, setup),
    })
  }

  countSession(session: Parameters<typeof countSession>[1]): void {
    void this.#push('session', writeBytes, {
      write: (stores) => countSession(stores, session),
      locksSharedRows: true,
    })
  }

  /** Stores the usage of a model and the session's new total. Returns the exceeded budgets. */
  async countUse(use: ModelUse, total: RealtimeUsage): Promise<readonly UsedUp[]> {
    const { database, workMetrics } = this.#dependencies
    let usedUp: readonly UsedUp[] = []
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
        // This is a second statement, because other work of the organization waits for the count. Running it
        // twice is harmless.
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

  /** Stores an exchange when it ends, and again if one of its calls ends later. */
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
      // This write locks no shared rows, but it must come after the usage.
      locksSharedRows: true,
    })
  }

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
    for (const event of events) this.#listener.emit(event)
  }

  #now(): string {
    return this.#dependencies.clock.now().toISOString()
  }
}

/** Stores the messages of the transcript. Their events are emitted after that. */
export class TranscriptRecorder {
  readonly #session: RealtimeSessionRecord
  readonly #log: SessionLog
  #transcript: Transcript
  /** Distinguishes the item ids of several providers. */
  #providerSuffix = ''
  #moves = 0

  constructor(session: RealtimeSessionRecord, log: SessionLog, transcript: Transcript) {
    this.#session = session
    this.#log = log
    this.#transcript = transcript
  }

  get openSpeech(): Transcript['openSpeech'] {
    return this.#transcript.openSpeech
  }

  wholeItemsOf(responseId: string): readonly string[] {
    return this.#transcript.wholeItemsOf(responseId)
  }

  /** Called when the provider is lost. The speech with these item ids will be sent to the next provider. */
  leave(kept: ReadonlySet<string | null>): void {
    this.#record(this.#transcript.end(kept))
  }

  /** Called when another provider has joined. */
  join(transcript: Transcript): void {
    this.#transcript = transcript
    this.#moves += 1
    this.#providerSuffix = `@${this.#moves}`
  }

  observe(event: ProviderEvent): void {
    this.#record(this.#transcript.observe(event))
  }

  end(): void {
    this.#record(this.#transcript.end())
  }

  #record(effects: readonly TranscriptEffect[]): void {
    for (const effect of effects) {
      if (effect.effect === 'interrupt') this.#log.markInterrupted(this.#storedId(effect.itemId))
      else {
        const itemId = this.#storedId(effect.segment.itemId)
        const message = segmentMessage(this.#session, { ...effect.segment, itemId })
        void this.#log.append(message, this.#eventsOf(effect.announce, message))
      }
    }
  }

  #storedId(itemId: string): string {
    return `${storable(itemId)}${this.#providerSuffix}`
  }

  #eventsOf(
    announced: 'message' | 'response' | null,
    { id, content, createdAt }: MessageRecord,
  ): CustomEvent[] {
    const chatbotId = this.#session.agentId
    if (announced === 'message')
      return [{ type: 'message.created', data: { chatbotId, id, role: 'user', content, createdAt } }]
    if (announced === 'response')
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

/** Passes events with their times to the timeline, and stores each exchange when it ends. */
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

  noteReplayed(itemIds: readonly string[]): void {
    this.#timeline.noteReplayed(itemIds)
  }

  startCall(call: StartedTool): void {
    this.#timeline.startCall(call, this.#timers.monotonic())
  }

  setAwaitingApproval(callId: string, isAwaited: boolean): void {
    this.#timeline.setAwaitingApproval(callId, isAwaited, this.#timers.monotonic())
  }

  /** May be called after the end of the session, because tools may still be running. */
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

/** Returns the message for a transcript segment, with the time of the speech. */
function segmentMessage(session: RealtimeSessionRecord, segment: TranscriptSegment): MessageRecord {
  const saidAt = new Date(Math.floor(segment.position.microseconds / 1000)).toISOString()
  return {
    id: uuid(),
    organizationId: session.organizationId,
    conversationId: session.conversationId,
    originId: session.id,
    itemId: segment.itemId,
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
