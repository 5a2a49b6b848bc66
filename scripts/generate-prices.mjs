// `node scripts/generate-prices.mjs`: writes the default prices from the pinned package, and those of the providers' lists
// below. Run it after updating the package, and review the difference: its prices are not verified against the lists.
import { readFile, writeFile } from 'node:fs/promises'
import { findProvider } from '@pydantic/genai-prices'

const [date, version] = ['2026-09-23', '0.1.8']
const installed = new URL('../node_modules/@pydantic/genai-prices/package.json', import.meta.url)
const found = JSON.parse(await readFile(installed, 'utf8')).version
if (found !== version) throw new Error(`The package is ${found}: set version and date of its release here.`)

/** Maps connection kinds to the package's providers. Deployments are often named after their model. */
const providers = {
  openai: ['openai'],
  'azure-openai': ['azure', 'openai'],
  google: ['google'],
  anthropic: ['anthropic'],
  xai: ['x-ai'],
}

/** Prices that the package does not have. docs/reference/usage.md names their sources and dates. */
const listed = [
  { kind: 'openai', names: ['gpt-live-1', 'gpt-live-1-20*'], prices: { audio_hours: 3 } },
  {
    kind: 'google',
    names: ['gemini-3.8-live'],
    prices: {
      ...{ input_mtok: 0.75, output_mtok: 4.5, input_audio_mtok: 3, output_audio_mtok: 12 },
      input_image_mtok: 1,
    },
  },
]

const units = {
  input_mtok: 'textInput',
  output_mtok: 'textOutput',
  input_audio_mtok: 'audioInput',
  output_audio_mtok: 'audioOutput',
  input_image_mtok: 'imageInput',
  cache_read_mtok: 'cachedTextInput',
  cache_audio_read_mtok: 'cachedAudioInput',
  cache_image_read_mtok: 'cachedImageInput',
  cache_write_mtok: 'cacheWriteTextInput',
  input_audio_hours: 'perHour',
  audio_hours: 'perHour',
}

/**
 * The names that a rule matches, with `*` after a prefix. For dated names the prefix ends at the century. Other rules
 * are reported.
 */
function namesOf(match, id) {
  if ('or' in match) return match.or.flatMap((one) => namesOf(one, id))
  if ('equals' in match) return [match.equals]
  if ('starts_with' in match) return [`${match.starts_with}*`]
  if ('contains' in match) return [match.contains, `${match.contains}-20*`]
  const dated = /^\^([\w.\\-]+-)\\d\{(?:8\}|4\}-\\d\{2\}-\\d\{2\})\$$/.exec(match.regex ?? '')?.[1]
  if (dated !== undefined) return [`${dated.replaceAll('\\', '')}20*`]
  console.error(`left out of ${id}: ${JSON.stringify(match)}`)
  return []
}

const oneDate = (prices) => [{ from: '1970-01-01', prices }]

/** Prices by start date. Prices by time of day are left out. */
function datedPrices({ id, prices }) {
  if (!Array.isArray(prices)) return oneDate(prices)
  return prices.flatMap(({ constraint, prices: these }) => {
    if (constraint === undefined) return oneDate(these)
    if (constraint.type === 'start_date') return [{ from: constraint.start_date, prices: these }]
    console.error(`left out of ${id}: ${JSON.stringify(constraint)}`)
    return []
  })
}

/** The number of input tokens above which other prices apply. */
const thresholdsOf = (prices) => [
  ...new Set([
    0,
    ...Object.values(prices).flatMap((price) =>
      (typeof price === 'object' ? price.tiers : []).map((tier) => tier.start),
    ),
  ]),
]

/** The price above this number of input tokens. */
function priceAbove(price, threshold) {
  if (typeof price !== 'object') return price
  return price.tiers.filter((tier) => tier.start <= threshold).at(-1)?.price ?? price.base
}

function lineOf({ kind, names, from, above, prices }) {
  const known = Object.entries(units).flatMap(([unit, name]) => {
    const price = prices[unit] === undefined ? undefined : priceAbove(prices[unit], above)
    return price === undefined ? [] : [`${name}=${price}`]
  })
  return known.length === 0 ? [] : [[kind, names.join(','), from, above, known.join(',')].join(' ')]
}

const lines = Object.entries(providers).flatMap(([kind, providerIds]) => {
  const taken = new Set()
  return providerIds.flatMap((providerId) =>
    findProvider({ providerId }).models.flatMap((model) => {
      const names = namesOf(model.match, model.id).filter((name) => !taken.has(name) && !/\s|,/.test(name))
      for (const name of names) taken.add(name)
      // Vertex AI offers other providers' models too, which connections of kind google do not reach.
      const isElsewhere = kind === 'google' && !model.id.startsWith('gemini')
      if (names.length === 0 || isElsewhere) return []
      return datedPrices(model).flatMap(({ from, prices }) =>
        thresholdsOf(prices).flatMap((above) => lineOf({ kind, names, from, above, prices })),
      )
    }),
  )
})

for (const { kind, names, prices } of listed)
  lines.push(...lineOf({ kind, names, from: '1970-01-01', above: 0, prices }))

const free = [...new Set(Object.values(units))].map((name) => `${name}=0`)
lines.push(['embedded', '*', '1970-01-01', 0, free.join(',')].join(' '))

const target = new URL('../apps/server/src/domain/usage/prices/default-price-lines.ts', import.meta.url)
await writeFile(
  target,
  `// Generated by scripts/generate-prices.mjs. Columns: kind, models, first day, minimum of input tokens, prices.
export const defaultPricesDate = '${date}'
export const defaultPricesSource = '@pydantic/genai-prices ${version}, and price lists of OpenAI and Google'

export const defaultPriceLines = \`
${lines.join('\n')}
\`
`,
)
console.log(`${lines.length} prices`)
