import { z } from 'zod'
import { Currency } from './cost.js'
import { id, nonBlankText, resourceFields, sixDecimals, timestamp } from './field.js'
import { managedFields } from './managed-fields.js'
import { pageOf, pageQuery } from './page.js'
import { patchable, writable } from './writable.js'

const limit = z
  .strictObject({
    amount: sixDecimals(z.number().min(0.000_001).max(1_000_000_000))
      .nullable()
      .optional()
      .describe('The limit in US dollars. Usage without a price is not counted.'),
    tokens: z
      .int()
      .min(1)
      .max(1_000_000_000_000_000)
      .nullable()
      .optional()
      .describe('The limit in tokens. All kinds of tokens are counted, including cached tokens.'),
  })
  .describe('The limit per period. Either `amount` or `tokens` is set.')

export const budgetInputFields = {
  name: nonBlankText(200).describe('The name of the budget, which appears in error messages.'),
  agentId: id()
    .nullable()
    .default(null)
    .describe(
      'The ID of the agent to which the budget applies. The usage of its sub-agents is not included. If `null`, the budget is not limited to an agent.',
    ),
  apiKeyId: id()
    .nullable()
    .default(null)
    .describe(
      'The ID of the API key to which the budget applies. If `agentId` and `apiKeyId` are `null`, the budget applies to the whole organization.',
    ),
  period: z
    .enum(['day', 'month'])
    .describe('The period of the budget: a calendar day or a calendar month (UTC).'),
  limit,
  warnAtPercent: z
    .int()
    .min(1)
    .max(100)
    .default(80)
    .describe('The percentage of the limit at which a warning is triggered.'),
  onExceeded: z
    .enum(['refuse', 'end'])
    .default('refuse')
    .describe(
      'The action when the limit is exceeded. Both actions reject new realtime sessions, questions and task runs, and stop turns after their current step. `refuse` lets active realtime sessions finish. `end` notifies their clients and closes them.',
    ),
  ...managedFields,
}

const readOnlyFields = [...Object.keys(resourceFields), 'spent', 'state', 'periodStartsAt', 'resetsAt']

type Checked = Pick<z.output<z.ZodObject<typeof budgetInputFields>>, 'agentId' | 'apiKeyId' | 'limit'>

function checkFields(budget: Checked, context: z.RefinementCtx): void {
  if (budget.agentId !== null && budget.apiKeyId !== null)
    context.addIssue({
      code: 'custom',
      path: ['apiKeyId'],
      message: 'must be null if agentId is set',
    })
  const limits = Object.values(budget.limit).filter((one) => typeof one === 'number')
  if (limits.length !== 1)
    context.addIssue({
      code: 'custom',
      path: ['limit'],
      message: 'must have either amount or tokens, but not both',
    })
}

const example = { name: 'Monthly organization budget', period: 'month', limit: { amount: 500 } }

export const BudgetInput = writable(budgetInputFields, readOnlyFields)
  .superRefine(checkFields)
  .meta({
    id: 'BudgetInput',
    description: 'The parameters for creating or replacing a budget.',
    examples: [example],
  })

const { externalId: _, ...upsertFields } = budgetInputFields

export const BudgetUpsert = writable(upsertFields, [...readOnlyFields, 'externalId'])
  .superRefine(checkFields)
  .meta({
    id: 'BudgetUpsert',
    description:
      'The parameters for creating or replacing a budget by its external ID, which is part of the path.',
    examples: [example],
  })

export const BudgetPatch = patchable(budgetInputFields, readOnlyFields).meta({
  id: 'BudgetPatch',
  description: 'A merge patch for a budget.',
  examples: [{ limit: { amount: 800 } }],
})

export const Budget = z
  .object({
    ...resourceFields,
    ...budgetInputFields,
    limit: z
      .object({
        amount: z.number().optional().describe('The limit in US dollars.'),
        tokens: z.int().optional().describe('The limit in tokens of all kinds.'),
      })
      .describe('The limit per period. Either `amount` or `tokens` is set.'),
    spent: z
      .object({
        amount: z.number().describe('The cost of the usage that has a price.'),
        currency: Currency,
        tokens: z.int().describe('The number of used tokens of all kinds.'),
        unpricedTokens: z
          .int()
          .describe('The number of tokens without a price. They are not included in `amount`.'),
        percent: z.number().describe('The used percentage of the limit.'),
      })
      .describe('The usage in the current period.'),
    state: z
      .enum(['open', 'warning', 'exceeded'])
      .describe(
        'The state of the budget. `open`: below the warning threshold. `warning`: the warning threshold is reached. `exceeded`: the budget is used up.',
      ),
    periodStartsAt: timestamp().describe('When the current period started (UTC).'),
    resetsAt: timestamp().describe('When the next period starts (UTC).'),
  })
  .meta({ id: 'Budget', description: 'A limit on the usage of an organization, an agent or an API key.' })

export const BudgetPage = pageOf(Budget, 'Budget')

export const BudgetListQuery = z.strictObject({
  ...pageQuery,
  AgentId: id().optional().describe('Only return budgets of this agent.'),
  ApiKeyId: id().optional().describe('Only return budgets of this API key.'),
})

export type Budget = z.output<typeof Budget>
export type BudgetInput = z.output<typeof BudgetInput>
export type BudgetUpsert = z.output<typeof BudgetUpsert>
export type BudgetPatch = z.output<typeof BudgetPatch>
export type BudgetListQuery = z.output<typeof BudgetListQuery>
