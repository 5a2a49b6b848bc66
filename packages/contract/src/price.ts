import { z } from 'zod'
import { ConnectionKind } from './connection.js'
import { Currency } from './cost.js'
import { answeredMoment, moment, nonBlankText, sixDecimals } from './field.js'
import { writable } from './writable.js'

/** No organization needs more prices of its own: one model, one moment, one row. */
export const maxPrices = 500

const price = (of: string) =>
  sixDecimals(z.number().min(0).max(1_000_000)).nullable().default(null).describe(of)

const tokens = (of: string, otherwise = 'not known') =>
  price(`The price of a million tokens of ${of}; null: ${otherwise}.`)

const perMillion = z.strictObject({
  textInput: tokens('text that the model reads'),
  textOutput: tokens('text that the model writes'),
  audioInput: tokens('sound that the model hears'),
  audioOutput: tokens('sound that the model speaks'),
  imageInput: tokens('pictures that the model sees'),
  cachedTextInput: tokens('text from a cache', 'that of textInput'),
  cachedAudioInput: tokens('sound from a cache', 'that of audioInput'),
  cachedImageInput: tokens('pictures from a cache', 'that of imageInput'),
  cacheWriteTextInput: tokens('text that is put into a cache', 'that of textInput'),
})

const nothingPriced = perMillion.parse({})

const priceFields = {
  kind: ConnectionKind.describe('The kind of the connections it holds for.'),
  model: nonBlankText(200)
    .regex(/^[^*]*\*?$/, { error: 'may have a * at its end alone' })
    .describe(
      'The model as the connection names it (for Azure, the deployment), or how its name begins, with a `*` behind; the longest counts.',
    ),
  aboveInputTokens: z
    .int()
    .min(0)
    .max(1_000_000_000)
    .default(0)
    .describe(
      'Holds for responses that read more tokens than this: long ones may have a price of their own.',
    ),
  perMillion: perMillion.default(nothingPriced).describe('Prices of a million tokens.'),
  perHour: price('The price of an hour of sound, where it is paid for by the time; null: not known.'),
}

export const Price = z
  .object({
    ...priceFields,
    validFrom: answeredMoment().describe('From when it holds (UTC).'),
  })
  .meta({ id: 'Price', description: 'What a model costs, from a moment on.' })

const readOnlyFields = ['updatedAt', 'defaults']

export const PriceList = z
  .object({
    currency: Currency,
    items: z.array(Price).describe("The organization's own prices: where one matches, it counts alone."),
    updatedAt: answeredMoment().nullable().describe('When they last changed; null: there are none.'),
    defaults: z
      .object({
        date: z.iso.date().describe('When they were gathered.'),
        source: z.string().describe('Where they come from.'),
        items: z.array(Price).describe('The prices.'),
      })
      .describe('The prices that come with the service, for what the organization has no price of its own.'),
  })
  .meta({ id: 'PriceList', description: 'What models cost.' })

export const PriceListInput = writable(
  {
    currency: Currency.default('USD'),
    items: z
      .array(
        z.strictObject({
          ...priceFields,
          validFrom: moment()
            .default('1970-01-01T00:00:00.000Z')
            .describe('From when it holds; what was used before is not priced anew.'),
        }),
      )
      .max(maxPrices)
      .superRefine((items, context) => {
        const seen = new Map<string, number>()
        items.forEach(({ kind, model, aboveInputTokens, validFrom }, index) => {
          const name = JSON.stringify([kind, model, aboveInputTokens, validFrom])
          const first = seen.get(name)
          if (first === undefined) seen.set(name, index)
          else
            context.addIssue({
              code: 'custom',
              path: [index],
              message: `is for the same kind, model and moment as items[${first}]`,
            })
        })
      })
      .describe("The organization's own prices, all of them."),
  },
  readOnlyFields,
).meta({
  id: 'PriceListInput',
  description: "The organization's own prices: these take the place of those it had.",
  examples: [
    {
      currency: 'USD',
      items: [
        {
          kind: 'azure-openai',
          model: 'front-desk-deployment',
          validFrom: '2026-11-01T00:00:00Z',
          perMillion: { textInput: 0.25, cachedTextInput: 0.025, textOutput: 2 },
        },
      ],
    },
  ],
})

export type Price = z.output<typeof Price>
export type PriceList = z.output<typeof PriceList>
export type PriceListInput = z.output<typeof PriceListInput>
