import { z } from 'zod'
import { agentInputFields, fallbackFields, maxFallbacks } from './agent.js'
import { budgetInputFields } from './budget.js'
import { connectionInputFields } from './connection.js'
import { id, nonBlankText } from './field.js'
import { ExternalId } from './managed-fields.js'
import { phoneConnectionInputFields } from './phone-connection.js'
import { phoneNumberInputFields } from './phone-number.js'
import { webhookInputFields } from './webhook.js'

/*
 * The files that `parley export` writes and that `parley plan` and `parley apply` read. They have the same fields as the API.
 * The key of an entry is the external ID of the resource. Entries refer to each other by external ID.
 */

const reference = (what: string) =>
  ExternalId.describe(`${what} Use an external ID from these files or from the organization, or an ID.`)

const references = (what: string, max: number) =>
  z
    .array(ExternalId)
    .max(max)
    .refine((names) => new Set(names).size === names.length, { error: 'must not contain duplicates' })
    .default([])
    .describe(`${what} Use external IDs from these files or from the organization, or IDs.`)

const adoptedResource = {
  id: id()
    .optional()
    .describe(
      'The ID of an existing resource that has no external ID. `parley apply` sets the external ID of this resource instead of creating a new one. It can be removed afterwards.',
    ),
}

/** Fields that the files represent differently. */
const managedFieldNames = { externalId: true, managedBy: true } as const

export const ConnectionEntry = z
  .strictObject(connectionInputFields)
  .omit({ ...managedFieldNames, chatConnectionId: true })
  .extend({
    ...adoptedResource,
    apiKey: connectionInputFields.apiKey.describe(
      `The API key of the provider, as a reference to an environment variable: \`\${env:NAME}\`. If omitted, the stored key is kept. If \`null\`, the stored key is deleted.`,
    ),
    chatConnection: reference(
      'The connection whose text model the built-in engine uses. Only for kind `embedded`. If `null`, the built-in demo model is used.',
    )
      .nullable()
      .default(null),
  })
  .meta({ id: 'ConnectionEntry', description: 'A connection to a model provider.' })

export const AgentEntry = z
  .strictObject(agentInputFields)
  .omit({ ...managedFieldNames, connectionId: true, subAgentIds: true, realtimeFallbacks: true })
  .extend({
    ...adoptedResource,
    connection: reference(
      'The connection to the model provider. If `null`, the default connection of the organization is used.',
    )
      .nullable()
      .default(null),
    realtimeFallbacks: z
      .array(z.strictObject({ connection: reference('The connection.'), ...fallbackFields }))
      .max(maxFallbacks)
      .default([])
      .describe(
        'The realtime models that are tried in this order if the connection of the agent cannot start a session.',
      ),
    subAgents: references('The agents that this agent can ask. The model sees each of them as a tool.', 32),
  })
  .meta({ id: 'AgentEntry', description: 'An agent: instructions, a model and tools.' })

export const WebhookEntry = z
  .strictObject(webhookInputFields)
  .omit({ ...managedFieldNames, agentIds: true })
  .extend({
    ...adoptedResource,
    agents: references(
      'The agents whose events are sent. If empty, all events are sent, including events without an agent.',
      100,
    ),
  })
  .meta({ id: 'WebhookEntry', description: 'An endpoint that receives events.' })

export const BudgetEntry = z
  .strictObject(budgetInputFields)
  .omit({ ...managedFieldNames, agentId: true })
  .extend({
    ...adoptedResource,
    agent: reference(
      'The agent to which the budget applies. The usage of its sub-agents is not included. If `null`, the budget is not limited to an agent.',
    )
      .nullable()
      .default(null),
  })
  .meta({
    id: 'BudgetEntry',
    description: 'A limit on the usage of an organization, an agent or an API key.',
  })

const phoneSecret = (field: 'secret' | 'webhookSecret', what: string) =>
  phoneConnectionInputFields[field].describe(
    `${what}, as a reference to an environment variable: \`\${env:NAME}\`. If omitted, the stored value is kept. If \`null\`, it is deleted.`,
  )

export const PhoneConnectionEntry = z
  .strictObject(phoneConnectionInputFields)
  .omit(managedFieldNames)
  .extend({
    ...adoptedResource,
    secret: phoneSecret('secret', 'The secret of the account'),
    webhookSecret: phoneSecret('webhookSecret', "The key or secret that verifies the provider's webhooks"),
  })
  .meta({ id: 'PhoneConnectionEntry', description: 'An account at a telephone provider or exchange.' })

export const PhoneNumberEntry = z
  .strictObject(phoneNumberInputFields)
  .omit({ ...managedFieldNames, phoneConnectionId: true, agentId: true })
  .extend({
    ...adoptedResource,
    phoneConnection: reference('The phone connection that the number belongs to. Calls need one.')
      .nullable()
      .default(null),
    agent: reference('The agent that answers calls to the number. If `null`, they are rejected.')
      .nullable()
      .default(null),
  })
  .meta({ id: 'PhoneNumberEntry', description: 'A telephone number and the agent that answers it.' })

const entries = <Entry extends z.ZodType>(entry: Entry, what: string) =>
  z.record(ExternalId, entry).default({}).describe(`${what}, by external ID.`)

export const AgentsFile = z
  .strictObject({
    set: nonBlankText(100)
      .optional()
      .describe(
        'The name of this file set. At least one file of the set must contain it. `parley apply` stores it in the `managedBy` field of the resources. `parley apply --prune` deletes the resources of the set that are no longer in the files.',
      ),
    connections: entries(ConnectionEntry, 'The connections to model providers'),
    agents: entries(AgentEntry, 'The agents'),
    webhooks: entries(WebhookEntry, 'The webhooks'),
    budgets: entries(BudgetEntry, 'The budgets'),
    phoneConnections: entries(PhoneConnectionEntry, 'The phone connections'),
    phoneNumbers: entries(PhoneNumberEntry, 'The phone numbers'),
  })
  .meta({
    title: 'Agents as code',
    description:
      'Agents, connections, webhooks, budgets, phone connections and phone numbers of one organization, for `parley apply`.',
  })

export type ConnectionEntry = z.output<typeof ConnectionEntry>
export type AgentEntry = z.output<typeof AgentEntry>
export type WebhookEntry = z.output<typeof WebhookEntry>
export type BudgetEntry = z.output<typeof BudgetEntry>
export type PhoneConnectionEntry = z.output<typeof PhoneConnectionEntry>
export type PhoneNumberEntry = z.output<typeof PhoneNumberEntry>
export type AgentsFile = z.output<typeof AgentsFile>

/** The path at which the service publishes the JSON schema of these files. */
export const agentsFileSchemaPath = '/schema/agents.json'

/** Builds the JSON schema that editors use for completion and validation. */
export function buildAgentsFileSchema(): object {
  return z.toJSONSchema(AgentsFile, {
    io: 'input',
    override: ({ jsonSchema }) => {
      // A URL may contain references to environment variables.
      if (jsonSchema.format === 'uri') delete jsonSchema.format
      for (const [name, property] of Object.entries(jsonSchema.properties ?? {}))
        if (typeof property === 'object' && property.readOnly === true) delete jsonSchema.properties?.[name]
    },
  })
}
