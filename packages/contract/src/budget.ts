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
      .describe('Money, in US dollars; what has no price does not count.'),
    tokens: z
      .int()
      .min(1)
      .max(1_000_000_000_000_000)
      .nullable()
      .optional()
      .describe('Tokens of every kind; those from caches count like the others.'),
  })
  .describe('How much may be used in one period: an amount of money, or a number of tokens.')

export const budgetInputFields = {
  name: nonBlankText(200).describe('The name people see, and refusals tell.'),
  agentId: id().nullable().default(null).describe('The agent it is for; sub-agents count for themselves.'),
  apiKeyId: id()
    .nullable()
    .default(null)
    .describe('The key it is for; with agentId null as well it is for the organization.'),
  period: z.enum(['day', 'month']).describe('A day or a calendar month, both in UTC.'),
  limit,
  warnAtPercent: z
    .int()
    .min(1)
    .max(100)
    .default(80)
    .describe('At how many percent of the limit a warning is recorded.'),
  onExceeded: z
    .enum(['refuse', 'end'])
    .default('refuse')
    .describe(
      'What happens when the limit is reached. Both refuse new sessions, questions and task runs, and a turn ends after its step; sessions that run may finish (refuse), or are told and ended (end).',
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
      message: 'must be null where agentId is given: a budget is for one of them',
    })
  const limits = Object.values(budget.limit).filter((one) => typeof one === 'number')
  if (limits.length !== 1)
    context.addIssue({
      code: 'custom',
      path: ['limit'],
      message: 'must have an amount or tokens, one of the two',
    })
}

const example = { name: 'All of it', period: 'month', limit: { amount: 500 } }

export const BudgetInput = writable(budgetInputFields, readOnlyFields)
  .superRefine(checkFields)
  .meta({
    id: 'BudgetInput',
    description: 'A budget as it is created or replaced.',
    examples: [example],
  })

const { externalId: _, ...upsertFields } = budgetInputFields

export const BudgetUpsert = writable(upsertFields, [...readOnlyFields, 'externalId'])
  .superRefine(checkFields)
  .meta({
    id: 'BudgetUpsert',
    description: 'A budget as it is created or replaced under its external id, which stands in the path.',
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
      .describe('How much may be used in one period: an amount of money, or a number of tokens.'),
    spent: z
      .object({
        amount: z.number().describe('Money, of what has a price.'),
        currency: Currency,
        tokens: z.int().describe('Tokens of every kind.'),
        unpricedTokens: z.int().describe('Tokens that have no price, and are not in the amount.'),
        percent: z.number().describe('How much of the limit that is, in percent.'),
      })
      .describe('What was used in the period that runs.'),
    state: z.enum(['open', 'warning', 'exceeded']).describe('Whether there is room, little of it, or none.'),
    periodStartsAt: answeredMoment().describe('When the period that runs began (UTC).'),
    resetsAt: answeredMoment().describe('When the next one begins (UTC).'),
  })
  .meta({ id: 'Budget', description: 'How much an organization, an agent or a key may use.' })

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
