import { z } from 'zod'
import { actor } from './actor.js'
import { Agent } from './agent.js'
import { answeredMoment, id } from './field.js'
import { pageOf, pageQuery } from './page.js'

/** The number of revisions kept for each agent. The oldest are removed first. */
export const maxAgentRevisions = 100

const fields = {
  agentId: id().describe('The agent that this revision belongs to.'),
  number: z.int().describe('The number of the revision, counted from 1 for each agent.'),
  at: answeredMoment().describe('When this revision was made (UTC).'),
  actor: actor()
    .nullable()
    .describe('Who made the change. Null for the state of an agent before revisions were recorded.'),
  changed: z
    .array(z.string())
    .describe(
      'The names of the changed fields. `toolSecrets` stands for header values of tools. Empty for a new agent.',
    ),
  restoredFrom: z
    .int()
    .nullable()
    .describe('The number of the restored revision. Null for any other change.'),
}

export const AgentRevisionSummary = z.object(fields).meta({
  id: 'AgentRevisionSummary',
  description: 'One change of an agent, without the agent itself.',
})

export const AgentRevision = z
  .object({
    ...fields,
    agent: Agent.describe('The agent as it was after the change. Header values are never shown.'),
  })
  .meta({ id: 'AgentRevision', description: 'One change of an agent, with the agent after the change.' })

export const AgentRevisionPage = pageOf(AgentRevisionSummary, 'AgentRevisionSummary')

export const AgentRevisionListQuery = z.strictObject(pageQuery)

/** The number as a path spells it; the reference shows it as the integer it means. */
export const revisionNumberInPath = () =>
  z
    .string()
    .regex(/^[1-9]\d{0,8}$/)
    .transform(Number)
    .meta({
      description: 'The number of the revision.',
      override: ({ jsonSchema }: { jsonSchema: Record<string, unknown> }) => {
        delete jsonSchema.pattern
        Object.assign(jsonSchema, { type: 'integer', minimum: 1, maximum: 999_999_999 })
      },
    })

export type AgentRevisionSummary = z.output<typeof AgentRevisionSummary>
export type AgentRevision = z.output<typeof AgentRevision>
export type AgentRevisionListQuery = z.output<typeof AgentRevisionListQuery>
