import type { Price, PriceList, PriceListInput } from '@parley/sdk'

export type PriceName = keyof Price['perMillion']

/** The form values of a price. Empty fields have no price. */
export interface PriceDraft {
  readonly kind: Price['kind']
  readonly model: string
  readonly aboveInputTokens: number | ''
  readonly perMillion: Readonly<Record<PriceName, number | ''>>
  readonly perHour: number | ''
  /** A day. If empty, the price applies from the beginning. */
  readonly validFrom: string
}

/** Prices per million tokens, in the order of reading. */
export const priceFields: readonly {
  readonly name: PriceName
  readonly label: string
  readonly placeholder?: string
}[] = [
  { name: 'textInput', label: 'Text input' },
  { name: 'cachedTextInput', label: 'Cached text input', placeholder: 'Same as text input' },
  { name: 'cacheWriteTextInput', label: 'Text cache write', placeholder: 'Same as text input' },
  { name: 'textOutput', label: 'Text output' },
  { name: 'audioInput', label: 'Audio input' },
  { name: 'cachedAudioInput', label: 'Cached audio input', placeholder: 'as audio input' },
  { name: 'audioOutput', label: 'Audio output' },
  { name: 'imageInput', label: 'Image input' },
  { name: 'cachedImageInput', label: 'Cached image input', placeholder: 'as image input' },
]

/** The stored start that means "since the beginning". */
const beginning = '1970-01-01'

const nothing: Price['perMillion'] = {
  textInput: null,
  textOutput: null,
  audioInput: null,
  audioOutput: null,
  imageInput: null,
  cachedTextInput: null,
  cachedAudioInput: null,
  cachedImageInput: null,
  cacheWriteTextInput: null,
}

export const newPrice = (start: Partial<Pick<Price, 'kind' | 'model'>> = {}): PriceDraft =>
  draftOf({
    kind: 'openai',
    model: '',
    aboveInputTokens: 0,
    perMillion: nothing,
    perHour: null,
    validFrom: beginning,
    ...start,
  })

const orEmpty = (price: number | null): number | '' => price ?? ''
const orNull = (price: number | ''): number | null => (price === '' ? null : price)

export function draftOf({
  kind,
  model,
  aboveInputTokens,
  perMillion,
  perHour,
  validFrom,
}: Price): PriceDraft {
  const day = validFrom.slice(0, 10)
  return {
    kind,
    model,
    aboveInputTokens: aboveInputTokens === 0 ? '' : aboveInputTokens,
    perMillion: mapPrices(perMillion, orEmpty),
    perHour: orEmpty(perHour),
    validFrom: day === beginning ? '' : day,
  }
}

/** An unchanged day keeps its exact time. */
export function itemOf(draft: PriceDraft, before: Price | null) {
  const { kind, model, aboveInputTokens, perMillion, perHour, validFrom } = draft
  const isSameDay = before !== null && draftOf(before).validFrom === validFrom
  return {
    kind,
    model: model.trim(),
    aboveInputTokens: aboveInputTokens === '' ? 0 : aboveInputTokens,
    perMillion: mapPrices(perMillion, orNull),
    perHour: orNull(perHour),
    validFrom: isSameDay ? before.validFrom : `${validFrom === '' ? beginning : validFrom}T00:00:00.000Z`,
  } satisfies Price
}

function mapPrices<From, To>(prices: Readonly<Record<PriceName, From>>, change: (price: From) => To) {
  return {
    textInput: change(prices.textInput),
    textOutput: change(prices.textOutput),
    audioInput: change(prices.audioInput),
    audioOutput: change(prices.audioOutput),
    imageInput: change(prices.imageInput),
    cachedTextInput: change(prices.cachedTextInput),
    cachedAudioInput: change(prices.cachedAudioInput),
    cachedImageInput: change(prices.cachedImageInput),
    cacheWriteTextInput: change(prices.cacheWriteTextInput),
  }
}

/** The key of a price, unique in a list. */
export function priceId({ kind, model, aboveInputTokens, validFrom }: Price): string {
  return JSON.stringify([kind, model, aboveInputTokens, Date.parse(validFrom)])
}

/** Whether two prices with the same key are equal. */
export function isSamePrice(one: Price | null, other: Price | null): boolean {
  if (one === null || other === null) return one === other
  return (
    one.perHour === other.perHour &&
    priceFields.every(({ name }) => one.perMillion[name] === other.perMillion[name])
  )
}

/** The list with one price added, changed or removed. The others keep their stored values. */
export function changedList(
  { items }: PriceList,
  { before, after }: { readonly before: Price | null; readonly after: Price | null },
): PriceListInput {
  const index = before === null ? -1 : items.findIndex((item) => priceId(item) === priceId(before))
  const others = items.filter((_, other) => other !== index)
  if (after === null) return { items: others }
  return { items: index === -1 ? [...others, after] : items.toSpliced(index, 1, after) }
}

export function validateDraft(
  draft: PriceDraft,
  { before, others }: { readonly before: Price | null; readonly others: readonly Price[] },
): Readonly<Record<string, string>> {
  const { model, perMillion, perHour } = draft
  const id = priceId(itemOf(draft, before))
  const isPriced = [...Object.values(perMillion), perHour].some((price) => price !== '')
  return {
    ...(model.trim() === '' && { model: 'Model is required' }),
    ...(others.some((other) => priceId(other) === id) && {
      model: 'A price for this model, provider and date already exists',
    }),
    ...(/\*./.test(model.trim()) && { model: 'Use * only at the end' }),
    ...(!isPriced && { textInput: 'Enter at least one price. Use 0 for free.' }),
  }
}
