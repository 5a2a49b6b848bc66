import { z } from 'zod'
import { id, nonBlankText, resourceFields } from './field.js'
import { pageOf, pageQuery } from './page.js'
import { patchable, writable } from './writable.js'

/** The number of facts that an agent may remember about one end user. The oldest are removed. */
export const maxFactsPerAgent = 200

export const maxFactCharacters = 500

const text = nonBlankText(maxFactCharacters).describe(
  'One fact about the end user. A text that looks like an instruction or contains a URL is rejected.',
)
const agentId = id().describe('The ID of the agent that knows the fact.')

export const EndUserFact = z
  .object({
    ...resourceFields,
    endUserId: id().describe('The ID of the end user.'),
    agentId,
    text: z.string().describe('One fact about the end user.'),
    conversationId: id()
      .nullable()
      .describe('The ID of the conversation that the fact is from. `null` if a caller added it.'),
  })
  .meta({
    id: 'EndUserFact',
    description: 'A fact that an agent remembers about an end user. It is not verified.',
  })

const readOnlyFields = [...Object.keys(resourceFields), 'endUserId', 'conversationId']

export const EndUserFactInput = writable({ agentId, text }, readOnlyFields).meta({
  id: 'EndUserFactInput',
  description: 'The parameters for adding a fact about an end user.',
  examples: [{ agentId: '01a1de66-469b-74c9-886e-f1a3d5b40597', text: 'Prefers a room on a high floor.' }],
})

export const EndUserFactPatch = patchable({ text }, [...readOnlyFields, 'agentId']).meta({
  id: 'EndUserFactPatch',
  description: 'A merge patch of a fact.',
  examples: [{ text: 'Prefers a room on the ground floor.' }],
})

export const EndUserFactPage = pageOf(EndUserFact, 'EndUserFact')

export const EndUserFactListQuery = z.strictObject({
  ...pageQuery,
  AgentId: id().optional().describe('Only return facts of this agent.'),
})

export type EndUserFact = z.output<typeof EndUserFact>
export type EndUserFactInput = z.output<typeof EndUserFactInput>
export type EndUserFactPatch = z.output<typeof EndUserFactPatch>
export type EndUserFactListQuery = z.output<typeof EndUserFactListQuery>
