import { z } from 'zod'

/** The currency of prices and costs. */
export const Currency = z.literal('USD').describe('The currency.')

export const Cost = z
  .object({
    amount: z
      .number()
      .nullable()
      .describe(
        'The cost of the usage that has a price. `null` if there was usage, but none of it has a price.',
      ),
    currency: Currency,
    unpricedTokens: z
      .int()
      .describe('The number of tokens without a price. They are not included in `amount`.'),
    unpricedSeconds: z
      .number()
      .describe(
        'The duration of the audio that is billed by time but has no price, in seconds. It is not included in `amount`.',
      ),
    unknownResponses: z
      .int()
      .describe(
        'The number of responses for which the provider did not report usage. They are not included in any other field.',
      ),
  })
  .meta({
    id: 'Cost',
    description:
      'The cost of usage. `amount` is complete if `unpricedTokens`, `unpricedSeconds` and `unknownResponses` are 0. Otherwise it is a lower bound.',
  })

export type Cost = z.output<typeof Cost>

/** The cost if there was no usage. */
export const noCost: Cost = {
  amount: 0,
  currency: 'USD',
  unpricedTokens: 0,
  unpricedSeconds: 0,
  unknownResponses: 0,
}

/** The cost of usage that was never counted. */
export const unknownCost: Cost = { ...noCost, amount: null }
