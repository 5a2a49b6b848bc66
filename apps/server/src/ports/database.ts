import type {
  AgentRevisionStore,
  AgentStore,
  ConnectionStore,
  McpAuthorizationStore,
  McpListingStore,
} from './agent-stores.js'
import type { AuditStore } from './audit-store.js'
import type { ChangeStore } from './changes.js'
import type { ConversationStore, FileStore, TurnStore } from './conversation-stores.js'
import type {
  IdempotencyStore,
  InstallationStore,
  InstanceLeaseStore,
  OrganizationDataStore,
  RetentionStore,
} from './installation-stores.js'
import type {
  ApiKeyStore,
  InvitationStore,
  McpGrantStore,
  MemberStore,
  PersonStore,
  SignInTriesStore,
} from './people-stores.js'
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
  readonly agents: AgentStore
  readonly apiKeys: ApiKeyStore
  readonly approvals: ApprovalStore
  readonly audit: AuditStore
  readonly budgets: BudgetStore
  readonly changes: ChangeStore
  readonly connections: ConnectionStore
  readonly conversations: ConversationStore
  readonly files: FileStore
  readonly idempotency: IdempotencyStore
  readonly installation: InstallationStore
  readonly instanceLeases: InstanceLeaseStore
  readonly invitations: InvitationStore
  readonly mcpAuthorizations: McpAuthorizationStore
  readonly mcpGrants: McpGrantStore
  readonly mcpListings: McpListingStore
  readonly members: MemberStore
  readonly organizationData: OrganizationDataStore
  readonly organizationUsage: OrganizationUsageStore
  readonly people: PersonStore
  readonly prices: PriceStore
  readonly realtimeExchanges: RealtimeExchangeStore
  readonly realtimeSessions: RealtimeSessionStore
  readonly realtimeStatistics: RealtimeStatisticsStore
  readonly retention: RetentionStore
  readonly signInTries: SignInTriesStore
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
 * Whose work it is at the database, and of which kind: a call, a look of those who follow a turn, an entry of a session's or
 * turn's log, a file's contents.
 */
export interface WorkOwner {
  /** The organization, the person where somebody acts for themselves, or `unauthenticated`. */
  readonly organizationId: string
  readonly kind: 'call' | 'follow' | 'log' | 'file'
}

/** The database as one owner has it: every statement and every transaction waits for its place. */
export type OwnedDatabase = Pick<Database, 'stores' | 'transaction'>

/** The first word of a statement; `with` is a statement of several parts. */
export type StatementOperation = 'select' | 'insert' | 'update' | 'delete' | 'with' | 'other'

/** A statement as observers see it: neither its text nor its values. */
export interface ObservedStatement {
  readonly operation: StatementOperation
  /** The name of a statement that is kept; null if it has none. */
  readonly name: string | null
}

export interface EndedStatement {
  readonly operation: StatementOperation
  /** From sending it to its answer; null if no connection was found. */
  readonly milliseconds: number | null
  /** Null if it succeeded. */
  readonly failure: unknown
}

/** Called when a statement is asked for; the function that it returns is called when the statement has ended. */
export type StatementObserver = (statement: ObservedStatement) => (end: EndedStatement) => void

/** The connections of this process. */
export interface ConnectionCounts {
  readonly used: number
  readonly idle: number
  /** Statements and transactions that wait for a connection. */
  readonly waiting: number
  readonly max: number
}

/** What can wait in the database. */
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

/** The database, whichever it is. */
export interface Database {
  /** Stores outside any transaction: each call stands alone. */
  readonly stores: Stores
  /**
   * Runs `work` in one transaction: all of it happens or nothing. Only the stores it is given may be used inside, and
   * only the database awaited: the embedded database has one session, and would wait for itself.
   */
  transaction<Result>(work: (stores: Stores) => Promise<Result>): Promise<Result>
  /** Runs `work` like `transaction`, and undoes all of it: what it returns is what would be. */
  dryRun<Result>(work: (stores: Stores) => Promise<Result>): Promise<Result>
  /**
   * Does a piece of work once its owner has a place for it: each has a few and they take turns, so that what one has
   * beyond them waits and nobody else does. It must not wait for other work, of any owner, that needs a place.
   */
  runFairly<Result>(owner: WorkOwner, work: () => Promise<Result>): Promise<Result>
  /** For work that is more than the database's: each statement by itself is done as `runFairly` does it. */
  ownedBy(owner: WorkOwner): OwnedDatabase
  /**
   * Calls `listener` after every commit of a change, with the actions of its audit records: every change
   * appends one. Whatever follows from changes subscribes here, so that no change has to think of it.
   */
  onChange(listener: (changes: Changes) => void): void
  /**
   * Calls `listener` after every entry of a session's or turn's log, with whose it is. These append no audit record, and
   * there are many of them: what follows must be cheap.
   */
  onLogEntry(listener: (organizationId: string) => void): void
  /** Returns when the database does; throws where it does not in time, or takes no changes. */
  ping(): Promise<void>
  /** For those whose work failed because it is away: settles once it responds. It is asked for all of them at once. */
  returned(): Promise<void>
  /** All of its files as a tar archive of one moment; null where the database is a server, with tools of its own. */
  readonly dump: (() => Promise<ArrayBuffer>) | null
  /** The database's own time, in milliseconds since 1970. */
  now(): Promise<number>
  /** Calls `observer` for every statement from now on. */
  observeStatements(observer: StatementObserver): void
  connections(): ConnectionCounts
  /** Counts what waits, of all organizations, up to a bound. */
  backlog(): Promise<Backlog>
  /** Whether an error means that the database is away, so that the same call may succeed later. */
  isOutage(error: unknown): boolean
  /** Whether an error means that its owner has too much work waiting for the database, which is there. */
  isBusy(error: unknown): boolean
  /** Whether it is an outage in which the database still responds: it has no room, memory or connection left. */
  isFull(error: unknown): boolean
  /** Whether a newer version of the service has changed the schema. */
  hasNewerSchema(): Promise<boolean>
  /** Whether a write has just failed because the disk of the database is full. */
  isDiskFull(): boolean
  /** Ends all connections. */
  close(): Promise<void>
}

/** The embedded database of one moment. */
export interface BackupArchive {
  readonly createdAt: string
  /** The secret that Parley made for itself; null where it is the operator's, in PARLEY_SECRET. */
  readonly secret: string | null
  /** Its files, as a tar archive. */
  readonly archive: ArrayBuffer
}
