import { z } from 'zod'
import { agentInputFields } from './agent.js'
import { budgetInputFields } from './budget.js'
import { connectionInputFields } from './connection.js'
import { id, nonBlankText } from './field.js'
import { ExternalId } from './kept-in-files.js'
import { webhookInputFields } from './webhook.js'

/*
 * The files that `parley export` writes and that `parley plan` and `parley apply` read. Fields are those of the API. Resources
 * are identified by their external ids: an entry's key is its external id, and entries refer to one another by it.
 */

const reference = (what: string) =>
  ExternalId.describe(`${what}: an external id of these files or of the organization, or an id.`)

const references = (what: string, max: number) =>
  z
    .array(ExternalId)
    .max(max)
    .refine((names) => new Set(names).size === names.length, { error: 'names the same one twice' })
    .default([])
    .describe(`${what}: external ids of these files or of the organization, or ids.`)

const adopted = {
  id: id()
    .optional()
    .describe(
      'The id of an existing resource without an external id. `parley apply` gives it this external id instead of creating a second resource. Not needed afterwards.',
    ),
}

/** Fields that have another place or name in the files. */
const kept = { externalId: true, managedBy: true } as const

export const ConnectionEntry = z
  .strictObject(connectionInputFields)
  .omit({ ...kept, chatConnectionId: true })
  .extend({
    ...adopted,
    apiKey: connectionInputFields.apiKey.describe(
      `The provider's key, as \`\${env:NAME}\`. It is read from the environment when it is sent. Left out: the stored key stays. Null: the key is deleted.`,
    ),
    chatConnection: reference('For kind `embedded`: the connection whose text model answers for the engine')
      .nullable()
      .default(null),
  })
  .meta({ id: 'ConnectionEntry', description: 'A connection to a model provider.' })

export const AgentEntry = z
  .strictObject(agentInputFields)
  .omit({ ...kept, connectionId: true, subAgentIds: true })
  .extend({
    ...adopted,
    connection: reference("The model connection. Null: the organization's default connection.")
      .nullable()
      .default(null),
    subAgents: references('Agents that this one can ask, as tools', 32),
  })
  .meta({ id: 'AgentEntry', description: 'An agent: instructions, a model and tools.' })

export const WebhookEntry = z
  .strictObject(webhookInputFields)
  .omit({ ...kept, agentIds: true })
  .extend({
    ...adopted,
    agents: references(
      'Only events of these agents. Empty: all events, including those without an agent.',
      100,
    ),
  })
  .meta({ id: 'WebhookEntry', description: 'An endpoint that receives events.' })

export const BudgetEntry = z
  .strictObject(budgetInputFields)
  .omit({ ...kept, agentId: true })
  .extend({
    ...adopted,
    agent: reference('The agent that the budget limits. Sub-agents count separately.')
      .nullable()
      .default(null),
  })
  .meta({ id: 'BudgetEntry', description: 'A limit on the usage of an organization, an agent or a key.' })

const entries = <Entry extends z.ZodType>(entry: Entry, what: string) =>
  z.record(ExternalId, entry).default({}).describe(`${what}, by external id.`)

export const AgentsFile = z
  .strictObject({
    set: nonBlankText(100)
      .optional()
      .describe(
        'The name of this set of files. `parley apply` marks resources with it. `parley apply --prune` deletes marked resources that the files no longer contain. One file of the set must name it.',
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

/** Builds the JSON schema that editors use for completion and validation. */
export function buildAgentsFileSchema(): object {
  return z.toJSONSchema(AgentsFile, {
    io: 'input',
    override: ({ jsonSchema }) => {
      // An address may contain values of the environment.
      if (jsonSchema.format === 'uri') delete jsonSchema.format
      for (const [name, property] of Object.entries(jsonSchema.properties ?? {}))
        if (typeof property === 'object' && property.readOnly === true) delete jsonSchema.properties?.[name]
    },
  })
}
