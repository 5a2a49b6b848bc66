import type {
  AgentRevisionStore,
  AgentStore,
  ConnectionStore,
  McpAuthorizationStore,
  McpListingStore,
} from './agent-stores.js'
import type { AgentTestRunStore, AgentTestStore } from './agent-test-stores.js'
import type { AuditStore } from './audit-store.js'
import type { ChangeStore } from './changes.js'
import type { ConversationStore, FileStore, TurnStore } from './conversation-stores.js'
import type { EndUserStore } from './end-user-store.js'
import type { EndUserDataStore, ErasureStore } from './erasure-store.js'
import type {
  IdempotencyStore,
  InstallationStore,
  InstanceLeaseStore,
  OrganizationDataStore,
  RetentionStore,
} from './installation-stores.js'
import type { EndUserFactStore, MemoryPlanStore } from './memory-stores.js'
import type {
  ApiKeyStore,
  InvitationStore,
  McpGrantStore,
  MemberStore,
  PersonStore,
  SignInAttemptsStore,
} from './people-stores.js'
import type { PhoneCallStore, PhoneConnectionStore, PhoneNumberStore } from './phone-stores.js'
import type {
  RealtimeExchangeStore,
  RealtimeSessionStore,
  RealtimeStatisticsStore,
} from './realtime-stores.js'
import type { ApprovalStore, TaskStore } from './task-stores.js'
import type { BudgetStore, OrganizationUsageStore, PriceStore, UsageLedger } from './usage-stores.js'
import type { WebhookDeliveryStore, WebhookEventStore, WebhookStore } from './webhook-stores.js'

export interface Stores {
  readonly agentRevisions: AgentRevisionStore
  readonly agentTestRuns: AgentTestRunStore
  readonly agentTests: AgentTestStore
  readonly agents: AgentStore
  readonly apiKeys: ApiKeyStore
  readonly approvals: ApprovalStore
  readonly audit: AuditStore
  readonly budgets: BudgetStore
  readonly changes: ChangeStore
  readonly connections: ConnectionStore
  readonly conversations: ConversationStore
  readonly endUserFacts: EndUserFactStore
  readonly endUserData: EndUserDataStore
  readonly endUsers: EndUserStore
  readonly erasures: ErasureStore
  readonly files: FileStore
  readonly idempotency: IdempotencyStore
  readonly installation: InstallationStore
  readonly instanceLeases: InstanceLeaseStore
  readonly invitations: InvitationStore
  readonly mcpAuthorizations: McpAuthorizationStore
  readonly mcpGrants: McpGrantStore
  readonly mcpListings: McpListingStore
  readonly members: MemberStore
  readonly memoryPlans: MemoryPlanStore
  readonly organizationData: OrganizationDataStore
  readonly organizationUsage: OrganizationUsageStore
  readonly people: PersonStore
  readonly phoneCalls: PhoneCallStore
  readonly phoneConnections: PhoneConnectionStore
  readonly phoneNumbers: PhoneNumberStore
  readonly prices: PriceStore
  readonly realtimeExchanges: RealtimeExchangeStore
  readonly realtimeSessions: RealtimeSessionStore
  readonly realtimeStatistics: RealtimeStatisticsStore
  readonly retention: RetentionStore
  readonly signInAttempts: SignInAttemptsStore
  readonly tasks: TaskStore
  readonly turns: TurnStore
  readonly usageLedger: UsageLedger
  readonly webhookDeliveries: WebhookDeliveryStore
  readonly webhookEvents: WebhookEventStore
  readonly webhooks: WebhookStore
}

/** The owner of work whose organization is not known yet. */
export const unauthenticated = 'unauthenticated'

/**
 * The owner and kind of database work. Kinds: a call, a poll by followers of a turn, a log entry of a
 * session or turn, or a file's contents.
 */
export interface WorkOwner {
  /** The organization, the person for their own account, or `unauthenticated`. */
  readonly organizationId: string
  readonly kind: 'call' | 'follow' | 'log' | 'file'
}

/** An owner's view of the database: every statement and every transaction waits for a slot of that owner. */
export type OwnedDatabase = Pick<Database, 'stores' | 'transaction'>

/** The first word of a statement. `with` means a statement with several parts. */
export type StatementOperation = 'select' | 'insert' | 'update' | 'delete' | 'with' | 'other'

