import { z } from 'zod'

/** The currency of prices and costs. */
export const Currency = z.literal('USD').describe('The currency.')

export const Cost = z
  .object({
    amount: z
      .number()
      .nullable()
      .describe('The cost of the usage that has a price. Null: there was usage, but none of it has a price.'),
    currency: Currency,
    unpricedTokens: z.int().describe('Tokens without a price. The amount does not include them.'),
    unpricedSeconds: z
      .number()
      .describe('Seconds of audio billed by time, without a price. The amount does not include them.'),
    unknownResponses: z
      .int()
      .describe('Responses for which the provider reported no usage. No figure includes them.'),
  })
  .meta({
    id: 'Cost',
    description:
      'A cost. It is complete if the three figures after the currency are 0. Otherwise it is a minimum.',
  })

export type Cost = z.output<typeof Cost>

/** The cost of no usage. */
export const noCost: Cost = {
  amount: 0,
  currency: 'USD',
  unpricedTokens: 0,
  unpricedSeconds: 0,
  unknownResponses: 0,
}

/** The cost of usage that was never counted. */
export const unknownCost: Cost = { ...noCost, amount: null }
