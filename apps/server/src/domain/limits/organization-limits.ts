import type { ErrorCode } from '@parley/contract'
import type { LimitMetrics } from '../../ports/metrics.js'
import type { UsageKind } from '../../ports/usage-stores.js'
import type { CallerScope } from '../caller-scope.js'
import { DomainError } from '../domain-error.js'

interface OrganizationLimit {
  readonly setting: string
  /** The plural noun in error messages. */
  readonly counts: string
  readonly code: Extract<ErrorCode, 'RateLimited' | 'LimitReached' | 'QuotaExceeded'>
  readonly remedy: string
  /** The delay before a retry. Omitted if a retry does not help. */
  readonly retryAfterSeconds?: number
}

const waiting = { code: 'LimitReached', remedy: 'Wait until some have ended' } as const
const deleting = { code: 'QuotaExceeded', remedy: 'Delete some' } as const

/**
 * All limits of an organization: what each one counts, and its error. The limits prevent one organization
 * from starving the others. A new limit needs an entry here, a setting, and a row in
 * docs/reference/limits.md.
 */
export const organizationLimits = {
  requestsPerMinute: {
    setting: 'PARLEY_ORG_MAX_REQUESTS_PER_MINUTE',
    counts: 'requests a minute',
    code: 'RateLimited',
    remedy: 'Wait for the next minute',
    retryAfterSeconds: 60,
  },
  sessions: {
    ...waiting,
    setting: 'PARLEY_ORG_MAX_SESSIONS',
    counts: 'concurrent realtime sessions',
    retryAfterSeconds: 10,
  },
  queuedTurns: {
    ...waiting,
    setting: 'PARLEY_ORG_MAX_QUEUED_TURNS',
    counts: 'unanswered questions',
    retryAfterSeconds: 5,
  },
  streams: {
    ...waiting,
    setting: 'PARLEY_ORG_MAX_STREAMS',
    counts: 'concurrent live streams',
    retryAfterSeconds: 10,
  },
  streamsPerCaller: {
    ...waiting,
    setting: 'PARLEY_ORG_MAX_STREAMS_PER_CALLER',
    counts: 'concurrent live streams of one key or user',
    remedy: 'Close some',
    retryAfterSeconds: 10,
  },
  agents: { ...deleting, setting: 'PARLEY_ORG_MAX_AGENTS', counts: 'agents' },
  connections: { ...deleting, setting: 'PARLEY_ORG_MAX_CONNECTIONS', counts: 'connections' },
  apiKeys: { ...deleting, setting: 'PARLEY_ORG_MAX_API_KEYS', counts: 'API keys' },
  members: { ...deleting, setting: 'PARLEY_ORG_MAX_MEMBERS', counts: 'members', remedy: 'Remove some' },
  invitations: {
    ...deleting,
    setting: 'PARLEY_ORG_MAX_INVITATIONS',
    counts: 'open invitations',
    remedy: 'Withdraw some',
  },
  budgets: { ...deleting, setting: 'PARLEY_ORG_MAX_BUDGETS', counts: 'budgets' },
  phoneConnections: {
    ...deleting,
    setting: 'PARLEY_ORG_MAX_PHONE_CONNECTIONS',
    counts: 'phone connections',
  },
  phoneNumbers: { ...deleting, setting: 'PARLEY_ORG_MAX_PHONE_NUMBERS', counts: 'phone numbers' },
  callsPerHour: {
    ...waiting,
    setting: 'PARLEY_ORG_MAX_CALLS_PER_HOUR',
    counts: 'outgoing calls within an hour',
    remedy: 'Wait some minutes',
    retryAfterSeconds: 60,
  },
  webhooks: { ...deleting, setting: 'PARLEY_ORG_MAX_WEBHOOKS', counts: 'webhooks' },
  tasks: { ...deleting, setting: 'PARLEY_ORG_MAX_TASKS', counts: 'tasks' },
  conversations: { ...deleting, setting: 'PARLEY_ORG_MAX_CONVERSATIONS', counts: 'conversations' },
  messages: {
    ...deleting,
    setting: 'PARLEY_ORG_MAX_MESSAGES',
    counts: 'messages',
    remedy: 'Delete some conversations',
  },
  files: { ...deleting, setting: 'PARLEY_ORG_MAX_FILES', counts: 'temporary files' },
  fileBytes: {
    ...deleting,
    setting: 'PARLEY_ORG_MAX_FILE_BYTES',
    counts: 'bytes in temporary files',
    remedy: 'Delete some files',
  },
} as const satisfies Readonly<
  Record<UsageKind | 'requestsPerMinute' | 'streams' | 'streamsPerCaller', OrganizationLimit>
>

export type LimitName = keyof typeof organizationLimits

/** The number of resources to be added. */
export interface Addition {
  readonly kind: UsageKind
  readonly amount: number
}

export const oneMore = (kind: UsageKind): Addition => ({ kind, amount: 1 })

export interface LimitsOptions {
  readonly maxima: Readonly<Record<LimitName, number>>
  readonly metrics: LimitMetrics
}

/** The organization limits with their configured values. */
export class Limits {
  readonly maxima: LimitsOptions['maxima']
  readonly #metrics: LimitMetrics

  constructor({ maxima, metrics }: LimitsOptions) {
    this.maxima = maxima
    this.#metrics = metrics
  }

  /**
   * Throws if the additions exceed a limit. Returns the current counts, including other requested kinds. This
   * takes no locks, and concurrent transactions do not see each other's additions. The limit can therefore be
   * exceeded by as many as run at once.
   */
  async requireRoom(
    scope: CallerScope,
    additions: readonly Addition[],
    others: readonly UsageKind[] = [],
  ): Promise<ReadonlyMap<UsageKind, number>> {
    const amounts = await this.amounts(scope, additions, others)
    this.judge(amounts, additions)
    return amounts
  }

  /** Returns the current count. For callers that read several counts at once and check them in order. */
  amounts(
    { stores, caller }: CallerScope,
    additions: readonly Addition[],
    others: readonly UsageKind[] = [],
  ): Promise<ReadonlyMap<UsageKind, number>> {
    const kinds = [...additions.map(({ kind }) => kind), ...others]
    return stores.organizationUsage.amounts(caller.organizationId, kinds)
  }

  judge(amounts: ReadonlyMap<UsageKind, number>, additions: readonly Addition[]): void {
    for (const { kind, amount } of additions)
      if ((amounts.get(kind) ?? 0) + amount > this.maxima[kind]) throw this.refusal(kind)
  }

  /** Returns the error for a reached limit, and counts it in the metrics. */
  refusal(name: LimitName, wait: { readonly retryAfterSeconds?: number } = {}): DomainError {
    this.#metrics.limitReached(name)
    const { counts, code, remedy, setting, ...limit }: OrganizationLimit = organizationLimits[name]
    const detail = `An organization may have at most ${this.maxima[name]} ${counts}. ${remedy}, or ask the operator to raise ${setting}.`
    return new DomainError(code, detail, { ...limit, ...wait, limit: name })
  }
}
