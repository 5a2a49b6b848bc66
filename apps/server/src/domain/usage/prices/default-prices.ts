import { ConnectionKind, type Price } from '@parley/contract'
import { choosePrice, type PricedModel } from './choose-price.js'
import { defaultPriceLines } from './default-price-lines.js'

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

/** The prices that come with the service. */
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
