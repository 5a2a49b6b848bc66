import { createHmac } from 'node:crypto'
import type { EndUserLimits } from '@parley/contract'
import { v5 as uuidFrom } from 'uuid'
import type { AgentRecord } from '../../ports/agent-stores.js'
import type { Stores } from '../../ports/database.js'
import type { ChainKeys } from '../../ports/secrets.js'
import type { Clock } from '../../ports/time.js'
import { DomainError } from '../domain-error.js'
import { type DayLimit, dayLimitOf, findUsedUpDay } from '../usage/day-limit.js'

type LimitingAgent = Pick<AgentRecord, 'id' | 'organizationId' | 'endUserLimits'>

/** Returns the id under which the limits of an agent count an end user. */
export function limitedEndUser(agentId: string, endUserId: string): string {
  return uuidFrom(endUserId, agentId)
}

/**
 * Returns the id under which the limits of an agent count an anonymous client. It is derived with a secret, so that
 * the database does not reveal the address.
 */
export function limitedClient(chainKeys: ChainKeys, agentId: string, network: string | null): string {
  const key = createHmac('sha256', chainKeys.current().bytes).update('clients of agents').digest()
  return uuidFrom(
    createHmac('sha256', key)
      .update(network ?? 'unknown')
      .digest(),
    agentId,
  )
}

/** Returns the daily limit of an agent for an end user, or null if there is none. */
export function dayLimitFor(agent: LimitingAgent, endUserId: string | null): DayLimit | null {
  return endUserId === null ? null : dayLimitOf(agent, limitedEndUser(agent.id, endUserId))
}

export function limitsSessions({ endUserLimits }: Pick<AgentRecord, 'endUserLimits'>): boolean {
  const { concurrentSessions = null, tokensPerDay = null, costPerDay = null } = endUserLimits
  return concurrentSessions !== null || tokensPerDay !== null || costPerDay !== null
}

interface LimitDependencies {
  readonly clock: Clock
}

interface LimitedUse {
  readonly agent: LimitingAgent
  /** Identifies the end user or client together with the agent. */
  readonly limitedId: string
}

const minuteMilliseconds = 60_000

/**
 * Throws if the limits of the agent do not allow the end user another question. Further questions of the end user wait
 * until the transaction ends, so that concurrent ones are counted exactly.
 */
export async function requireQuestionRoom(
  { clock }: LimitDependencies,
  stores: Stores,
  agent: LimitingAgent,
  endUserId: string | null,
): Promise<void> {
  if (endUserId === null) return
  const limitedId = limitedEndUser(agent.id, endUserId)
  const { questionsPerMinute = null } = agent.endUserLimits
  if (questionsPerMinute !== null) {
    await stores.endUsers.lockLimited(limitedId)
    const now = clock.now().getTime()
    const since = new Date(now - minuteMilliseconds).toISOString()
    const asked = { agentId: agent.id, endUserId, since, count: questionsPerMinute }
    const oldest = await stores.turns.askedBefore(asked)
    if (oldest !== null) {
      const milliseconds = Date.parse(oldest) + minuteMilliseconds - now
      throw refusal('questionsPerMinute', questionsPerMinute, milliseconds)
    }
  }
  await requireDay({ clock }, stores, { agent, limitedId })
}

/**
 * Throws if the limits of the agent do not allow the end user or client another session. The count is exact if the
 * caller holds the lock of the `limitedId`.
 */
export async function requireSessionRoom(
  { clock }: LimitDependencies,
  stores: Stores,
  { agent, limitedId }: LimitedUse,
): Promise<void> {
  const { concurrentSessions = null } = agent.endUserLimits
  if (
    concurrentSessions !== null &&
    (await stores.realtimeSessions.countLimited(limitedId)) >= concurrentSessions
  )
    throw refusal('concurrentSessions', concurrentSessions, retryMilliseconds)
  await requireDay({ clock }, stores, { agent, limitedId })
}

/** When a client may try again whose other sessions are still running. */
const retryMilliseconds = 10_000

async function requireDay(
  { clock }: LimitDependencies,
  stores: Stores,
  { agent, limitedId }: LimitedUse,
): Promise<void> {
  const dayLimit = dayLimitOf(agent, limitedId)
  if (dayLimit === null) return
  const now = clock.now()
  const usedUp = await findUsedUpDay(stores, agent.organizationId, dayLimit, now)
  if (usedUp !== null) throw refusal(usedUp.name, usedUp.most, usedUp.resetsAt.getTime() - now.getTime())
}

const counts: Readonly<Record<keyof EndUserLimits, string>> = {
  questionsPerMinute: 'questions a minute',
  concurrentSessions: 'concurrent sessions',
  tokensPerDay: 'tokens a day (UTC)',
  costPerDay: 'USD a day (UTC)',
}

function refusal(limit: keyof EndUserLimits, most: number, milliseconds: number): DomainError {
  const retryAfterSeconds = Math.max(1, Math.ceil(milliseconds / 1000))
  const code = limit === 'questionsPerMinute' ? 'RateLimited' : 'LimitReached'
  const detail = `The agent allows each end user at most ${most} ${counts[limit]}. Try again in ${retryAfterSeconds} seconds.`
  return new DomainError(code, detail, { limit, retryAfterSeconds })
}
