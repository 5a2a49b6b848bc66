import { z } from 'zod'

/** What prices are given and costs are told in. */
export const Currency = z.literal('USD').describe('The currency.')

export const Cost = z
  .object({
    amount: z
      .number()
      .nullable()
      .describe('What has a price came to this; null where there was something, and none of it has a price.'),
    currency: Currency,
    unpricedTokens: z.int().describe('Tokens that have no price, and are not in the amount.'),
    unpricedSeconds: z
      .number()
      .describe('Seconds of sound, paid for by the time, that have no price, and are not in the amount.'),
    unknownResponses: z
      .int()
      .describe('Responses of which the provider did not say what they took: they are in no figure.'),
  })
  .meta({
    id: 'Cost',
    description:
      'What something cost. It is the whole cost where the three figures behind the currency are 0; otherwise at least this.',
  })

export type Cost = z.output<typeof Cost>

/** What nothing cost. */
export const noCost: Cost = {
  amount: 0,
  currency: 'USD',
  unpricedTokens: 0,
  unpricedSeconds: 0,
  unknownResponses: 0,
}

/** Of what was never counted. */
export const unknownCost: Cost = { ...noCost, amount: null }
