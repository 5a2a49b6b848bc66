import { z } from 'zod'
import { actor } from './actor.js'
import { Agent } from './agent.js'
import { id, timestamp } from './field.js'
import { pageOf, pageQuery } from './page.js'

/** The maximum number of stored revisions per agent. The oldest revisions are deleted first. */
export const maxAgentRevisions = 100

const fields = {
  agentId: id().describe('The ID of the agent.'),
  number: z.int().describe('The number of the revision. The revisions of an agent are numbered from 1.'),
  at: timestamp().describe('When the change was made (UTC).'),
  actor: actor()
    .nullable()
    .describe('The actor who made the change. `null` if the agent is older than the recording of revisions.'),
  changed: z
    .array(z.string())
    .describe(
      'The names of the changed fields. `toolSecrets` means that header values of a tool changed. Empty if the agent was created.',
    ),
  restoredFrom: z
    .int()
    .nullable()
    .describe('The number of the restored revision. `null` if the change was not a restore.'),
}

export const AgentRevisionSummary = z.object(fields).meta({
  id: 'AgentRevisionSummary',
  description: 'A change to an agent, without the agent itself.',
})

export const AgentRevision = z
  .object({
    ...fields,
    agent: Agent.describe('The agent after the change. The header values of its tools are never returned.'),
  })
  .meta({ id: 'AgentRevision', description: 'A change to an agent, including the agent after the change.' })

export const AgentRevisionPage = pageOf(AgentRevisionSummary, 'AgentRevisionSummary')

export const AgentRevisionListQuery = z.strictObject(pageQuery)

/** Parses a revision number in a path. In the OpenAPI document, it is an integer and not a string. */
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
