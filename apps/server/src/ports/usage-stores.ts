import type { Budget, ConnectionKind, Price, UsageGroupName, UsageTokens } from '@parley/contract'
import type { ResourceRecord, ResourceStore, UpsertStore } from './resource-store.js'

/** What is added up, wherever usage is: whole numbers, and money as a decimal number in text. */
export interface UsageSums extends UsageTokens {
  readonly sessions: number
  readonly turns: number
  readonly responses: number
  /** Those of which at least a part has a price. */
  readonly pricedResponses: number
  /** Those of which the provider did not say what they took. */
  readonly unknownResponses: number
  readonly toolCalls: number
  readonly milliseconds: number
  /** Sound that is paid for by the time. */
  readonly audioMilliseconds: number
  readonly unpricedTokens: number
  readonly unpricedMilliseconds: number
  readonly cost: string
}

/** One use of a model: by whom, of what, and what it took. */
export interface UsageRecord extends UsageSums {
  readonly organizationId: string
  /** The session or turn, and what in it: told twice, it is counted once. */
  readonly sourceId: string
  readonly item: string
  readonly at: string
  readonly agentId: string
  /** Null: a person in the console. */
  readonly apiKeyId: string | null
  readonly connectionId: string
  readonly model: string
  readonly channel: 'text' | 'realtime'
  readonly rehearsal: boolean
  /** The entry of the price list that it was priced by; null: none. */
  readonly price: string | null
}

/** A session that has begun, and used nothing yet. */
export type SessionRecord = Omit<UsageRecord, keyof UsageSums | 'price'>

/** How much an organization, an agent or a key has used in a period. */
export interface UsageCounter {
  readonly subjectId: string
  readonly period: Budget['period']
  readonly startsOn: string
  readonly tokens: number
  readonly unpricedTokens: number
  readonly cost: string
  /** How many responses that was, as far as versions counted them. */
  readonly responses: number
}

/** The estimated use of work that is under way: of a turn or session, by one agent. */
export interface UsageReservation {
  /** The turn or session. */
  readonly sourceId: string
  readonly organizationId: string
  readonly agentId: string
  /** Null: a person in the console. */
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
  readonly channel?: 'text' | 'realtime' | undefined
  readonly rehearsal?: boolean | undefined
}

export interface SummedUsage {
  readonly organizationId: string
  /** Whole days, from their sums: from this one on, and before that one. */
  readonly days: { readonly from: string; readonly to: string }
  /** Parts of days, from the records. */
  readonly parts: readonly { readonly from: string; readonly to: string }[]
  readonly groupBy: readonly UsageGroupName[]
  readonly filter: UsageFilter
  readonly limit: number
}

/** The sums of one group; of what it was not asked for, it says nothing. */
export interface UsageGroupSums extends UsageSums {
  readonly day?: string
  readonly agentId?: string
  readonly apiKeyId?: string | null
  readonly connectionId?: string
  readonly model?: string
  readonly channel?: 'text' | 'realtime'
  readonly rehearsal?: boolean
}

/** Every use of a model, and its sums. */
export interface UsageLedger {
  /**
   * Adds a record unless it is there, and if it is new adds it to the sums of its day and to the counters of its
   * organization, agent and key, all in one statement. Returns whether it was new. Another transaction that writes to the
   * same parts waits until this one ends: it comes last in one.
   */
  add(record: UsageRecord): Promise<boolean>
  /** Adds a session unless it is there; it counts in the sums of its day alone. */
  addSession(record: SessionRecord): Promise<void>
  /** What organization, agents and keys have used in this day and this month: the sums of all parts. */
  counters(
    organizationId: string,
    subjectIds: readonly string[],
    starts: { readonly day: string; readonly month: string },
  ): Promise<readonly UsageCounter[]>
  /** Adds up the parts of days that ended before the moment, at most `limit` of them. Returns how many there were. */
  foldParts(moment: string, limit: number): Promise<number>
  /**
   * Reserves use until the turn or session has ended: its row releases it, also if its instance is gone. Reserves nothing
   * for one that has ended, and nothing a second time. A turn that this transaction will store is `new`.
   */
  reserve(reservation: UsageReservation, source: 'new' | 'running'): Promise<void>
  isReserved(sourceId: string, agentId: string): Promise<boolean>
  /** What work under way has reserved. */
  reserved(organizationId: string, subjectIds: readonly string[]): Promise<readonly ReservedUsage[]>
  /** What a session or turn has used so far. */
  sumOf(sourceId: string): Promise<UsageSums>
  /** Sums by group, sorted by the groups. */
  sum(wanted: SummedUsage): Promise<readonly UsageGroupSums[]>
  /** The names of agents, keys and connections, by id; of those that there still are. */
  names(organizationId: string, ids: readonly string[]): Promise<ReadonlyMap<string, string>>
}

type ReadFields = 'id' | 'createdAt' | 'updatedAt' | 'spent' | 'state' | 'periodStartsAt' | 'resetsAt'

export interface BudgetRecord extends Readonly<Omit<Budget, ReadFields>>, ResourceRecord {}

/** What a budget can reach: the percentage at which it warns, and its limit. */
export type BudgetLine = 'warning' | 'exceeded'

export interface BudgetFilter {
  readonly agentId?: string | undefined
  readonly apiKeyId?: string | undefined
}

export interface BudgetStore extends ResourceStore<BudgetRecord, BudgetFilter>, UpsertStore<BudgetRecord> {
  /** The budgets that limit whoever uses this agent with this key, those of the organization included. */
  limiting(
    organizationId: string,
    who: { readonly agentId: string; readonly apiKeyId: string | null },
  ): Promise<readonly BudgetRecord[]>
  /** Locks these budgets until the transaction ends, in the order of their ids. */
  lock(ids: readonly string[]): Promise<void>
  /** Notes that the budget has reached a line. Returns false if that was noted for this period or a later one before. */
  noteCrossing(budgetId: string, line: BudgetLine, startsOn: string): Promise<boolean>
  /** Forgets that the budget has reached a line: its limit was raised. */
  forgetCrossing(budgetId: string, line: BudgetLine): Promise<void>
}

export interface OwnPrices {
  readonly items: readonly Price[]
  /** Null where there are none. */
  readonly savedAt: string | null
}

/** The organizations' own prices. */
export interface PriceStore {
  list(organizationId: string): Promise<OwnPrices>
  /** Makes those who replace the list take turns, until the transaction ends. */
  lock(organizationId: string): Promise<void>
  /** Puts these in the place of those that there were. */
  replace(organizationId: string, items: readonly Price[], at: string): Promise<void>
  /** Those that match a model at a moment, by name or by how it begins. */
  matching(
    organizationId: string,
    wanted: { readonly kind: ConnectionKind; readonly model: string; readonly at: string },
  ): Promise<readonly Price[]>
}

/** What is stored for an organization until somebody removes it. */
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

/** What an organization has at this moment: stored, under way on whichever instance, or open for a while. */
export type UsageKind = StoredKind | 'sessions' | 'queuedTurns' | 'invitations' | 'budgets'

/** How much of everything the organizations have. */
export interface OrganizationUsageStore {
  /** How much the organization has of each of these. What other transactions are about to add is not in it. */
  amounts(organizationId: string, kinds: readonly UsageKind[]): Promise<ReadonlyMap<UsageKind, number>>
}
