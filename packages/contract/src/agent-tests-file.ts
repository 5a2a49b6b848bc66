import { z } from 'zod'
import { nonBlankText } from './field.js'
import { ExternalId } from './kept-in-files.js'

/*
 * The files that `parley test` reads: what the user says to an agent, and what the test expects. They are named `*.test.yaml`
 * and lie beside the files of the agents.
 */

const milliseconds = (most: number) => z.int().min(1).max(most)

const pattern = /^\/(.+)\/([a-z]*)$/s

function isPatternOrText(text: string): boolean {
  const [, source, flags] = pattern.exec(text) ?? []
  if (source === undefined) return true
  try {
    return new RegExp(source, flags) instanceof RegExp
  } catch {
    return false
  }
}

/** Returns the regular expression of `/pattern/flags`, or null for plain text. */
export function patternOf(text: string): RegExp | null {
  const [, source, flags = ''] = pattern.exec(text) ?? []
  return source === undefined ? null : new RegExp(source, flags.replaceAll(/[gy]/g, ''))
}

const words = (what: string) =>
  nonBlankText(2000)
    .refine(isPatternOrText, { error: 'is not a valid regular expression' })
    .describe(`${what}; plain text is matched in any case, \`/pattern/i\` is a regular expression.`)

const toolName = nonBlankText(200)

const matchers = z
  .record(z.string(), z.unknown())
  .describe(
    'The expected arguments: literal values, or `/pattern/i` for text. Objects and lists need only the named parts. `{}` matches all arguments.',
  )

const toolsWith = (what: string) => z.record(toolName, matchers).describe(what)

const names = (what: string) => z.union([toolName, z.array(toolName).min(1).max(50)]).describe(what)

const oneOf = 'needs either output or error, not both'
const stubFields = {
  output: z
    .unknown()
    .optional()
    .describe('The output of the tool. Values other than text are written as JSON.'),
  error: nonBlankText(4000).optional().describe('The error that the tool fails with, instead of an output.'),
  delayMs: milliseconds(30_000).optional().describe('How long the call takes.'),
  arguments: z
    .record(z.string(), z.unknown())
    .optional()
    .describe('Answers only calls whose arguments have these values. The first stub that matches answers.'),
}
const hasOneResult = ({ output, error }: { output?: unknown; error?: unknown }) =>
  (output === undefined) !== (error === undefined)

const ToolStub = z.strictObject(stubFields).refine(hasOneResult, { error: oneOf })
const NamedToolStub = z.strictObject({ name: toolName, ...stubFields }).refine(hasOneResult, { error: oneOf })

const ToolStubs = z
  .union([z.record(toolName, z.union([ToolStub, z.array(ToolStub).min(1).max(50)])), z.array(NamedToolStub)])
  .describe(
    'Stubs that replace the tools. A test calls no real tool, and a call of a tool without a stub fails.',
  )

const CallOutcome = z
  .strictObject({
    status: z
      .enum(['success', 'failed'])
      .or(z.literal([1, 2]))
      .optional()
      .describe('How the call ended: success (1) or failed (2). A rejected call counts as failed.'),
    text: words('The result of the call').optional(),
    arguments: matchers.optional(),
  })
  .describe('What is expected of a finished call.')

export const Meaning = z
  .strictObject({
    text: nonBlankText(1000).describe('What the answer must say, in any wording.'),
    atLeast: z
      .number()
      .min(0)
      .max(1)
      .default(0.6)
      .describe('The required similarity: 1 is identical, 0 is unrelated.'),
  })
  .describe('Compared by the built-in sentence model, with the whole answer and with each of its sentences.')

export const parties = ['agent', 'user', 'nobody'] as const

/** Expectations. All fields of one entry must hold. */
export const Expectation = z
  .strictObject({
    says: words('Text that the answer must contain').optional(),
    saysNot: words('Text that the answer must not contain').optional(),
    means: Meaning.optional(),
    judge: nonBlankText(4000)
      .optional()
      .describe('A statement about the conversation that the agent named by `--judge` must confirm.'),
    calls: toolsWith('Tools that must be called, each with matching arguments.').optional(),
    called: z
      .record(toolName, CallOutcome)
      .optional()
      .describe('Tools whose calls must have finished, and their results. Calls answered by stubs count.'),
    callsNot: names('Tools that must not be called.').optional(),
    callsNothing: z.literal(true).optional().describe('No tool may be called and no sub-agent asked.'),
    waitsFor: toolsWith('Calls that must wait for approval, with their arguments.').optional(),
    subAgent: names('Sub-agents that must be asked, by name.').optional(),
    interrupted: z
      .enum(parties)
      .or(z.boolean())
      .optional()
      .describe(
        'Voice only. Who was interrupted: `agent` (or true) means that the agent stopped for the user, `user` that the agent talked over the user, `nobody` (or false) neither.',
      ),
    withinMs: milliseconds(600_000)
      .optional()
      .describe("The longest time from the user's last word to the first word or sound of the answer."),
  })
  .refine((expectation) => Object.keys(expectation).length > 0, { error: 'expects nothing' })
  .meta({ id: 'Expectation', description: 'Expectations. All fields of one entry must hold.' })

