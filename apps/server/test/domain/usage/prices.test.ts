import type { Price } from '@parley/contract'
import { describe, expect, test } from 'vitest'
import { countedMoney, moneyText } from '#server/domain/usage/cost.js'
import { noTokens } from '#server/domain/usage/model-use.js'
import { choosePrice, defaultPriceOf, defaultPrices, priceUse } from '#server/domain/usage/prices/prices.js'
import { splitTime } from '#server/domain/usage/usages.js'

const at = '2026-11-16T12:00:00.000Z'
const priceOf = (kind: Price['kind'], model: string, inputTokens = 1) =>
  defaultPriceOf(kind, { model, at, inputTokens })

describe('the price of a model [USE-5]', () => {
  test.each([
    ['openai', 'gpt-realtime-2.1', { textInput: 4, textOutput: 24, cachedAudioInput: 0.4, audioOutput: 64 }],
    ['azure-openai', 'gpt-realtime', { audioInput: 32 }],
    ['google', 'gemini-3.8-live', { textInput: 0.75, audioInput: 3, textOutput: 4.5, audioOutput: 12 }],
    [
      'anthropic',
      'claude-sonnet-4-5-20250929',
      { textInput: 3, cacheWriteTextInput: 3.75, cachedTextInput: 0.3 },
    ],
  ] as const)('is built in for %s %s', (kind, model, perMillion) => {
    expect(priceOf(kind, model)?.perMillion).toMatchObject(perMillion)
  })

  test.each([
    ['openai', 'gpt-live-1', 3],
    ['xai', 'grok-voice-latest', 4.8],
    ['xai', 'grok-voice-think-fast-2.0', 4.8],
  ] as const)('is built in per hour for %s %s', (kind, model, perHour) => {
    expect(priceOf(kind, model)?.perHour).toBe(perHour)
  })

  test.each([
    ['azure-voice-live', 'gpt-realtime'],
    ['qwen', 'qwen3.8-omni-flash-realtime'],
    ['google', 'gemini-3.8-live-extended-thinking'],
  ] as const)('is unknown for %s %s, whose list was not found', (kind, model) => {
    expect(priceOf(kind, model)).toBeNull()
  })

  test('is the price of long requests above its number of input tokens', () => {
    expect(priceOf('anthropic', 'claude-sonnet-4-5', 200_000)?.perMillion.textInput).toBe(3)
    expect(priceOf('anthropic', 'claude-sonnet-4-5', 200_001)?.perMillion.textInput).toBe(6)
  })

  test('is unknown for unknown models and for models at other providers', () => {
    expect(priceOf('openai', 'gpt-realtime-77')).toBeNull()
    expect(priceOf('openai-compatible', 'gpt-5-mini')).toBeNull()
  })

  test('has at most six decimals, wherever it comes from', () => {
    const prices = defaultPrices.flatMap(({ perMillion, perHour }) => [...Object.values(perMillion), perHour])
    expect(prices.filter((price) => price !== null && price !== Number(price.toFixed(6)))).toEqual([])
  })

  test('is the latest valid price with the most specific name', () => {
    const price = (model: string, validFrom: string): Price => ({
      ...{ kind: 'openai', model, validFrom, aboveInputTokens: 0, perHour: null },
      perMillion: { ...noPrices, textInput: 1 },
    })
    const prices = [
      price('*', '2026-01-01T00:00:00.000Z'),
      price('gpt-*', '2026-01-01T00:00:00.000Z'),
      price('gpt-5', '2026-01-01T00:00:00.000Z'),
      price('gpt-5', '2026-02-01T00:00:00.000Z'),
      price('gpt-5', '2027-02-01T00:00:00.000Z'),
    ]
    const chosen = (model: string) => {
      const found = choosePrice(prices, { model, at, inputTokens: 1 })
      return found && [found.model, found.validFrom.slice(0, 7)]
    }
    expect(chosen('gpt-5')).toEqual(['gpt-5', '2026-02'])
    expect(chosen('gpt-5-mini')).toEqual(['gpt-*', '2026-01'])
    expect(chosen('claude')).toEqual(['*', '2026-01'])
  })
})

const noPrices = {
  ...{ textInput: null, textOutput: null, audioInput: null, audioOutput: null, imageInput: null },
  ...{ cachedTextInput: null, cachedAudioInput: null, cachedImageInput: null, cacheWriteTextInput: null },
}

