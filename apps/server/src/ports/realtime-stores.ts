import type {
  ApprovedBy,
  Cost,
  EndReason,
  PhoneTurnDetection,
  RealtimeExchange,
  RealtimeLatency,
  RealtimeSession,
  RealtimeUsage,
  Rehearsal,
} from '@parley/contract'
import type { ConnectionWithAgent } from './agent-stores.js'
import type { RequestedEnd } from './conversation-stores.js'
import type { ConversationContextFilter } from './end-user-store.js'
import type { PageRequest, RecordPage, ResourceRecord } from './resource-store.js'
import type { CallableTool } from './tool-executor.js'
import type { TraceHeaders } from './tracing.js'

/** A tool definition as sent to the provider. */
export interface ProviderTool {
  readonly type: 'function'
  readonly name: string
  readonly description: string
  readonly parameters: Readonly<Record<string, unknown>>
}

/** How a session was created: with an API key, or by a member of the organization in the console. */
export type RealtimeAccessMode = 'api' | 'console'

/** A realtime model, and the parts of a session that depend on it. */
export interface SessionModel {
  readonly connectionId: string
  readonly model: string
  readonly transcriptionModel: string
  readonly voice: string
  /** The first words of the agent in a new conversation. Absent in sessions of earlier versions. */
  readonly firstMessage?: string | null | undefined
}

/**
 * The setup of a session. It is stored with the session, so that the model's instructions and tools can be
 * looked up later. If the conversation has files when the session starts, the model also gets a file search
 * tool, which is not listed here.
 */
export interface SessionSetup extends SessionModel {
  readonly accessMode: RealtimeAccessMode
  /** The models to try if this one fails, in order. Absent if there are none. */
  readonly fallbacks?: readonly SessionModel[] | undefined
  readonly inputAudioFormat: string
  readonly outputAudioFormat: string
  readonly instructions: string
  readonly tools: readonly ProviderTool[]
  /** The tools that the service runs itself. */
  readonly backendTools: readonly CallableTool[]
  readonly agentName: string
  /** When the agent answers a telephone call. Absent for other clients. */
  readonly turnDetection?: PhoneTurnDetection | undefined
  /** The language of a telephone call, as a BCP 47 tag. Absent if it is unknown. */
  readonly language?: string | undefined
  /** True if the agent remembers the end user. */
  readonly remembers?: boolean | undefined
  /** The trace headers of the request that created the session, if any. */
  readonly trace?: TraceHeaders | undefined
  /** The stubs that replace tools, including those of sub-agents. Absent if this is not a rehearsal. */
  readonly rehearsal?: Rehearsal | undefined
  /** Who may decide on calls. If absent, both the client and a user may decide. */
  readonly approvedBy?: ApprovedBy | undefined
}

export interface RealtimeSessionRecord extends Readonly<Omit<RealtimeSession, 'state'>>, ResourceRecord {
  readonly state: 'issued' | 'consumed'
  readonly tokenHash: string
  readonly expiresAt: string
  readonly setup: SessionSetup
  readonly instanceId: string | null
  /** The API key that created the session, or null if a user created it. */
  readonly apiKeyId: string | null
  /** The end user of the conversation when the session was created, or null. */
  readonly endUserId: string | null
  /** Identifies the end user or client that the agent's limits count, or null if nothing is limited. */
  readonly limitedId: string | null
  /** Set when the session should end. The instance that runs it polls for this. */
  readonly endRequestedAt: string | null
}

export interface RealtimeSessionFilter extends ConversationContextFilter {
  readonly agentId?: string | undefined
  readonly conversationId?: string | undefined
  readonly isRunning?: boolean | undefined
  readonly rehearsal?: boolean | undefined
  readonly endReason?: EndReason | undefined
  /** Created at or after this time. */
  readonly from?: string | undefined
  /** Created before this time. */
  readonly to?: string | undefined
}

export interface StartedSession {
  readonly session: RealtimeSessionRecord
  /**
   * The database's time at the start, in microseconds since 1970, which is the base for message positions.
   */
  readonly startMicroseconds: number
}

/** A session that has just started. The additional fields save further reads for most sessions. */
export interface ConsumedSession extends StartedSession {
  /** Whether the conversation has no messages, calls and files. */
  readonly isConversationBlank: boolean
  readonly hasOrganizationBudgets: boolean
  /** The connection and model of the session, or null if its agent was deleted. */
  readonly found: ConnectionWithAgent | null
}

