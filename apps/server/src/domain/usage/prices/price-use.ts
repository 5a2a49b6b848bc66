import type { Price, UsageTokens } from '@parley/contract'
import { millionths } from '../money.js'

/** What a use of a model took. */
export interface UsedAmount {
  readonly tokens: UsageTokens
  /** Sound that is paid for by the time. */
  readonly audioMilliseconds: number
}

export interface PricedAmount {
  /** Of all that has a price, as money is counted. */
  readonly cost: bigint
  /** Whether anything has one. */
  readonly isPriced: boolean
  readonly unpricedTokens: number
  readonly unpricedMilliseconds: number
}

type Unit = keyof Price['perMillion']

const hourMilliseconds = 3_600_000n

/** What it costs at this price; what has none is told apart, and never counted as nothing. */
export function priceUse(price: Price | null, { tokens, audioMilliseconds }: UsedAmount): PricedAmount {
  let cost = 0n
  let isPriced = false
  let unpricedTokens = 0
  for (const { count, units } of partsOf(tokens)) {
    if (count === 0) continue
    const found = units.map((unit) => price?.perMillion[unit] ?? null).find((one) => one !== null)
    if (found === undefined) unpricedTokens += count
    else {
      cost += BigInt(count) * millionths(found)
      isPriced = true
    }
  }
  const perHour = price?.perHour ?? null
  if (audioMilliseconds > 0 && perHour !== null) {
    cost += (BigInt(audioMilliseconds) * millionths(perHour) * 1_000_000n) / hourMilliseconds
    isPriced = true
  }
  const unpricedMilliseconds = perHour === null ? audioMilliseconds : 0
  return { cost, isPriced, unpricedTokens, unpricedMilliseconds }
}

/** Each token once: what came from a cache, or went into it, is taken out of the input. Prices in the order they count. */
function partsOf(
  tokens: UsageTokens,
): readonly { readonly count: number; readonly units: readonly Unit[] }[] {
  const { textInput, cachedTextInput, cacheWriteTextInput, audioInput, cachedAudioInput } = tokens
  const { imageInput, cachedImageInput, textOutput, audioOutput } = tokens
  return [
    { count: textInput - cachedTextInput - cacheWriteTextInput, units: ['textInput'] },
    { count: cachedTextInput, units: ['cachedTextInput', 'textInput'] },
    { count: cacheWriteTextInput, units: ['cacheWriteTextInput', 'textInput'] },
    { count: audioInput - cachedAudioInput, units: ['audioInput'] },
    { count: cachedAudioInput, units: ['cachedAudioInput', 'audioInput'] },
    { count: imageInput - cachedImageInput, units: ['imageInput'] },
    { count: cachedImageInput, units: ['cachedImageInput', 'imageInput'] },
    { count: textOutput, units: ['textOutput'] },
    { count: audioOutput, units: ['audioOutput'] },
  ]
}
