import type { Database, Stores } from '../../ports/database.js'
import type { WorkMetrics } from '../../ports/metrics.js'
import type { Clock } from '../../ports/time.js'
import type { UsageRecord } from '../../ports/usage-stores.js'
import {
  amountsOf,
  type BudgetStanding,
  isNearThreshold,
  recordCrossings,
  standingsAt,
} from './budgets/budget-standing.js'
import { usedUpText } from './budgets/reserve-budget.js'
import { moneyText } from './cost.js'
import { findUsedUpDay, usedUpDayText } from './day-limit.js'
import { type ModelUse, noTokens, noUsage, type UsedModel } from './model-use.js'
import {
  choosePrice,
  defaultPriceOf,
  type PricedAmount,
  priceDuration,
  priceUse,
  type UsedAmount,
} from './prices/prices.js'
import type { UsedUp } from './use-counter.js'

/** More than any model uses at once. Larger amounts from a provider are reduced to these maximums. */
const maxTokens = 1_000_000_000
const maxMilliseconds = 7 * 24 * 60 * 60 * 1000

/**
 * Counts and prices the usage of a model. A repeated usage with the same id is counted once. If a budget
 * reaches a threshold, an audit record is written. Must be called inside a transaction, as its last step.
 * Returns the budgets and daily limits that are used up now.
 */
export async function countUse(
  { clock }: { readonly clock: Clock },
  stores: Stores,
  use: ModelUse,
  onCounted: (record: UsageRecord) => void = () => undefined,
): Promise<readonly UsedUp[]> {
  const record = await recordOf(stores, use)
  const limitedId = use.dayLimit?.limitedId ?? null
  const { isNew, standings } = await addRecord({ clock }, stores, record, limitedId)
  if (isNew) onCounted(record)
  return [...usedUpBudgets(standings), ...(await usedUpDays(stores, use))]
}

/** Adds a record, and writes audit records for budgets that reach a threshold. Returns the standings of all budgets. */
async function addRecord(
  { clock }: { readonly clock: Clock },
  stores: Stores,
  record: UsageRecord,
  limitedId: string | null,
): Promise<{ readonly isNew: boolean; readonly standings: readonly BudgetStanding[] }> {
  const { organizationId, agentId, apiKeyId } = record
  const budgets = await stores.budgets.limiting(organizationId, { agentId, apiKeyId })
  if (budgets.length === 0) return { isNew: await stores.usageLedger.add(record, limitedId), standings: [] }
  const moment = new Date(record.at)
  const before = await standingsAt(stores, budgets, moment)
  const near = before.filter((standing) => isNearThreshold(standing, amountOf(standing, record)))
  if (near.length > 0) await stores.budgets.lock(near.map(({ budget }) => budget.id))
  const isNew = await stores.usageLedger.add(record, limitedId)
  const standings = await standingsAt(stores, budgets, moment)
  await recordCrossings({ clock }, stores, standings)
  return { isNew, standings }
}

/** A telephone call that has ended. */
export interface CallUse extends Pick<UsageRecord, 'organizationId' | 'agentId' | 'apiKeyId' | 'endUserId'> {
  readonly id: string
  readonly phoneConnectionId: string
  /** The kind of the phone connection. */
  readonly kind: string
  readonly at: string
  readonly milliseconds: number
  /** In dollars, or null if it is unknown. */
  readonly pricePerMinute: number | null
}

/**
 * Counts and prices the duration of a telephone call, once for each call. Must be called inside a transaction, as its
 * last step.
 */
export async function countCall(
  { clock }: { readonly clock: Clock },
  stores: Stores,
  { id, phoneConnectionId, kind, milliseconds, pricePerMinute, ...call }: CallUse,
): Promise<void> {
  const { at, agentId, ...account } = call
  const audioMilliseconds = whole(milliseconds, maxMilliseconds)
  const perHour = pricePerMinute === null ? null : pricePerMinute * 60
  const { cost, isPriced, unpricedMilliseconds } = priceDuration(perHour, audioMilliseconds)
  const record: UsageRecord = {
    ...blankRecord({
      account: { ...account, sourceId: id, channel: 'telephone', rehearsal: false },
      agentId,
      at,
      item: 'call',
      used: { connectionId: phoneConnectionId, model: kind },
    }),
    audioMilliseconds,
    unpricedMilliseconds,
    pricedResponses: isPriced ? 1 : 0,
    cost: moneyText(cost),
    price: isPriced ? `own: ${kind}` : null,
  }
  await addRecord({ clock }, stores, record, null)
}

export interface UseDependencies {
  readonly clock: Clock
  readonly database: Database
  readonly workMetrics: WorkMetrics
}

/** Counts the usage of a model in its own transaction, and updates the metrics after the commit. */
export async function countUseAlone(
  { clock, database, workMetrics }: UseDependencies,
  use: ModelUse,
): Promise<readonly UsedUp[]> {
  let counted: UsageRecord | undefined
  const usedUp = await database.transaction((stores) =>
    countUse({ clock }, stores, use, (record) => {
      counted = record
    }),
  )
  if (counted !== undefined) measureUse(workMetrics, use, counted)
  return usedUp
}

/** Updates the metrics for usage that was counted. Must be called after the commit. */
export function measureUse(workMetrics: WorkMetrics, use: ModelUse, counted: UsageRecord): void {
  workMetrics.modelUsed({
    channel: use.account.channel,
    kind: use.used.kind,
    inputTokens: counted.textInput + counted.audioInput + counted.imageInput,
    outputTokens: counted.textOutput + counted.audioOutput,
    cachedInputTokens: counted.cachedTextInput + counted.cachedAudioInput + counted.cachedImageInput,
    cost: Number(counted.cost),
    isPriced: counted.pricedResponses > 0,
  })
}