export interface ConsumedToken {
  readonly tokenHash: string
  readonly now: string
  /** The instance that will run the session. */
  readonly instanceId: string
  /** The maximum number of running sessions of an organization. */
  readonly maxRunning: number
  /** Absent if the limits of end users were not checked. Then sessions with such limits are not consumed. */
  readonly checked?: Pick<RealtimeSessionRecord, 'limitedId'> | undefined
}

export interface RealtimeSessionStore {
  insert(record: RealtimeSessionRecord): Promise<void>
  find(organizationId: string, id: string): Promise<RealtimeSessionRecord | null>
  list(
    organizationId: string,
    filter: RealtimeSessionFilter,
    page: PageRequest,
  ): Promise<RecordPage<RealtimeSessionRecord>>
  /** Returns the session of a token in any state, or null if the token is unknown. */
  findByTokenHash(tokenHash: string): Promise<RealtimeSessionRecord | null>
  /**
   * Consumes a valid token. If two callers do this concurrently, at most one gets the session. Returns null
   * if the token is invalid, if its organization has `maxRunning` running sessions, or if the agent's limits
   * of end users must be checked first.
   */
  consume(wanted: ConsumedToken): Promise<ConsumedSession | null>
  /** Returns the number of running sessions with this `limitedId`, on all live instances. */
  countLimited(limitedId: string): Promise<number>
  /** Saves the usage of the session so far, and its cost. */
  saveUsage(id: string, usage: RealtimeUsage, cost: Cost): Promise<void>
  /** Saves the setup after a fallback has answered. */
  saveSetup(id: string, setup: SessionSetup): Promise<void>
  /** Ends a session. Does nothing if it has ended already. */
  end(id: string, reason: EndReason, at: string): Promise<void>
  /**
   * Returns those of the sessions that another instance has ended because it considered this instance dead.
   */
  givenUp(ids: readonly string[]): Promise<readonly string[]>
  /** Requests the end of sessions that run or could still start. Returns their number. */
  requestEnd(
    organizationId: string,
    which: { readonly id?: string; readonly agentId?: string; readonly conversationId?: string },
    at: string,
  ): Promise<number>
  /** Returns the running sessions of this instance whose end was requested. */
  endRequested(instanceId: string): Promise<readonly RequestedEnd[]>
}

/** The latencies of a session so far. */
export interface SessionLatency extends Readonly<RealtimeLatency> {
  /** The number of answers in each latency bucket, in the order of the buckets. */
  readonly counts: readonly number[]
}

export type ExchangeRecord = Readonly<RealtimeExchange>

export interface SavedExchange {
  readonly sessionId: string
  readonly exchange: ExchangeRecord
  readonly latency: SessionLatency
  /** The maximum number of exchanges to keep for a session. Older ones are removed. */
  readonly kept: number
}

export interface RealtimeExchangeStore {
  /** Inserts or replaces an exchange, and updates the latency of its session. */
  save(saved: SavedExchange): Promise<void>
  /** Returns the exchanges of a session in the order in which they started. */
  ofSession(sessionId: string): Promise<readonly ExchangeRecord[]>
}

/** Selects the sessions to summarize and their buckets. */
export interface StatisticsRequest {
  readonly organizationId: string
  readonly agentId: string | undefined
  /** The starts of the buckets, in order, and the end of the last one. */
  readonly bounds: readonly string[]
  /** Running sessions are counted up to this time. */
  readonly now: string
}

/** The totals of the sessions in one bucket. */
export interface SessionSums {
  /** The index of the bucket, starting at 0. */
  readonly bucket: number
  readonly sessions: number
  /** The number of ended sessions by reason. Running sessions are not included. */
  readonly ends: Readonly<Partial<Record<EndReason, number>>>
  readonly seconds: number
  readonly exchanges: number
  readonly usage: RealtimeUsage
  /** The number of answers in each latency bucket, in the order of the buckets. */
  readonly latencyCounts: readonly number[]
}

export interface RealtimeStatisticsStore {
  /** Returns the totals of each bucket that has sessions. */
  sums(request: StatisticsRequest): Promise<readonly SessionSums[]>
}
