import type { Budget, ConnectionKind, Price, UsageGroupName, UsageTokens } from '@parley/contract'
import type { ResourceRecord, ResourceStore, UpsertStore } from './resource-store.js'

/** The sums of usage records: integers, and money as a decimal number in text. */
export interface UsageSums extends UsageTokens {
  readonly sessions: number
  readonly turns: number
  readonly responses: number
  /** Responses and telephone calls with a price for at least one part of their usage. */
  readonly pricedResponses: number
  /** Responses whose usage the provider did not report. */
  readonly unknownResponses: number
  readonly toolCalls: number
  readonly milliseconds: number
  /** Audio and telephone calls that are billed by duration. */
  readonly audioMilliseconds: number
  readonly unpricedTokens: number
  readonly unpricedMilliseconds: number
  readonly cost: string
}

/** `telephone` is the minutes of a call. The models of its sessions are used in `realtime`. */
export type UsageChannel = 'text' | 'realtime' | 'telephone'

/** One usage of a model: who used it, the model, and the amounts. */
export interface UsageRecord extends UsageSums {
  readonly organizationId: string
  /** The session, turn or telephone call, and the part of it. A record with the same pair is counted once. */
  readonly sourceId: string
  readonly item: string
  readonly at: string
  readonly agentId: string
  /** Null for a user in the console. */
  readonly apiKeyId: string | null
  readonly connectionId: string
  readonly model: string
  readonly channel: UsageChannel
  readonly rehearsal: boolean
  /** Null if the end user is anonymous. */
  readonly endUserId: string | null
  /** The price list entry that was applied, or null if there was none. */
  readonly price: string | null
}

/** A session that has started and used nothing yet. */
export type SessionRecord = Omit<UsageRecord, keyof UsageSums | 'price'>

/** The usage of an organization, an agent or a key in a period. */
export interface UsageCounter {
  readonly subjectId: string
  readonly period: Budget['period']
  readonly startsOn: string
  readonly tokens: number
  readonly unpricedTokens: number
  readonly cost: string
  /** The number of responses. Earlier versions did not count all of them. */
  readonly responses: number
}

/** The estimated usage of work in progress: one agent in a turn or session. */
export interface UsageReservation {
  /** The turn or session. */
  readonly sourceId: string
  readonly organizationId: string
  readonly agentId: string
  /** Null for a user in the console. */
  readonly apiKeyId: string | null
  readonly tokens: number
  readonly cost: string
}

/** The sum of all reservations of an organization, an agent or a key. */
export interface ReservedUsage {
  readonly subjectId: string
  readonly reservations: number
  readonly tokens: number
  readonly cost: string
}

export interface UsageFilter {
  readonly agentId?: string | undefined
  readonly apiKeyId?: string | undefined
  readonly connectionId?: string | undefined
  readonly model?: string | undefined
  readonly channel?: UsageChannel | undefined
  readonly rehearsal?: boolean | undefined
  readonly endUserId?: string | undefined
}

export interface SummedUsage {
  readonly organizationId: string
  /** Whole days, read from daily sums. Ignored for a group or filter by end user, which daily sums do not have. `from` is included and `to` is not. */
  readonly days: { readonly from: string; readonly to: string }
  /** Parts of days, read from the records. */
  readonly parts: readonly { readonly from: string; readonly to: string }[]
  readonly groupBy: readonly UsageGroupName[]
  readonly filter: UsageFilter
  readonly limit: number
}

/** The sums of one group. Contains only the fields that were grouped by. */
export interface UsageGroupSums extends UsageSums {
  readonly day?: string
  readonly agentId?: string
  readonly apiKeyId?: string | null
  readonly connectionId?: string
  readonly model?: string
  readonly channel?: UsageChannel
  readonly rehearsal?: boolean
  readonly endUserId?: string | null
}