/** A statement as observers see it, without its text and values. */
export interface ObservedStatement {
  readonly operation: StatementOperation
  /** The name of a prepared statement, or null if it has none. */
  readonly name: string | null
}

export interface EndedStatement {
  readonly operation: StatementOperation
  /** The time from sending the statement to its result, or null if there was no connection. */
  readonly milliseconds: number | null
  /** Null if the statement succeeded. */
  readonly failure: unknown
}

/** Called when a statement starts to wait for execution. The returned function is called when it ends. */
export type StatementObserver = (statement: ObservedStatement) => (end: EndedStatement) => void

/** The database connections of this process. */
export interface ConnectionCounts {
  readonly used: number
  readonly idle: number
  /** The number of statements and transactions that wait for a connection. */
  readonly waiting: number
  readonly max: number
}

/** The kinds of work that can queue up in the database. */
export const backlogKinds = [
  'webhook_events',
  'webhook_deliveries',
  'turns',
  'task_runs',
  'audit_records',
] as const

export type Backlog = Readonly<Record<(typeof backlogKinds)[number], number>>

/** The actions of the audit records of one commit, by organization. */
export type Changes = ReadonlyMap<string, ReadonlySet<string>>

/** The database: PostgreSQL or the embedded one. */
export interface Database {
  /** Stores outside any transaction. Each call is a transaction of its own. */
  readonly stores: Stores
  /**
   * Runs `work` in one transaction. Inside, use only the stores that are passed in, and await nothing but
   * the database. The embedded database has a single session, so any other statement would wait for this
   * transaction and deadlock.
   */
  transaction<Result>(work: (stores: Stores) => Promise<Result>): Promise<Result>
  /**
   * Runs `work` like `transaction`, then rolls it back. Returns the result that the transaction would have
   * had.
   */
  dryRun<Result>(work: (stores: Stores) => Promise<Result>): Promise<Result>
  /**
   * Runs `work` when its owner has a free slot. Every owner has a few slots, and waiting owners are served
   * round-robin, so that one owner's excess work does not delay the others. To avoid deadlocks, `work` must
   * not wait for other work that needs a slot of any owner.
   */
  runFairly<Result>(owner: WorkOwner, work: () => Promise<Result>): Promise<Result>
  /**
   * For work that does more than access the database. Each statement separately waits for a slot, as in
   * `runFairly`.
   */
  ownedBy(owner: WorkOwner): OwnedDatabase
  /**
   * Calls `listener` after every commit of a change, with the actions of its audit records. Every change
   * appends an audit record, so listeners miss no change.
   */
  onChange(listener: (changes: Changes) => void): void
  /**
   * Calls `listener` with the organization after every log entry of a session or turn. Log entries write no
   * audit record and are frequent, so `listener` must be fast.
   */
  onLogEntry(listener: (organizationId: string) => void): void
  /** Resolves when the database responds. Throws if it does not respond in time or is read-only. */
  ping(): Promise<void>
  /** Resolves when the database responds again after an outage. All waiting callers share one probe. */
  returned(): Promise<void>
  /**
   * Returns all files of the database at one moment as a tar archive. Null for PostgreSQL, which has its own
   * backup tools.
   */
  readonly dump: (() => Promise<ArrayBuffer>) | null
  /** Returns the database's time, in milliseconds since 1970. */
  now(): Promise<number>
  /** Calls `observer` for every statement from now on. */
  observeStatements(observer: StatementObserver): void
  connections(): ConnectionCounts
  /** Counts the queued work of all organizations, up to a limit. */
  backlog(): Promise<Backlog>
  /** Returns whether the error means that the database is unavailable, so that a retry may succeed later. */
  isOutage(error: unknown): boolean
  /**
   * Returns whether the error means that the owner has too much queued work. The database itself is
   * available.
   */
  isBusy(error: unknown): boolean
  /**
   * Returns whether the error is an outage in which the database still responds: it is out of disk space,
   * memory or
   * connections.
   */
  isFull(error: unknown): boolean
  /** Returns whether a newer version of the service has migrated the schema. */
  hasNewerSchema(): Promise<boolean>
  /** Returns whether a recent write failed because the database's disk is full. */
  isDiskFull(): boolean
  close(): Promise<void>
}

/** A backup of the embedded database. */
export interface BackupArchive {
  readonly createdAt: string
  /** The secret that Parley generated, or null if the operator set PARLEY_SECRET. */
  readonly secret: string | null
  /** The database files as a tar archive. */
  readonly archive: ArrayBuffer
}