const expectations = (what: string) => z.array(Expectation).max(100).default([]).describe(what)

export const TestTurn = z
  .strictObject({
    user: nonBlankText(4000).describe('What the user says.'),
    bargeInAfterMs: milliseconds(60_000)
      .optional()
      .describe('Voice only. The user begins to speak after hearing the previous answer for this long.'),
    expect: expectations('What must hold once the agent has answered or waits for approval.'),
    decide: z.enum(['approve', 'reject']).optional().describe('The decision on the waiting calls.'),
    reason: nonBlankText(1000).optional().describe('The reason for the decision. The agent reads it.'),
    then: expectations('What must hold after the decision.'),
  })
  .meta({ id: 'TestTurn', description: 'One message of the user, and what is expected of the answer.' })

const conduct = {
  channel: z
    .enum(['text', 'voice'])
    .optional()
    .describe('How the user speaks: text or voice. Default: text.'),
  repeat: z.int().min(1).max(1000).optional().describe('How often the test runs. Default: once.'),
  pass: z.int().min(1).max(1000).optional().describe('How many of these runs must pass. Default: all.'),
  withinMs: milliseconds(600_000).optional().describe('The longest time until each answer begins.'),
  timeoutSeconds: z.int().min(1).max(3600).optional().describe('The longest time of one run. Default: 120.'),
  voice: nonBlankText(64).optional().describe("The user's voice, one of the built-in engine's."),
}

export const AgentTest = z
  .strictObject({
    name: nonBlankText(200).describe('The name of the test, unique in its file.'),
    ...conduct,
    tools: ToolStubs.optional(),
    turns: z.array(TestTurn).min(1).max(100).optional().describe('The messages of the user, in order.'),
    goal: nonBlankText(4000)
      .optional()
      .describe('Instead of turns: the goal of a simulated user, played by the agent named by `--user`.'),
    maxTurns: z
      .int()
      .min(1)
      .max(50)
      .optional()
      .describe('How many messages a simulated user may send. Default: 8.'),
    expect: expectations('What must hold for the whole conversation.'),
  })
  .refine(({ turns, goal }) => (turns === undefined) !== (goal === undefined), {
    error: 'needs either turns or goal, not both',
  })
  .refine(({ goal, maxTurns }) => goal !== undefined || maxTurns === undefined, {
    error: 'is only for a simulated user, which has a goal',
    path: ['maxTurns'],
  })
  .meta({ id: 'AgentTest', description: 'One conversation with the agent, and what is expected of it.' })

export const AgentTestsFile = z
  .strictObject({
    agent: ExternalId.describe('The agent under test: its external id, name or id.'),
    defaults: z.strictObject(conduct).default({}).describe('Defaults for the tests of this file.'),
    tools: ToolStubs.optional(),
    tests: z
      .array(AgentTest)
      .min(1)
      .max(1000)
      .refine((tests) => new Set(tests.map(({ name }) => name)).size === tests.length, {
        error: 'has two tests of the same name',
      }),
  })
  .meta({ title: 'Agent tests', description: 'Tests of one agent, for `parley test`.' })

export type Expectation = z.output<typeof Expectation>
export type TestTurn = z.output<typeof TestTurn>
export type AgentTest = z.output<typeof AgentTest>
export type ToolStubs = z.output<typeof ToolStubs>
export type AgentTestsFile = z.output<typeof AgentTestsFile>

/** Where the service publishes the JSON schema of these files. */
export const agentTestsFileSchemaPath = '/schema/agent-tests.json'

/** Builds the JSON schema that editors use for completion and validation. */
export function buildAgentTestsFileSchema(): object {
  return z.toJSONSchema(AgentTestsFile, { io: 'input' })
}
