import { z } from 'zod'
import { AgentTool, AgentToolInput } from './agent-tool.js'
import { httpUrl, id, nonBlankText, resourceFields, text } from './field.js'
import { keptFields } from './kept-in-files.js'
import { pageOf, pageQuery } from './page.js'
import { findToolMistakes } from './tool-rules.js'
import { patchable, writable } from './writable.js'

const plainFields = {
  name: nonBlankText(200).describe('The name people see.'),
  description: text(2000).nullable().default(null).describe('What the agent is for.'),
  systemMessage: text(100_000).default('').describe('The instructions given to the model.'),
  connectionId: id()
    .nullable()
    .default(null)
    .describe("The model connection. Null: the organization's default connection."),
  model: nonBlankText(200)
    .nullable()
    .default(null)
    .describe("The text model. Null: the connection's text model."),
  realtimeModel: nonBlankText(200)
    .nullable()
    .default(null)
    .describe("The realtime model. Null: the connection's first realtime model."),
  voice: nonBlankText(100)
    .nullable()
    .default(null)
    .describe('The voice of sessions that request none. Null: `alloy`.'),
  firstMessage: nonBlankText(2000)
    .nullable()
    .default(null)
    .describe(
      'The first words of the agent in a new conversation. It speaks them in realtime sessions, and the playground shows them. Null: the agent waits for the user.',
    ),
  exampleQuestions: z
    .array(nonBlankText(200))
    .max(5)
    .default([])
    .describe('Questions that users can start a conversation with, for example in the playground.'),
  icon: text(200).nullable().default(null).describe('An icon name or emoji.'),
  iconColor: text(50).nullable().default(null).describe('The color of the icon.'),
  imageUrl: httpUrl().nullable().default(null).describe('A picture of the agent.'),
  subAgentIds: z
    .array(id())
    .max(32)
    .refine((ids) => new Set(ids).size === ids.length, { error: 'names the same agent twice' })
    .default([])
    .describe('Agents that this agent can ask. The model sees each one as a tool.'),
  mcpTool: z
    .boolean()
    .default(false)
    .describe('Whether MCP clients (`/mcp`) see the agent as a tool of its own, in addition to `ask_agent`.'),
  ...keptFields,
}

export const agentInputFields = {
  ...plainFields,
  tools: z
    .array(AgentToolInput)
    .max(128)
    .superRefine((tools, context) => {
      for (const { path, message } of findToolMistakes(tools))
        context.addIssue({ code: 'custom', path: [...path], message })
    })
    .default([])
    .describe('The backend tools. The service runs them.'),
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
    tools: z.array(AgentTool).describe('The backend tools. The service runs them.'),
  })
  .meta({ id: 'Agent', description: 'An agent: instructions, a model and tools.' })

export const AgentInput = writable(agentInputFields, readOnlyFields).meta({
  id: 'AgentInput',
  description: 'The body that creates or replaces an agent.',
  examples: [example],
})

const { externalId: _, ...upsertFields } = agentInputFields

export const AgentUpsert = writable(upsertFields, [...readOnlyFields, 'externalId']).meta({
  id: 'AgentUpsert',
  description: 'The body that creates or replaces an agent by its external id. The id is in the path.',
  examples: [example],
})

export const AgentPatch = patchable(agentInputFields, readOnlyFields).meta({
  id: 'AgentPatch',
  description: 'A merge patch of an agent. Arrays are replaced as a whole.',
  examples: [{ description: 'Answers visitors in two languages.' }],
})

export const AgentPage = pageOf(Agent, 'Agent')

export const AgentListQuery = z.strictObject({
  ...pageQuery,
  Search: text(200).optional().describe('Only agents whose name or description contains this text.'),
})

export type Agent = z.output<typeof Agent>
export type AgentInput = z.output<typeof AgentInput>
export type AgentUpsert = z.output<typeof AgentUpsert>
export type AgentPatch = z.output<typeof AgentPatch>
export type AgentListQuery = z.output<typeof AgentListQuery>
