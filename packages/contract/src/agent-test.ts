import { z } from 'zod'
import { id, nameInput, nonBlankText, resourceFields } from './field.js'
import { pageOf, pageQuery } from './page.js'
import { writable } from './writable.js'

/** The number of test resources that an agent may have. Each can define several tests. */
export const maxAgentTests = 100

const maxDefinitionCharacters = 65_536

const fields = {
  name: nameInput(200).describe('The name of these tests.'),
  definition: nonBlankText(maxDefinitionCharacters).describe(
    'YAML or JSON text in the format of test files (`/schema/agent-tests.json`). `agent` may be left out, and environment variables are not available. Mistakes are reported with line and column.',
  ),
}

export const AgentTestInput = writable(fields, [...Object.keys(resourceFields), 'agentId', 'tests']).meta({
  id: 'AgentTestInput',
  description: 'The body that creates or replaces tests of an agent.',
  examples: [
    {
      name: 'Bookings',
      definition:
        'tests:\n  - name: says good day\n    turns:\n      - user: Good day!\n        expect: [{ callsNothing: true }]\n',
    },
  ],
})

export const AgentTest = z
  .object({
    ...resourceFields,
    agentId: id().describe('The agent under test.'),
    ...fields,
    tests: z
      .array(
        z.object({
          name: z.string().describe('The name of the test, unique in the definition.'),
          channel: z.enum(['text', 'voice']).describe('How the user speaks.'),
        }),
      )
      .describe('The tests of the definition, in order.'),
  })
  .meta({ id: 'AgentTest', description: 'Tests of an agent, written like a test file.' })

export const AgentTestPage = pageOf(AgentTest, 'AgentTest')

export const AgentTestListQuery = z.strictObject(pageQuery)

export type AgentTest = z.output<typeof AgentTest>
export type AgentTestInput = z.output<typeof AgentTestInput>
export type AgentTestListQuery = z.output<typeof AgentTestListQuery>
