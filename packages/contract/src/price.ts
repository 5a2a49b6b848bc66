import { z } from 'zod'
import { ConnectionKind } from './connection.js'
import { Currency } from './cost.js'
import { answeredMoment, moment, nonBlankText, sixDecimals } from './field.js'
import { writable } from './writable.js'

/** The maximum number of own prices. One row is one model from one time on. */
export const maxPrices = 500

const price = (of: string) =>
  sixDecimals(z.number().min(0).max(1_000_000)).nullable().default(null).describe(of)

const tokens = (of: string, otherwise = 'not known') =>
  price(`The price per million tokens of ${of}. Null: ${otherwise}.`)

const perMillion = z.strictObject({
  textInput: tokens('text input'),
  textOutput: tokens('text output'),
  audioInput: tokens('audio input'),
  audioOutput: tokens('audio output'),
  imageInput: tokens('image input'),
  cachedTextInput: tokens('cached text input', 'the price of textInput'),
  cachedAudioInput: tokens('cached audio input', 'the price of audioInput'),
  cachedImageInput: tokens('cached image input', 'the price of imageInput'),
  cacheWriteTextInput: tokens('text written to a cache', 'the price of textInput'),
})

const nothingPriced = perMillion.parse({})

const priceFields = {
  kind: ConnectionKind.describe('The kind of connections that the price applies to.'),
  model: nonBlankText(200)
    .regex(/^[^*]*\*?$/, { error: 'may have a * only at its end' })
    .describe(
      'The model name of the connection (Azure: the deployment), or a prefix followed by `*`. The longest match applies.',
    ),
  aboveInputTokens: z
    .int()
    .min(0)
    .max(1_000_000_000)
    .default(0)
    .describe('Applies to responses with more input tokens than this. Long requests may have another price.'),
  perMillion: perMillion.default(nothingPriced).describe('Prices per million tokens.'),
  perHour: price('The price per hour of audio, if billed by time. Null: unknown.'),
}

export const Price = z
  .object({
    ...priceFields,
    validFrom: answeredMoment().describe('When the price takes effect (UTC).'),
  })
  .meta({ id: 'Price', description: 'The price of a model from a given time on.' })

const readOnlyFields = ['updatedAt', 'defaults']

export const PriceList = z
  .object({
    currency: Currency,
    items: z
      .array(Price)
      .describe("The organization's own prices. A matching one replaces the built-in price."),
    updatedAt: answeredMoment().nullable().describe('When they last changed. Null: there are none.'),
    defaults: z
      .object({
        date: z.iso.date().describe('When they were collected.'),
        source: z.string().describe('Their source.'),
        items: z.array(Price).describe('The prices.'),
      })
      .describe('The built-in prices, for models without an own price.'),
  })
  .meta({ id: 'PriceList', description: 'The prices of models.' })

export const PriceListInput = writable(
  {
    currency: Currency.default('USD'),
    items: z
      .array(
        z.strictObject({
          ...priceFields,
          validFrom: moment()
            .default('1970-01-01T00:00:00.000Z')
            .describe('When the price takes effect. Earlier usage keeps its cost.'),
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
              message: `has the same kind, model and time as items[${first}]`,
            })
        })
      })
      .describe('All prices of the organization.'),
  },
  readOnlyFields,
).meta({
  id: 'PriceListInput',
  description: "The organization's own prices. They replace the existing ones.",
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
