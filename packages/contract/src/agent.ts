import { z } from 'zod'
import { AgentTool, AgentToolInput } from './agent-tool.js'
import { retentionDays } from './conversation-retention.js'
import { httpUrl, id, nonBlankText, resourceFields, sixDecimals, text } from './field.js'
import { managedFields } from './managed-fields.js'
import { pageOf, pageQuery } from './page.js'
import { variableName } from './template.js'
import { findToolErrors } from './tool-rules.js'
import { patchable, writable } from './writable.js'

export const AgentVariable = z
  .strictObject({
    name: z
      .string()
      .regex(variableName, { error: 'must be a letter or _, then letters, digits or _' })
      .describe('The name, as in `{{name}}`.'),
    description: text(500)
      .nullable()
      .default(null)
      .describe('What the value means. `null` if there is no description.'),
    default: text(4096)
      .nullable()
      .default(null)
      .describe('The value if the caller sends none. `null` if there is no default.'),
    required: z
      .boolean()
      .default(true)
      .describe('Whether a request without a value is rejected. If `false`, the value is empty.'),
  })
  .meta({ id: 'AgentVariable', description: 'A variable of an agent.' })

/** The fields of a fallback, except the connection, which files name differently. */
export const fallbackFields = {
  model: nonBlankText(200)
    .nullable()
    .default(null)
    .describe('The realtime model. If `null`, the first realtime model of the connection is used.'),
  voice: nonBlankText(100)
    .nullable()
    .default(null)
    .describe('The voice. If `null`, the voice of the session is used.'),
  firstMessage: nonBlankText(2000)
    .nullable()
    .default(null)
    .describe(
      'The message with which the agent starts a new conversation if this fallback answers. If `null`, the first message of the agent is used.',
    ),
}

export const maxFallbacks = 3

export const RealtimeFallback = z
  .strictObject({ connectionId: id().describe('The ID of the connection.'), ...fallbackFields })
  .meta({ id: 'RealtimeFallback', description: 'A realtime model that is used if another one fails.' })

const maximum = (most: number) => z.int().min(1).max(most).nullable().optional()

export const EndUserLimits = z
  .strictObject({
    questionsPerMinute: maximum(10_000).describe(
      'The maximum number of questions in any 60 seconds. Realtime sessions and task runs are not counted.',
    ),
    concurrentSessions: maximum(10_000).describe('The maximum number of running realtime sessions.'),
    tokensPerDay: maximum(1_000_000_000_000).describe(
      'The maximum number of tokens on a calendar day (UTC), including those of sub-agents.',
    ),
    costPerDay: sixDecimals(z.number().min(0.000_001).max(1_000_000))
      .nullable()
      .optional()
      .describe(
        'The maximum cost on a calendar day (UTC) in US dollars, including that of sub-agents. Usage without a price is not counted.',
      ),
  })
  .meta({
    id: 'EndUserLimits',
    description:
      'The limits of each end user of an agent. An omitted limit, or `null`, means that there is no limit.',
  })

