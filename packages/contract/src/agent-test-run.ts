import { z } from 'zod'
import { actor } from './actor.js'
import { id, resourceFields, timestamp } from './field.js'
import { pageOf, pageQuery } from './page.js'

/** The number of runs that are kept for each agent. The oldest are removed first. */
export const maxAgentTestRuns = 20

/** The number of conversations that one run may have, repetitions included. */
export const maxTestRunConversations = 500

const verdict = () => z.enum(['passed', 'failed', 'not_run'])

const agentChoice = (what: string) => id().nullable().default(null).describe(what)

export const AgentTestRunInput = z
  .strictObject({
    testIds: z
      .array(id())
      .min(1)
      .max(100)
      .nullable()
      .default(null)
      .describe('The tests to run. Null: all tests of the agent.'),
    judgeAgentId: agentChoice('The agent that judges answers. Tests with `judge` are not run without it.'),
    userAgentId: agentChoice('The agent that plays users with a goal. Null: the judge.'),
  })
  .meta({
    id: 'AgentTestRunInput',
    description: 'The tests to run, and the agents that help.',
    examples: [{ testIds: null }],
  })

const outcomeFields = {
  testId: id().describe('The resource that defines the test.'),
  name: z.string().describe('The name of the test.'),
  verdict: verdict().describe('`not_run` if the test has no verdict. Then `reason` says why.'),
  previousVerdict: verdict()
    .nullable()
    .describe('The verdict of the same test in the run before. Null: it was not part of a kept run.'),
  passed: z.int().describe('How many repetitions passed.'),
  required: z.int().describe('How many repetitions must pass.'),
  repetitions: z.int().describe('How often the test ran.'),
  durationMilliseconds: z.int().describe('The duration of all repetitions together.'),
}

export const AgentTestOutcome = z
  .object(outcomeFields)
  .meta({ id: 'AgentTestOutcome', description: 'The verdict of one test.' })

export const AgentTestResult = z
  .object({
    ...outcomeFields,
    reason: z.string().nullable().describe('Why the test has no verdict. Otherwise null.'),
    unmet: z
      .array(
        z.object({
          expectation: z.string().describe('The name of the expectation, for example `says`.'),
          expected: z.string().describe('What the test expects.'),
          actual: z.string().describe('What happened instead.'),
        }),
      )
      .describe('The expectations that were not met.'),
    transcript: z
      .array(z.string())
      .describe(
        'The conversation, line by line: of the first repetition that did not pass, else of the first.',
      ),
  })
  .meta({ id: 'AgentTestResult', description: 'The verdict of one test, with its conversation.' })

const runFields = {
  ...resourceFields,
  agentId: id().describe('The agent under test.'),
  actor: actor().describe('Who started the run.'),
  state: z
    .enum(['running', 'completed', 'stopped', 'failed'])
    .describe('`stopped` by a caller; `failed` if the service ended before the run did.'),
  failure: z.string().nullable().describe('Why the run failed. Otherwise null.'),
  endedAt: timestamp().nullable().describe('When the run ended (UTC). Null: it is running.'),
  judgeAgentId: id().nullable().describe('The agent that judges answers.'),
  userAgentId: id().nullable().describe('The agent that plays users with a goal.'),
  testCount: z.int().describe('The number of tests in this run.'),
}

export const AgentTestRunSummary = z
  .object({
    ...runFields,
    results: z.array(AgentTestOutcome).describe('The tests that have a result so far, in order.'),
  })
  .meta({ id: 'AgentTestRunSummary', description: 'One run of tests, without the conversations.' })

export const AgentTestRun = z
  .object({
    ...runFields,
    results: z.array(AgentTestResult).describe('The tests that have a result so far, in order.'),
  })
  .meta({ id: 'AgentTestRun', description: 'One run of tests of an agent.' })

export const AgentTestRunPage = pageOf(AgentTestRunSummary, 'AgentTestRunSummary')

export const AgentTestRunListQuery = z.strictObject(pageQuery)

export type AgentTestOutcome = z.output<typeof AgentTestOutcome>
export type AgentTestResult = z.output<typeof AgentTestResult>
export type AgentTestRun = z.output<typeof AgentTestRun>
export type AgentTestRunSummary = z.output<typeof AgentTestRunSummary>
export type AgentTestRunInput = z.output<typeof AgentTestRunInput>
export type AgentTestRunListQuery = z.output<typeof AgentTestRunListQuery>