/** Records of model usage, and their sums. */
export interface UsageLedger {
  /**
   * Adds a record. If it is new, adds it to the sums of its day and to the counters of its organization,
   * agent and key, all in one statement. Returns whether it was new. Other transactions that write to the
   * same rows wait until this one ends, so this must be the last statement of a transaction. With `limitedId`,
   * also adds it to a counter of the day for that id.
   */
  add(record: UsageRecord, limitedId?: string | null): Promise<boolean>
  /** Adds a session if it is new. It counts only in the sums of its day. */
  addSession(record: SessionRecord): Promise<void>
  /** Returns the usage of these subjects in the given day and month: the sums of all parts. */
  counters(
    organizationId: string,
    subjectIds: readonly string[],
    starts: { readonly day: string; readonly month: string },
  ): Promise<readonly UsageCounter[]>
  /**
   * Adds up to `limit` parts of days that ended before `moment` to the daily sums. Returns the number of
   * parts.
   */
  foldParts(moment: string, limit: number): Promise<number>
  /**
   * Reserves usage until the turn or session ends. The end of its row releases the reservation, also if its
   * instance is lost. Does nothing if it has ended or already has a reservation. Pass `new` for a turn that
   * this transaction will store.
   */
  reserve(reservation: UsageReservation, source: 'new' | 'running'): Promise<void>
  isReserved(sourceId: string, agentId: string): Promise<boolean>
  /** Returns the reserved usage of work in progress. */
  reserved(organizationId: string, subjectIds: readonly string[]): Promise<readonly ReservedUsage[]>
  /** Returns the usage of a session or turn so far. */
  sumOf(sourceId: string): Promise<UsageSums>
  /** Returns sums by group, sorted by group. */
  sum(wanted: SummedUsage): Promise<readonly UsageGroupSums[]>
  /** Returns the names of existing agents, keys, connections and phone connections, by id. */
  names(organizationId: string, ids: readonly string[]): Promise<ReadonlyMap<string, string>>
}

type ReadFields = 'id' | 'createdAt' | 'updatedAt' | 'spent' | 'state' | 'periodStartsAt' | 'resetsAt'

export interface BudgetRecord extends Readonly<Omit<Budget, ReadFields>>, ResourceRecord {}

/** A threshold of a budget: its warning percentage, or its limit. */
export type BudgetThreshold = 'warning' | 'exceeded'

export interface BudgetFilter {
  readonly agentId?: string | undefined
  readonly apiKeyId?: string | undefined
}

export interface BudgetStore extends ResourceStore<BudgetRecord, BudgetFilter>, UpsertStore<BudgetRecord> {
  /**
   * Returns the budgets that limit the use of this agent with this key, including those of the organization.
   */
  limiting(
    organizationId: string,
    who: { readonly agentId: string; readonly apiKeyId: string | null },
  ): Promise<readonly BudgetRecord[]>
  /** Locks these budgets in the order of their ids, until the transaction ends. */
  lock(ids: readonly string[]): Promise<void>
  /**
   * Records that the budget has reached a threshold. Returns false if that was recorded for this period or a
   * later one.
   */
  noteCrossing(budgetId: string, threshold: BudgetThreshold, startsOn: string): Promise<boolean>
  /** Clears the record that the budget has reached a threshold, because its limit was raised. */
  forgetCrossing(budgetId: string, threshold: BudgetThreshold): Promise<void>
}

export interface OwnPrices {
  readonly items: readonly Price[]
  /** Null if there are none. */
  readonly savedAt: string | null
}

/** The organizations' own prices. */
export interface PriceStore {
  list(organizationId: string): Promise<OwnPrices>
  /** Serializes replacements of the list until the transaction ends. */
  lock(organizationId: string): Promise<void>
  /** Replaces the whole list. */
  replace(organizationId: string, items: readonly Price[], at: string): Promise<void>
  /** Returns the prices that match a model at a time, by its exact name or by a prefix. */
  matching(
    organizationId: string,
    wanted: { readonly kind: ConnectionKind; readonly model: string; readonly at: string },
  ): Promise<readonly Price[]>
}

/** The kinds of data that are stored until they are deleted. */
export type StoredKind =
  | 'agents'
  | 'connections'
  | 'apiKeys'
  | 'members'
  | 'tasks'
  | 'conversations'
  | 'messages'
  | 'files'
  | 'fileBytes'
  | 'webhooks'

/**
 * The kinds of resources that organization limits apply to: stored, in progress on any instance, or open for
 * a while.
 */
export type UsageKind =
  | StoredKind
  | 'sessions'
  | 'queuedTurns'
  | 'invitations'
  | 'budgets'
  | 'phoneConnections'
  | 'phoneNumbers'
  | 'callsPerHour'

/** The resource counts of organizations. */
export interface OrganizationUsageStore {
  /**
   * Returns the organization's amount of each kind. Uncommitted changes of other transactions are not
   * included.
   */
  amounts(organizationId: string, kinds: readonly UsageKind[]): Promise<ReadonlyMap<UsageKind, number>>
}