const plainFields = {
  name: nonBlankText(200).describe('The display name of the agent.'),
  description: text(2000)
    .nullable()
    .default(null)
    .describe('The purpose of the agent. `null` if it has no description.'),
  systemMessage: text(100_000)
    .default('')
    .describe('The system message, which contains the instructions for the model.'),
  connectionId: id()
    .nullable()
    .default(null)
    .describe(
      'The ID of the connection to the model provider. If `null`, the default connection of the organization is used.',
    ),
  model: nonBlankText(200)
    .nullable()
    .default(null)
    .describe('The text model. If `null`, the text model of the connection is used.'),
  realtimeModel: nonBlankText(200)
    .nullable()
    .default(null)
    .describe('The realtime model. If `null`, the first realtime model of the connection is used.'),
  voice: nonBlankText(100)
    .nullable()
    .default(null)
    .describe(
      'The voice of realtime sessions that do not request a voice. If `null`, `alloy` is used, `ara` for kind `xai`, `Tina` for kind `qwen`, or `Puck` for kind `google`.',
    ),
  realtimeFallbacks: z
    .array(RealtimeFallback)
    .max(maxFallbacks)
    .default([])
    .describe(
      'The realtime models that are tried in this order if the connection of the agent cannot start a session.',
    ),
  firstMessage: nonBlankText(2000)
    .nullable()
    .default(null)
    .describe(
      'The message with which the agent starts a new conversation. The agent speaks it in realtime sessions, and the playground displays it. If `null`, the agent waits for the user.',
    ),
  exampleQuestions: z
    .array(nonBlankText(200))
    .max(5)
    .default([])
    .describe('Suggested questions for starting a conversation, for example in the playground.'),
  variables: z
    .array(AgentVariable)
    .max(100)
    .refine((list) => new Set(list.map(({ name }) => name)).size === list.length, {
      error: 'must not have the same name twice',
    })
    .default([])
    .describe(
      'The variables that callers set for `{{name}}` in the instructions, first message and HTTP tools.',
    ),
  endUserLimits: EndUserLimits.default({}).describe(
    'The limits of each end user. Realtime sessions without an end user are counted by the address of the client, other requests without one are not counted.',
  ),
  memory: z
    .enum(['off', 'facts'])
    .default('off')
    .describe(
      'Whether the agent remembers its end users. If `facts`, its text model extracts short facts after each conversation, and later conversations with the same end user start with them.',
    ),
  conversationRetentionDays: retentionDays()
    .nullable()
    .default(null)
    .describe(
      'Conversations of the agent are removed this many days after their last activity. If `null`, the retention of the organization applies.',
    ),
  icon: text(200)
    .nullable()
    .default(null)
    .describe('The name of an icon, or an emoji. `null` if the agent has no icon.'),
  iconColor: text(50)
    .nullable()
    .default(null)
    .describe('The color of the icon. `null` for the default color.'),
  imageUrl: httpUrl()
    .nullable()
    .default(null)
    .describe('The URL of an image of the agent. `null` if it has none.'),
  subAgentIds: z
    .array(id())
    .max(32)
    .refine((ids) => new Set(ids).size === ids.length, { error: 'must not contain duplicates' })
    .default([])
    .describe(
      'The IDs of the agents that this agent can ask (sub-agents). The model sees each of them as a tool.',
    ),
  mcpTool: z
    .boolean()
    .default(false)
    .describe(
      'Whether the MCP server at `/mcp` offers a separate tool for this agent. Without it, MCP clients can still use the `ask_agent` tool.',
    ),
  ...managedFields,
}

export const agentInputFields = {
  ...plainFields,
  tools: z
    .array(AgentToolInput)
    .max(128)
    .superRefine((tools, context) => {
      for (const { path, message } of findToolErrors(tools))
        context.addIssue({ code: 'custom', path: [...path], message })
    })
    .default([])
    .describe('The backend tools of the agent. The service runs them.'),
}

const readOnlyFields = Object.keys(resourceFields)

const example = {
  name: 'Front desk',
  description: 'Answers visitors and notes their requests.',
  systemMessage: 'You are the front desk of a small hotel. Be brief and kind.',
  firstMessage: 'Welcome to the Seaview. How can I help?',
  exampleQuestions: ['When is breakfast?'],
  tools: [
    { kind: 'builtin', name: 'current_time', builtin: 'current_time' },
    {
      kind: 'http',
      name: 'find_booking',
      description: 'Finds a booking by its number.',
      parameters: { type: 'object', properties: { number: { type: 'string' } }, required: ['number'] },
      request: {
        method: 'GET',
        url: 'https://booking.example.com/bookings/{number}',
        headers: { Authorization: 'Bearer secret' },
      },
    },
  ],
}

export const Agent = z
  .object({
    ...resourceFields,
    ...plainFields,
    tools: z.array(AgentTool).describe('The backend tools of the agent. The service runs them.'),
  })
  .meta({ id: 'Agent', description: 'An agent: instructions, a model and tools.' })

export const AgentInput = writable(agentInputFields, readOnlyFields).meta({
  id: 'AgentInput',
  description: 'The parameters for creating or replacing an agent.',
  examples: [example],
})

const { externalId: _, ...upsertFields } = agentInputFields

export const AgentUpsert = writable(upsertFields, [...readOnlyFields, 'externalId']).meta({
  id: 'AgentUpsert',
  description:
    'The parameters for creating or replacing an agent by its external ID, which is part of the path.',
  examples: [example],
})

export const AgentPatch = patchable(agentInputFields, readOnlyFields).meta({
  id: 'AgentPatch',
  description: 'A merge patch for an agent. Arrays are replaced as a whole.',
  examples: [{ description: 'Answers visitors in two languages.' }],
})

export const AgentPage = pageOf(Agent, 'Agent')

export const AgentListQuery = z.strictObject({
  ...pageQuery,
  Search: text(200).optional().describe('Only return agents whose name or description contains this text.'),
})

export type RealtimeFallback = z.output<typeof RealtimeFallback>
export type AgentVariable = z.output<typeof AgentVariable>
export type EndUserLimits = z.output<typeof EndUserLimits>
export type Agent = z.output<typeof Agent>
export type AgentInput = z.output<typeof AgentInput>
export type AgentUpsert = z.output<typeof AgentUpsert>
export type AgentPatch = z.output<typeof AgentPatch>
export type AgentListQuery = z.output<typeof AgentListQuery>