/** Counts a session without any usage. */
export async function countSession(
  stores: Stores,
  { account, agentId, used, at }: Pick<ModelUse, 'account' | 'agentId' | 'used' | 'at'>,
): Promise<void> {
  const { connectionId, model } = used
  await stores.usageLedger.addSession({ ...account, item: 'session', at, agentId, connectionId, model })
}

/** Returns the amount that a usage adds to a budget, in the budget's unit. */
const amountOf = ({ budget }: BudgetStanding, record: UsageRecord): bigint => {
  const { textInput, textOutput, audioInput, audioOutput, imageInput, cost } = record
  const tokens = textInput + textOutput + audioInput + audioOutput + imageInput
  return amountsOf(budget, { tokens, cost }).spent
}

function usedUpBudgets(standings: readonly BudgetStanding[]): readonly UsedUp[] {
  return standings
    .filter(({ state }) => state === 'exceeded')
    .map((standing) => {
      const { id, agentId, onExceeded } = standing.budget
      return { id, agentId, endsSession: onExceeded === 'end', problem: usedUpText(standing) }
    })
}

/** Returns the daily limit of the end user if it is used up. It also blocks sub-agents. */
async function usedUpDays(stores: Stores, { account, dayLimit, at }: ModelUse): Promise<readonly UsedUp[]> {
  if (!dayLimit) return []
  const found = await findUsedUpDay(stores, account.organizationId, dayLimit, new Date(at))
  if (found === null) return []
  return [{ id: dayLimit.limitedId, agentId: null, endsSession: true, problem: usedUpDayText(found) }]
}

async function recordOf(stores: Stores, use: ModelUse): Promise<UsageRecord> {
  const amount = clampAmounts(use.amount ?? nothing)
  const { price, priced } = await pricedOf(stores, use, amount)
  return {
    ...blankRecord(use),
    ...amount.tokens,
    audioMilliseconds: amount.audioMilliseconds,
    milliseconds: whole(use.milliseconds, maxMilliseconds),
    toolCalls: whole(use.toolCalls, maxTokens),
    turns: use.isTurnStart === true ? 1 : 0,
    responses: 1,
    unknownResponses: use.amount === null ? 1 : 0,
    pricedResponses: priced.isPriced ? 1 : 0,
    unpricedTokens: priced.unpricedTokens,
    unpricedMilliseconds: priced.unpricedMilliseconds,
    cost: moneyText(priced.cost),
    price,
  }
}

interface RecordOrigin extends Pick<ModelUse, 'agentId' | 'item' | 'at'> {
  readonly account: Omit<ModelUse['account'], 'channel'> & Pick<UsageRecord, 'channel'>
  readonly used: Pick<UsedModel, 'connectionId' | 'model'>
}

function blankRecord({ account, agentId, used, item, at }: RecordOrigin): UsageRecord {
  return {
    ...account,
    agentId,
    item,
    at,
    connectionId: used.connectionId,
    model: used.model,
    ...noUsage,
    price: null,
  }
}

/** Returns the price of a usage: the organization's own price, or otherwise the default price. */
async function pricedOf(
  stores: Stores,
  { account, used, at }: ModelUse,
  amount: UsedAmount,
): Promise<{ readonly price: string | null; readonly priced: PricedAmount }> {
  const { kind, model } = used
  const { textInput, audioInput, imageInput } = amount.tokens
  const wanted = { model, at, inputTokens: textInput + audioInput + imageInput }
  const own = choosePrice(await stores.prices.matching(account.organizationId, { kind, model, at }), wanted)
  const price = own ?? defaultPriceOf(kind, wanted)
  const source = own === null ? 'default' : 'own'
  return {
    price: price === null ? null : `${source}: ${price.kind} ${price.model}`,
    priced: priceUse(price, billableAmounts(used, amount)),
  }
}

const silent = { audioInput: 0, cachedAudioInput: 0, audioOutput: 0 }

function billableAmounts({ isVoiced }: UsedModel, { tokens, audioMilliseconds }: UsedAmount): UsedAmount {
  return { tokens: isVoiced === true ? { ...tokens, ...silent } : tokens, audioMilliseconds }
}

const nothing: UsedAmount = { tokens: noTokens, audioMilliseconds: 0 }

/** Returns whole amounts within the limits. Cached tokens never exceed the input tokens. */
function clampAmounts({ tokens, audioMilliseconds }: UsedAmount): UsedAmount {
  const count = (tokens: number, most = maxTokens) => whole(tokens, most)
  const textInput = count(tokens.textInput)
  const audioInput = count(tokens.audioInput)
  const imageInput = count(tokens.imageInput)
  const cachedTextInput = count(tokens.cachedTextInput, textInput)
  return {
    tokens: {
      textInput,
      audioInput,
      imageInput,
      cachedTextInput,
      textOutput: count(tokens.textOutput),
      audioOutput: count(tokens.audioOutput),
      cachedAudioInput: count(tokens.cachedAudioInput, audioInput),
      cachedImageInput: count(tokens.cachedImageInput, imageInput),
      cacheWriteTextInput: count(tokens.cacheWriteTextInput, textInput - cachedTextInput),
    },
    audioMilliseconds: whole(audioMilliseconds, maxMilliseconds),
  }
}

const whole = (value: number, most: number): number => (value > 0 ? Math.min(Math.round(value), most) : 0)
