import {
  ConnectionKind,
  type Price,
  type PriceList,
  type PriceListInput,
  type UsageTokens,
} from '@parley/contract'
import type { Clock } from '../../../ports/time.js'
import type { OwnPrices } from '../../../ports/usage-stores.js'
import { recordChange } from '../../audit/record-change.js'
import type { CallerScope } from '../../caller-scope.js'
import { type IfMatch, requireMatch } from '../../resources/resource.js'
import { millionths } from '../cost.js'
import { defaultPriceLines, defaultPricesDate, defaultPricesSource } from './default-price-lines.js'

export type Prices = ReturnType<typeof makePrices>

/** An organization's price list, and the version for its ETag. */
type VersionedPrices = PriceList & { readonly version: number }

export function makePrices({ clock }: { readonly clock: Clock }) {
  async function read({ stores, caller }: CallerScope): Promise<VersionedPrices> {
    const own = await stores.prices.list(caller.organizationId)
    const { items, savedAt } = own
    return {
      version: versionOf(own),
      currency: 'USD',
      items: [...items],
      updatedAt: savedAt,
      defaults: { date: defaultPricesDate, source: defaultPricesSource, items: [...defaultPrices] },
    }
  }

  return {
    read,

    async replace(scope: CallerScope, ifMatch: IfMatch, { items }: PriceListInput): Promise<VersionedPrices> {
      const { stores, caller } = scope
      // The list has no row to lock, so a second writer must see the list that the first has stored.
      await stores.prices.lock(caller.organizationId)
      const own = await stores.prices.list(caller.organizationId)
      requireMatch(ifMatch, versionOf(own))
      const before = own.items
      await stores.prices.replace(caller.organizationId, items, laterThan(own, clock.now()))
      await recordChange(clock, scope, {
        action: 'price.update',
        type: 'Price',
        id: caller.organizationId,
        details: {
          before: before.length,
          after: items.length,
          models: items.slice(0, 20).map(({ model }) => model),
        },
      })
      return read(scope)
    },
  }
}

/** Returns the time of the last change. Returns 0 if there is none, because all empty lists are equal. */
function versionOf({ savedAt }: OwnPrices): number {
  return savedAt === null ? 0 : Date.parse(savedAt)
}

/**
 * Returns the current time, or a time just after the last version, because the clocks of instances may
 * differ.
 */
function laterThan(before: OwnPrices, now: Date): string {
  return new Date(Math.max(now.getTime(), versionOf(before) + 1)).toISOString()
}

/** The amounts of one usage of a model. */
export interface UsedAmount {
  readonly tokens: UsageTokens
  /** Audio that is priced by its duration. */
  readonly audioMilliseconds: number
}

export interface PricedAmount {
  /** The cost of everything that has a price, in counted money. */
  readonly cost: bigint
  /** Whether any part has a price. */
  readonly isPriced: boolean
  readonly unpricedTokens: number
  readonly unpricedMilliseconds: number
}

type Unit = keyof Price['perMillion']

const hourMilliseconds = 3_600_000n

/**
 * Returns the cost at this price. Amounts without a price are reported separately and never count as zero.
 */
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
  const timed = priceDuration(price?.perHour ?? null, audioMilliseconds)
  return {
    cost: cost + timed.cost,
    isPriced: isPriced || timed.isPriced,
    unpricedTokens: timed.isPriced && isOnlyTimed(price) ? 0 : unpricedTokens,
    unpricedMilliseconds: timed.unpricedMilliseconds,
  }
}

/** Whether a price is for time alone. The tokens of audio that was charged by its duration cost nothing more. */
function isOnlyTimed(price: Price | null): boolean {
  return price !== null && Object.values(price.perMillion).every((each) => each === null)
}

/** Returns the cost of a duration at this price per hour, or the duration as unpriced if there is no price. */
export function priceDuration(
  perHour: number | null,
  milliseconds: number,
): Omit<PricedAmount, 'unpricedTokens'> {
  if (perHour === null) return { cost: 0n, isPriced: false, unpricedMilliseconds: milliseconds }
  const cost = (BigInt(milliseconds) * millionths(perHour) * 1_000_000n) / hourMilliseconds
  return { cost, isPriced: milliseconds > 0, unpricedMilliseconds: 0 }
}

/**
 * Splits the tokens so that each one is counted once: cached tokens are subtracted from the input. For each
 * part, lists the applicable prices in order of preference.
 */
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

const units = [
  'textInput',
  'textOutput',
  'audioInput',
  'audioOutput',
  'imageInput',
  'cachedTextInput',
  'cachedAudioInput',
  'cachedImageInput',
  'cacheWriteTextInput',
] as const satisfies readonly (keyof Price['perMillion'])[]

type PerMillion = Readonly<Record<(typeof units)[number], number | null>>

/** The service's default prices. */
export const defaultPrices: readonly Price[] = defaultPriceLines.trim().split('\n').flatMap(readLine)

const ofKind = new Map(
  ConnectionKind.options.map((kind) => [kind, defaultPrices.filter((price) => price.kind === kind)]),
)

export function defaultPriceOf(kind: ConnectionKind, model: PricedModel): Price | null {
  return choosePrice(ofKind.get(kind) ?? [], model)
}

function readLine(line: string): Price[] {
  const [kind, models = '', from = '', above, prices = ''] = line.split(' ')
  const known = new Map(prices.split(',').map((price) => splitPrice(price)))
  const perMillion = Object.fromEntries(units.map((unit) => [unit, known.get(unit) ?? null])) as PerMillion
  return models.split(',').map((model) => ({
    kind: ConnectionKind.parse(kind),
    model,
    aboveInputTokens: Number(above),
    validFrom: new Date(from).toISOString(),
    perMillion,
    perHour: known.get('perHour') ?? null,
  }))
}

function splitPrice(text: string): [string, number] {
  const [unit = '', price] = text.split('=')
  return [unit, Number(price)]
}

interface PricedModel {
  readonly model: string
  readonly at: string
  readonly inputTokens: number
}

/**
 * Returns the price that applies, or null if there is none. An exact model name has precedence over a prefix,
 * and a longer prefix over a shorter one. After that, the latest date has precedence, and then the highest
 * tier of input tokens.
 */
export function choosePrice(prices: readonly Price[], { model, at, inputTokens }: PricedModel): Price | null {
  let chosen: Price | null = null
  for (const price of prices) {
    if (!matches(price.model, model) || price.validFrom > at) continue
    if (price.aboveInputTokens > 0 && inputTokens <= price.aboveInputTokens) continue
    if (chosen === null || isBetter(price, chosen)) chosen = price
  }
  return chosen
}

const isBeginning = (pattern: string) => pattern.endsWith('*')

function matches(pattern: string, model: string): boolean {
  return isBeginning(pattern) ? model.startsWith(pattern.slice(0, -1)) : model === pattern
}

function isBetter(price: Price, other: Price): boolean {
  if (price.model !== other.model) {
    if (isBeginning(price.model) !== isBeginning(other.model)) return isBeginning(other.model)
    return price.model.length > other.model.length
  }
  if (price.validFrom !== other.validFrom) return price.validFrom > other.validFrom
  return price.aboveInputTokens > other.aboveInputTokens
}
