import type { Agent } from '@parley/contract'
import type { Stores } from '../../ports/database.js'
import { startsAt } from './budgets/budget-standing.js'
import { countedMoney, millionths } from './cost.js'

const dayMilliseconds = 24 * 60 * 60 * 1000

/** The usage that an agent allows one end user or client on a day (UTC). */
export interface DayLimit {
  /** Identifies the agent together with the end user or client. */
  readonly limitedId: string
  readonly tokensPerDay: number | null
  readonly costPerDay: number | null
}

/** Returns the daily limit of an agent for an end user or client, or null if there is none. */
export function dayLimitOf(
  { endUserLimits: { tokensPerDay = null, costPerDay = null } }: Pick<Agent, 'endUserLimits'>,
  limitedId: string,
): DayLimit | null {
  return tokensPerDay === null && costPerDay === null ? null : { limitedId, tokensPerDay, costPerDay }
}

/** A daily limit that is reached. */
export interface UsedUpDay {
  readonly name: 'tokensPerDay' | 'costPerDay'
  readonly most: number
  /** The next midnight in UTC. */
  readonly resetsAt: Date
}

/** Returns the part of a daily limit that is used up at this moment, or null. */
export async function findUsedUpDay(
  stores: Stores,
  organizationId: string,
  { limitedId, tokensPerDay, costPerDay }: DayLimit,
  moment: Date,
): Promise<UsedUpDay | null> {
  const starts = startsAt(moment)
  const [used] = await stores.usageLedger.counters(organizationId, [limitedId], starts)
  if (used === undefined) return null
  const resetsAt = new Date(Date.parse(`${starts.day}T00:00:00.000Z`) + dayMilliseconds)
  if (tokensPerDay !== null && used.tokens >= tokensPerDay)
    return { name: 'tokensPerDay', most: tokensPerDay, resetsAt }
  if (costPerDay !== null && countedMoney(used.cost) >= millionths(costPerDay) * 1_000_000n)
    return { name: 'costPerDay', most: costPerDay, resetsAt }
  return null
}

/** The error text for work that a daily limit ends. */
export function usedUpDayText({ name, most, resetsAt }: UsedUpDay): string {
  const amount = name === 'tokensPerDay' ? `${most} tokens` : `${most} USD`
  return `The end user has used up the limit ${name} of this agent (${amount} a day) until ${resetsAt.toISOString()}.`
}
