import { z } from 'zod'
import { agentInputFields } from './agent.js'
import { budgetInputFields } from './budget.js'
import { connectionInputFields } from './connection.js'
import { id, nonBlankText } from './field.js'
import { ExternalId } from './kept-in-files.js'
import { webhookInputFields } from './webhook.js'

/*
 * The files that `parley export` writes and `parley plan` and `parley apply` read. They say what the API says, but that
 * resources are called by their external ids: entries stand under theirs, and name one another by them.
 */

const reference = (what: string) =>
  ExternalId.describe(`${what}, by its external id in these files or in the organization, or by its id.`)

const references = (what: string, max: number) =>
  z
    .array(ExternalId)
    .max(max)
    .refine((names) => new Set(names).size === names.length, { error: 'names one twice' })
    .default([])
    .describe(`${what}, by their external ids in these files or in the organization, or by their ids.`)

const adopted = {
  id: id()
    .optional()
    .describe(
      'The id of one that has no external id yet: it is given this one, instead of being made a second time. Not needed afterwards.',
    ),
}

/** In the files it stands elsewhere, or under another name. */
const kept = { externalId: true, managedBy: true } as const

export const ConnectionEntry = z
  .strictObject(connectionInputFields)
  .omit({ ...kept, chatConnectionId: true })
  .extend({
    ...adopted,
    apiKey: connectionInputFields.apiKey.describe(
      `The provider's key, as \`\${env:NAME}\`: it is read from the environment when it is sent. Left out, what is stored stays; null clears it.`,
    ),
    chatConnection: reference('For kind `embedded`: the connection whose text model the engine speaks for')
      .nullable()
      .default(null),
  })
  .meta({ id: 'ConnectionEntry', description: 'A model provider and how to reach it.' })

export const AgentEntry = z
  .strictObject(agentInputFields)
  .omit({ ...kept, connectionId: true, subAgentIds: true })
  .extend({
    ...adopted,
    connection: reference("The model connection; null: the organization's default").nullable().default(null),
    subAgents: references('Agents that this one can ask, as tools', 32),
  })
  .meta({ id: 'AgentEntry', description: 'An agent: instructions, a model and tools.' })

export const WebhookEntry = z
  .strictObject(webhookInputFields)
  .omit({ ...kept, agentIds: true })
  .extend({
    ...adopted,
    agents: references('Only events of these agents; empty: all events, those of no agent included', 100),
  })
  .meta({ id: 'WebhookEntry', description: 'An address that is told what happens.' })

export const BudgetEntry = z
  .strictObject(budgetInputFields)
  .omit({ ...kept, agentId: true })
  .extend({
    ...adopted,
    agent: reference('The agent it is for; sub-agents count for themselves').nullable().default(null),
  })
  .meta({ id: 'BudgetEntry', description: 'How much an organization, an agent or a key may use.' })

const entries = <Entry extends z.ZodType>(entry: Entry, what: string) =>
  z.record(ExternalId, entry).default({}).describe(`${what}, under their external ids.`)

export const AgentsFile = z
  .strictObject({
    set: nonBlankText(100)
      .optional()
      .describe(
        'What these files are called together. What is applied is marked with it; what they no longer name is deleted by `parley apply --prune` where it has this mark. One of the files must say it.',
      ),
    connections: entries(ConnectionEntry, 'Model connections'),
    agents: entries(AgentEntry, 'Agents'),
    webhooks: entries(WebhookEntry, 'Webhooks'),
    budgets: entries(BudgetEntry, 'Budgets'),
  })
  .meta({
    title: 'Agents as code',
    description: 'Agents, connections, webhooks and budgets of one organization, for `parley apply`.',
  })

export type ConnectionEntry = z.output<typeof ConnectionEntry>
export type AgentEntry = z.output<typeof AgentEntry>
export type WebhookEntry = z.output<typeof WebhookEntry>
export type BudgetEntry = z.output<typeof BudgetEntry>
export type AgentsFile = z.output<typeof AgentsFile>

/** Where the service publishes the JSON schema of these files. */
export const agentsFileSchemaPath = '/schema/agents.json'

/** The JSON schema that editors complete and check these files with. */
export function buildAgentsFileSchema(): object {
  return z.toJSONSchema(AgentsFile, {
    io: 'input',
    override: ({ jsonSchema }) => {
      // An address may come out of the environment, wholly or in part.
      if (jsonSchema.format === 'uri') delete jsonSchema.format
      for (const [name, property] of Object.entries(jsonSchema.properties ?? {}))
        if (typeof property === 'object' && property.readOnly === true) delete jsonSchema.properties?.[name]
    },
  })
}
