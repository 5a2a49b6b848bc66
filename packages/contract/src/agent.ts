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
    .describe("The model connection; null: the organization's default."),
  model: nonBlankText(200).nullable().default(null).describe("The text model; null: the connection's."),
  realtimeModel: nonBlankText(200)
    .nullable()
    .default(null)
    .describe("The realtime model; null: the connection's first."),
  voice: nonBlankText(100)
    .nullable()
    .default(null)
    .describe('The voice of sessions that ask for none; null: `alloy`.'),
  icon: text(200).nullable().default(null).describe('An icon name or emoji.'),
  iconColor: text(50).nullable().default(null).describe('The colour of the icon.'),
  imageUrl: httpUrl().nullable().default(null).describe('A picture of the agent.'),
  subAgentIds: z
    .array(id())
    .max(32)
    .refine((ids) => new Set(ids).size === ids.length, { error: 'names an agent twice' })
    .default([])
    .describe('Agents that this one can ask, as tools.'),
  mcpTool: z
    .boolean()
    .default(false)
    .describe('Whether MCP clients (`/mcp`) get the agent as a tool of its own, besides `ask_agent`.'),
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
    .describe('The backend tools, run by the service.'),
}

const readOnlyFields = Object.keys(resourceFields)

const example = {
  name: 'Front desk',
  description: 'Answers visitors and takes down what they need.',
  systemMessage: 'You are the front desk of a small hotel. Be brief and kind.',
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
    tools: z.array(AgentTool).describe('The backend tools, run by the service.'),
  })
  .meta({ id: 'Agent', description: 'An agent: instructions, a model and tools.' })

export const AgentInput = writable(agentInputFields, readOnlyFields).meta({
  id: 'AgentInput',
  description: 'An agent as it is created or replaced.',
  examples: [example],
})

const { externalId: _, ...upsertFields } = agentInputFields

export const AgentUpsert = writable(upsertFields, [...readOnlyFields, 'externalId']).meta({
  id: 'AgentUpsert',
  description: 'An agent as it is created or replaced under its external id, which stands in the path.',
  examples: [example],
})

export const AgentPatch = patchable(agentInputFields, readOnlyFields).meta({
  id: 'AgentPatch',
  description: 'A merge patch of an agent. Arrays are replaced whole.',
  examples: [{ description: 'Answers visitors in two languages.' }],
})

export const AgentPage = pageOf(Agent, 'Agent')

export const AgentListQuery = z.strictObject({
  ...pageQuery,
  Search: text(200).optional().describe('Only agents whose name or description holds this text.'),
})

export type Agent = z.output<typeof Agent>
export type AgentInput = z.output<typeof AgentInput>
export type AgentUpsert = z.output<typeof AgentUpsert>
export type AgentPatch = z.output<typeof AgentPatch>
export type AgentListQuery = z.output<typeof AgentListQuery>
