import { z } from 'zod'
import { ConnectionKind } from './connection.js'
import { Currency } from './cost.js'
import { nonBlankText, sixDecimals, timestamp, timestampInput } from './field.js'
import { writable } from './writable.js'

/** The maximum number of custom prices of an organization. */
export const maxPrices = 500

const price = (description: string) =>
  sixDecimals(z.number().min(0).max(1_000_000)).nullable().default(null).describe(description)

const tokens = (kind: string, fallback = '`null` if it is unknown.') =>
  price(`The price per million ${kind}. ${fallback}`)

const sameAs = (field: string) => `If \`null\`, the price of \`${field}\` applies.`

const perMillion = z.strictObject({
  textInput: tokens('text input tokens'),
  textOutput: tokens('text output tokens'),
  audioInput: tokens('audio input tokens'),
  audioOutput: tokens('audio output tokens'),
  imageInput: tokens('image input tokens'),
  cachedTextInput: tokens('cached text input tokens', sameAs('textInput')),
  cachedAudioInput: tokens('cached audio input tokens', sameAs('audioInput')),
  cachedImageInput: tokens('cached image input tokens', sameAs('imageInput')),
  cacheWriteTextInput: tokens('text input tokens written to a cache', sameAs('textInput')),
})

const noPrices = perMillion.parse({})

const priceFields = {
  kind: ConnectionKind.describe('The kind of the connections to which the price applies.'),
  model: nonBlankText(200)
    .regex(/^[^*]*\*?$/, { error: 'must not contain * except at the end' })
    .describe(
      'The name of the model (for Azure, of the deployment), or a prefix followed by `*`. The longest matching name applies.',
    ),
  aboveInputTokens: z
    .int()
    .min(0)
    .max(1_000_000_000)
    .default(0)
    .describe(
      'The price applies to responses with more input tokens than this. Use this for models whose price depends on the length of the input.',
    ),
  perMillion: perMillion.default(noPrices).describe('The prices per million tokens.'),
  perHour: price('The price per hour of audio that is billed by time. `null` if it is unknown.'),
}

export const Price = z
  .object({
    ...priceFields,
    validFrom: timestamp().describe('When the price takes effect (UTC).'),
  })
  .meta({ id: 'Price', description: 'The price of a model, valid from a given time.' })

const readOnlyFields = ['updatedAt', 'defaults']

export const PriceList = z
  .object({
    currency: Currency,
    items: z
      .array(Price)
      .describe('The custom prices of the organization. They take precedence over the built-in prices.'),
    updatedAt: timestamp()
      .nullable()
      .describe('When the custom prices were last changed (UTC). `null` if there are none.'),
    defaults: z
      .object({
        date: z.iso.date().describe('The date on which the prices were collected.'),
        source: z.string().describe('The source of the prices.'),
        items: z.array(Price).describe('The built-in prices.'),
      })
      .describe('The built-in prices. They apply to models without a custom price.'),
  })
  .meta({ id: 'PriceList', description: 'The custom and built-in prices of models.' })

export const PriceListInput = writable(
  {
    currency: Currency.default('USD'),
    items: z
      .array(
        z.strictObject({
          ...priceFields,
          validFrom: timestampInput()
            .default('1970-01-01T00:00:00.000Z')
            .describe('When the price takes effect. The cost of earlier usage does not change.'),
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
              message: `must differ from items[${first}] in kind, model, aboveInputTokens or validFrom`,
            })
        })
      })
      .describe('The custom prices of the organization.'),
  },
  readOnlyFields,
).meta({
  id: 'PriceListInput',
  description: 'The custom prices of the organization. They replace all existing custom prices.',
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
