import type { Cost, UsageFigures, UsageTokens } from '@parley/contract'
import type { UsageSums } from '../../ports/usage-stores.js'

/** Returns the cost of a usage. The cost is unknown if there was usage and no part of it has a price. */
export function costOf(sums: UsageSums): Cost {
  const { pricedResponses, unknownResponses, unpricedTokens, unpricedMilliseconds } = sums
  const isUnpriced = unpricedTokens > 0 || unpricedMilliseconds > 0 || unknownResponses > 0
  return {
    amount: pricedResponses === 0 && isUnpriced ? null : Number(sums.cost),
    currency: 'USD',
    unpricedTokens,
    unpricedSeconds: unpricedMilliseconds / 1000,
    unknownResponses,
  }
}

export function toUsageFigures(sums: UsageSums): UsageFigures {
  const { sessions, turns, responses, toolCalls } = sums
  return {
    sessions,
    turns,
    responses,
    toolCalls,
    seconds: sums.milliseconds / 1000,
    audioSeconds: sums.audioMilliseconds / 1000,
    tokens: tokensOf(sums),
    cost: costOf(sums),
  }
}

function tokensOf(sums: UsageSums): UsageTokens {
  const { textInput, textOutput, audioInput, audioOutput, imageInput } = sums
  const { cachedTextInput, cachedAudioInput, cachedImageInput, cacheWriteTextInput } = sums
  return {
    textInput,
    textOutput,
    audioInput,
    audioOutput,
    imageInput,
    cachedTextInput,
    cachedAudioInput,
    cachedImageInput,
    cacheWriteTextInput,
  }
}

export function addSums(one: UsageSums, other: UsageSums): UsageSums {
  const { cost, ...counts } = one
  const added = Object.keys(counts) as (keyof typeof counts)[]
  return {
    ...one,
    ...Object.fromEntries(added.map((name) => [name, one[name] + other[name]])),
    cost: moneyText(countedMoney(cost) + countedMoney(other.cost)),
  }
}

/*
 * Money is counted in units of 10^-12. Prices have six decimals per million tokens, so the cost of a token is
 * a whole number of units, and sums are never rounded. Text values use a decimal point.
 */
const decimals = 12
const one = 10n ** BigInt(decimals)

/** Converts a decimal text to counted units. */
export function countedMoney(text: string): bigint {
  const [whole = '0', fraction = ''] = text.split('.')
  return BigInt(whole) * one + BigInt(fraction.slice(0, decimals).padEnd(decimals, '0'))
}

export function moneyText(counted: bigint): string {
  return `${counted / one}.${String(counted % one).padStart(decimals, '0')}`
}

/** Returns a price in whole millionths. */
export const millionths = (price: number): bigint => BigInt(Math.round(price * 1_000_000))
