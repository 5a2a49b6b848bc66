import { z } from 'zod'
import { Currency } from './cost.js'
import { answeredMoment, id, nonBlankText, resourceFields, sixDecimals } from './field.js'
import { keptFields } from './kept-in-files.js'
import { pageOf, pageQuery } from './page.js'
import { patchable, writable } from './writable.js'

const limit = z
  .strictObject({
    amount: sixDecimals(z.number().min(0.000_001).max(1_000_000_000))
      .nullable()
      .optional()
      .describe('Money, in US dollars. Usage without a price does not count.'),
    tokens: z
      .int()
      .min(1)
      .max(1_000_000_000_000_000)
      .nullable()
      .optional()
      .describe('Tokens of every kind, including cached ones.'),
  })
  .describe('The limit of one period: an amount of money or a number of tokens.')

export const budgetInputFields = {
  name: nonBlankText(200).describe('The name of the budget. Error messages contain it.'),
  agentId: id()
    .nullable()
    .default(null)
    .describe('The agent that the budget limits. Sub-agents count separately.'),
  apiKeyId: id()
    .nullable()
    .default(null)
    .describe(
      'The key that the budget limits. If agentId and keyId are null, the budget limits the organization.',
    ),
  period: z.enum(['day', 'month']).describe('A day or a calendar month, in UTC.'),
  limit,
  warnAtPercent: z
    .int()
    .min(1)
    .max(100)
    .default(80)
    .describe('The percentage of the limit at which a warning is recorded.'),
  onExceeded: z
    .enum(['refuse', 'end'])
    .default('refuse')
    .describe(
      'The action at the limit. Both reject new sessions, questions and task runs, and stop a turn after its current step. `refuse` lets running sessions finish, `end` notifies and closes them.',
    ),
  ...keptFields,
}

const readOnlyFields = [...Object.keys(resourceFields), 'spent', 'state', 'periodStartsAt', 'resetsAt']

type Checked = Pick<z.output<z.ZodObject<typeof budgetInputFields>>, 'agentId' | 'apiKeyId' | 'limit'>

function checkFields(budget: Checked, context: z.RefinementCtx): void {
  if (budget.agentId !== null && budget.apiKeyId !== null)
    context.addIssue({
      code: 'custom',
      path: ['apiKeyId'],
      message: 'must be null if agentId is given',
    })
  const limits = Object.values(budget.limit).filter((one) => typeof one === 'number')
  if (limits.length !== 1)
    context.addIssue({
      code: 'custom',
      path: ['limit'],
      message: 'must have either an amount or tokens, not both',
    })
}

const example = { name: 'The whole organization', period: 'month', limit: { amount: 500 } }

export const BudgetInput = writable(budgetInputFields, readOnlyFields)
  .superRefine(checkFields)
  .meta({
    id: 'BudgetInput',
    description: 'The body that creates or replaces a budget.',
    examples: [example],
  })

const { externalId: _, ...upsertFields } = budgetInputFields

export const BudgetUpsert = writable(upsertFields, [...readOnlyFields, 'externalId'])
  .superRefine(checkFields)
  .meta({
    id: 'BudgetUpsert',
    description: 'The body that creates or replaces a budget by its external id. The id is in the path.',
    examples: [example],
  })

export const BudgetPatch = patchable(budgetInputFields, readOnlyFields).meta({
  id: 'BudgetPatch',
  description: 'A merge patch of a budget.',
  examples: [{ limit: { amount: 800 } }],
})

export const Budget = z
  .object({
    ...resourceFields,
    ...budgetInputFields,
    limit: z
      .object({
        amount: z.number().optional().describe('Money, in US dollars.'),
        tokens: z.int().optional().describe('Tokens of every kind.'),
      })
      .describe('The limit of one period: an amount of money or a number of tokens.'),
    spent: z
      .object({
        amount: z.number().describe('Money, for usage that has a price.'),
        currency: Currency,
        tokens: z.int().describe('Tokens of every kind.'),
        unpricedTokens: z.int().describe('Tokens without a price. The amount does not include them.'),
        percent: z.number().describe('The percentage of the limit that is used.'),
      })
      .describe('The usage of the current period.'),
    state: z
      .enum(['open', 'warning', 'exceeded'])
      .describe('Whether the budget has room, is nearly used up, or is used up.'),
    periodStartsAt: answeredMoment().describe('When the current period began (UTC).'),
    resetsAt: answeredMoment().describe('When the next period begins (UTC).'),
  })
  .meta({ id: 'Budget', description: 'A limit on the usage of an organization, an agent or a key.' })

export const BudgetPage = pageOf(Budget, 'Budget')

export const BudgetListQuery = z.strictObject({
  ...pageQuery,
  AgentId: id().optional().describe('Only budgets of this agent.'),
  ApiKeyId: id().optional().describe('Only budgets of this key.'),
})

export type Budget = z.output<typeof Budget>
export type BudgetInput = z.output<typeof BudgetInput>
export type BudgetUpsert = z.output<typeof BudgetUpsert>
export type BudgetPatch = z.output<typeof BudgetPatch>
export type BudgetListQuery = z.output<typeof BudgetListQuery>