describe('priceUse [USE-6]', () => {
  test('counts each token once and prices cached tokens separately', () => {
    const price = priceOf('anthropic', 'claude-sonnet-4-5')
    const tokens = {
      ...noTokens,
      textInput: 1000,
      cachedTextInput: 300,
      cacheWriteTextInput: 200,
      textOutput: 10,
    }
    const { cost, unpricedTokens } = priceUse(price, { tokens, audioMilliseconds: 0 })
    expect(Number(moneyText(cost))).toBe((500 * 3 + 300 * 0.3 + 200 * 3.75 + 10 * 15) / 1e6)
    expect(unpricedTokens).toBe(0)
  })

  test('leaves usage without a price unpriced and never counts it as free', () => {
    const hourly = priceOf('openai', 'gpt-transcribe')
    const spoken = { ...noTokens, audioInput: 13, textOutput: 9 }
    expect(priceUse(hourly, { tokens: spoken, audioMilliseconds: 0 })).toEqual({
      ...{ cost: 0n, isPriced: false, unpricedTokens: 22, unpricedMilliseconds: 0 },
    })
    expect(moneyText(priceUse(hourly, { tokens: noTokens, audioMilliseconds: 3_600_000 }).cost)).toBe(
      '0.270000000000',
    )
    const text = priceOf('openai', 'gpt-5-mini')
    expect(
      priceUse(text, { tokens: { ...noTokens, audioOutput: 5, textInput: 4 }, audioMilliseconds: 9 }),
    ).toEqual({
      ...{ cost: countedMoney('0.000001'), isPriced: true, unpricedTokens: 5, unpricedMilliseconds: 9 },
    })
    expect(priceUse(null, { tokens: spoken, audioMilliseconds: 5 })).toMatchObject({
      isPriced: false,
      unpricedTokens: 22,
    })
  })
})

describe('priceUse with a price for time only [USE-6]', () => {
  const hourly = priceOf('xai', 'grok-voice-latest')
  const tokens = { ...noTokens, textInput: 10, audioInput: 146, audioOutput: 185 }

  test('charges audio by its duration and its tokens not again', () => {
    const { cost, ...rest } = priceUse(hourly, { tokens, audioMilliseconds: 3000 })
    expect(cost).toBe(countedMoney('0.004'))
    expect(rest).toEqual({ isPriced: true, unpricedTokens: 0, unpricedMilliseconds: 0 })
  })

  test('leaves tokens without a duration unpriced', () => {
    expect(priceUse(hourly, { tokens, audioMilliseconds: 0 })).toEqual({
      ...{ cost: 0n, isPriced: false, unpricedTokens: 341, unpricedMilliseconds: 0 },
    })
  })
})

describe('splitTime [USE-4]', () => {
  const now = new Date('2026-11-16T12:00:00.000Z')
  const split = (from: string, to: string) =>
    splitTime({ from: new Date(from), to: new Date(to), now, recordDays: 90 })

  test('splits a period into whole days and parts of days at its ends', () => {
    expect(split('2026-11-10T06:00:00Z', '2026-11-13T18:00:00Z')).toMatchObject({
      days: { from: '2026-11-11', to: '2026-11-13' },
      parts: [
        { from: '2026-11-10T06:00:00.000Z', to: '2026-11-11T00:00:00.000Z' },
        { from: '2026-11-13T00:00:00.000Z', to: '2026-11-13T18:00:00.000Z' },
      ],
    })
    expect(split('2026-11-10T00:00:00Z', '2026-11-11T00:00:00Z')).toMatchObject({
      days: { from: '2026-11-10', to: '2026-11-11' },
      parts: [],
    })
    expect(split('2026-11-10T06:00:00Z', '2026-11-10T07:00:00Z').parts).toHaveLength(1)
  })

  test('counts today as whole up to now, and whole days if their records were deleted', () => {
    expect(split('2026-11-16T00:00:00Z', now.toISOString())).toMatchObject({
      days: { from: '2026-11-16', to: '2026-11-17' },
      parts: [],
    })
    expect(split('2026-01-10T06:00:00Z', '2026-01-12T06:00:00Z')).toEqual({
      days: { from: '2026-01-10', to: '2026-01-13' },
      parts: [],
      used: { from: '2026-01-10T00:00:00.000Z', to: '2026-01-13T00:00:00.000Z' },
    })
  })
})
