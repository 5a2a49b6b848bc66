import type {
  ApprovedBy,
  Cost,
  EndReason,
  RealtimeExchange,
  RealtimeLatency,
  RealtimeSession,
  RealtimeUsage,
  Rehearsal,
} from '@parley/contract'
import type { ConnectionWithAgent } from './agent-stores.js'
import type { PageRequest, RecordPage, ResourceRecord } from './resource-store.js'
import type { CallableTool } from './tool-executor.js'
import type { TraceHeaders } from './tracing.js'

/** A tool as the provider is told of it. */
export interface ProviderTool {
  readonly type: 'function'
  readonly name: string
  readonly description: string
  readonly parameters: Readonly<Record<string, unknown>>
}

/** How a session was created: with an API key, or by a member of the organization in the console. */
export type RealtimeAccessMode = 'api' | 'console'

/**
 * What a session was created with; kept with it, so that it can be looked up later what the model was told. (Where the
 * conversation has files when the session begins, it was told of the search in them besides.)
 */
export interface SessionSetup {
  readonly accessMode: RealtimeAccessMode
  readonly connectionId: string
  readonly model: string
  readonly transcriptionModel: string
  readonly inputAudioFormat: string
  readonly outputAudioFormat: string
  readonly voice: string
  readonly instructions: string
  readonly tools: readonly ProviderTool[]
  /** Which of the tools the service runs itself, and how. */
  readonly backendTools: readonly CallableTool[]
  readonly agentName: string
  /** The trace of the request that made it, where there is one. */
  readonly trace?: TraceHeaders | undefined
  /** What stands in for tools, those of sub-agents as well; left out where it is no rehearsal. */
  readonly rehearsal?: Rehearsal | undefined
  /** Who may decide on calls; left out: either. */
  readonly approvedBy?: ApprovedBy | undefined
}

export interface RealtimeSessionRecord extends Readonly<Omit<RealtimeSession, 'state'>>, ResourceRecord {
  readonly state: 'issued' | 'consumed'
  readonly tokenHash: string
  readonly expiresAt: string
  readonly setup: SessionSetup
  readonly instanceId: string | null
  /** The key it was created with; null: a person's. */
  readonly apiKeyId: string | null
  /** Set when somebody wants it to end; the instance that runs it polls for this. */
  readonly endRequestedAt: string | null
}

export interface RealtimeSessionFilter {
  readonly agentId?: string | undefined
  readonly conversationId?: string | undefined
  readonly isRunning?: boolean | undefined
  readonly rehearsal?: boolean | undefined
  readonly endReason?: EndReason | undefined
  /** Created at or after this moment. */
  readonly from?: string | undefined
  /** Created before this moment. */
  readonly to?: string | undefined
}

export interface StartedSession {
  readonly session: RealtimeSessionRecord
  /** The database's time at the start, in microseconds since 1970: places of messages are counted from here. */
  readonly startMicroseconds: number
}

/** A session that has just begun, with what tells that there is nothing more to read for it, as for most there is not. */
export interface ConsumedSession extends StartedSession {
  /** Nothing was said, called or given in its conversation. */
  readonly isConversationBlank: boolean
  readonly hasOrganizationBudgets: boolean
  /** What it will run with; null where its agent was deleted. */
  readonly found: ConnectionWithAgent | null
}

export interface ConsumedToken {
  readonly tokenHash: string
  readonly now: string
  /** Where the session will run. */
  readonly instanceId: string
  /** How many sessions of an organization may run. */
  readonly maxRunning: number
}

export interface RealtimeSessionStore {
  insert(record: RealtimeSessionRecord): Promise<void>
  find(organizationId: string, id: string): Promise<RealtimeSessionRecord | null>
  list(
    organizationId: string,
    filter: RealtimeSessionFilter,
    page: PageRequest,
  ): Promise<RecordPage<RealtimeSessionRecord>>
  /** The session of a token, whatever became of it. */
  findByTokenHash(tokenHash: string): Promise<RealtimeSessionRecord | null>
  /**
   * Consumes a token that is still good, once and for all: of two callers at most one gets the session. Null also where
   * its organization has that many running.
   */
  consume(wanted: ConsumedToken): Promise<ConsumedSession | null>
  /** Writes down what the session has used so far, and what that cost. */
  saveUsage(id: string, usage: RealtimeUsage, cost: Cost): Promise<void>
  /** Ends a session, unless it has ended already, by whomever. */
  end(id: string, reason: EndReason, at: string): Promise<void>
  /** Of these sessions, those that others have ended because their instance was taken for dead. */
  givenUp(ids: readonly string[]): Promise<readonly string[]>
  /** Asks for the end of sessions that run or could still start; returns how many. */
  requestEnd(
    organizationId: string,
    which: { readonly id?: string; readonly agentId?: string; readonly conversationId?: string },
    at: string,
  ): Promise<number>
  /** Of these running sessions, those whose end was asked for. */
  endRequested(instanceId: string): Promise<readonly string[]>
}

/** How soon a session has answered so far. */
export interface SessionLatency extends Readonly<RealtimeLatency> {
  /** How many answers fell into each latency class, in their order. */
  readonly counts: readonly number[]
}

export type ExchangeRecord = Readonly<RealtimeExchange>

export interface SavedExchange {
  readonly sessionId: string
  readonly exchange: ExchangeRecord
  readonly latency: SessionLatency
  /** How many exchanges of a session are kept; those before are removed. */
  readonly kept: number
}

export interface RealtimeExchangeStore {
  /** Stores an exchange, or replaces it by what has become of it, together with what the session knows of its latency. */
  save(saved: SavedExchange): Promise<void>
  /** In the order they began. */
  ofSession(sessionId: string): Promise<readonly ExchangeRecord[]>
}

/** Which sessions are summed up, and in which buckets. */
export interface StatisticsRequest {
  readonly organizationId: string
  readonly agentId: string | undefined
  /** Where buckets begin, in order, and where the last one ends. */
  readonly bounds: readonly string[]
  /** Until when sessions that run count. */
  readonly now: string
}

/** The sessions of a bucket, summed up. */
export interface SessionSums {
  /** Which bucket, counted from 0. */
  readonly bucket: number
  readonly sessions: number
  /** How many of them ended for which reason; those that run for none. */
  readonly ends: Readonly<Partial<Record<EndReason, number>>>
  readonly seconds: number
  readonly exchanges: number
  readonly usage: RealtimeUsage
  /** How many answers fell into each latency class, in their order. */
  readonly latencyCounts: readonly number[]
}

export interface RealtimeStatisticsStore {
  /** Of a bucket without sessions there is nothing. */
  sums(request: StatisticsRequest): Promise<readonly SessionSums[]>
}
