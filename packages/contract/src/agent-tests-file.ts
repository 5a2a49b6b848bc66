import { z } from 'zod'
import { Metadata, Variables } from './end-user.js'
import { nameInput, nonBlankText } from './field.js'
import { ExternalId } from './managed-fields.js'

/*
 * The files that `parley test` reads. They contain the messages of the user and the expected behavior of the agent. They are
 * named `*.test.yaml` and are stored next to the agent files.
 */

const milliseconds = (max: number) => z.int().min(1).max(max)

const pattern = /^\/(.+)\/([a-z]*)$/s

function isValidPattern(text: string): boolean {
  const [, source, flags] = pattern.exec(text) ?? []
  if (source === undefined) return true
  try {
    return new RegExp(source, flags) instanceof RegExp
  } catch {
    return false
  }
}

/** Parses `/pattern/flags` as a regular expression. Returns null for plain text. */
export function patternOf(text: string): RegExp | null {
  const [, source, flags = ''] = pattern.exec(text) ?? []
  return source === undefined ? null : new RegExp(source, flags.replaceAll(/[gy]/g, ''))
}

const textOrPattern = (what: string) =>
  nonBlankText(2000)
    .refine(isValidPattern, { error: 'must be a valid regular expression' })
    .describe(`${what} Plain text is matched case-insensitively. \`/pattern/i\` is a regular expression.`)

const toolName = nonBlankText(200)

const matchers = z
  .record(z.string(), z.unknown())
  .describe(
    'The expected arguments. A value is a literal, or a regular expression `/pattern/i` for a string. Objects and lists match if they contain the given parts. `{}` matches any arguments.',
  )

const toolsWith = (what: string) => z.record(toolName, matchers).describe(what)

const names = (what: string) => z.union([toolName, z.array(toolName).min(1).max(50)]).describe(what)

const outputOrError = 'must have either output or error, but not both'
const stubFields = {
  output: z
    .unknown()
    .optional()
    .describe('The output of the tool. Values that are not strings are serialized as JSON.'),
  error: nonBlankText(4000).optional().describe('The error with which the tool fails, instead of an output.'),
  delayMs: milliseconds(30_000).optional().describe('The simulated duration of the call in milliseconds.'),
  arguments: z
    .record(z.string(), z.unknown())
    .optional()
    .describe(
      'The arguments that a call must contain for the stub to apply. The first stub that matches a call is used.',
    ),
}
const hasOneResult = ({ output, error }: { output?: unknown; error?: unknown }) =>
  (output === undefined) !== (error === undefined)

const ToolStub = z.strictObject(stubFields).refine(hasOneResult, { error: outputOrError })
const NamedToolStub = z
  .strictObject({ name: toolName, ...stubFields })
  .refine(hasOneResult, { error: outputOrError })

const ToolStubs = z
  .union([z.record(toolName, z.union([ToolStub, z.array(ToolStub).min(1).max(50)])), z.array(NamedToolStub)])
  .describe(
    'The stubs that replace the tools. A test never calls a real tool, and a call to a tool without a stub fails.',
  )

const CallOutcome = z
  .strictObject({
    status: z
      .enum(['success', 'failed'])
      .or(z.literal([1, 2]))
      .optional()
      .describe('The status of the call: `success` (1) or `failed` (2). A rejected call counts as failed.'),
    text: textOrPattern('The result of the call.').optional(),
    arguments: matchers.optional(),
  })
  .describe('The expected outcome of a call.')

export const Meaning = z
  .strictObject({
    text: nonBlankText(1000).describe('The meaning that the response must have, in any wording.'),
    atLeast: z
      .number()
      .min(0)
      .max(1)
      .default(0.6)
      .describe('The minimum similarity, from 0 (unrelated) to 1 (identical).'),
  })
  .describe(
    'The expected meaning. The built-in sentence model compares it with the whole response and with each of its sentences.',
  )

export const parties = ['agent', 'user', 'nobody'] as const

/** An expectation. All of its fields must be met. */
export const Expectation = z
  .strictObject({
    says: textOrPattern('The text that the response must contain.').optional(),
    saysNot: textOrPattern('The text that the response must not contain.').optional(),
    means: Meaning.optional(),
    judge: nonBlankText(4000)
      .optional()
      .describe('A statement about the conversation. The agent that is set with `--judge` must confirm it.'),
    calls: toolsWith('The tools that must be called, with matching arguments.').optional(),
    called: z
      .record(toolName, CallOutcome)
      .optional()
      .describe('The tools whose calls must have finished, with their results. Stubbed calls are included.'),
    callsNot: names('The tools that must not be called.').optional(),
    callsNothing: z.literal(true).optional().describe('If set, neither tools nor sub-agents may be called.'),
    waitsFor: toolsWith(
      'The tools whose calls must be waiting for approval, with matching arguments.',
    ).optional(),
    subAgent: names('The names of the sub-agents that must be called.').optional(),
    interrupted: z
      .enum(parties)
      .or(z.boolean())
      .optional()
      .describe(
        'Who was interrupted. `agent` (or `true`): the agent stopped speaking for the user. `user`: the agent spoke over the user. `nobody` (or `false`): there was no interruption. Voice only.',
      ),
    withinMs: milliseconds(600_000)
      .optional()
      .describe(
        'The maximum time from the end of the user message to the start of the response, in milliseconds.',
      ),
  })
  .refine((expectation) => Object.keys(expectation).length > 0, {
    error: 'must have at least one expectation',
  })
  .meta({ id: 'Expectation', description: 'An expectation. All of its fields must be met.' })

const expectations = (what: string) => z.array(Expectation).max(100).default([]).describe(what)

export const TestTurn = z
  .strictObject({
    user: nonBlankText(4000).describe('The message of the user.'),
    bargeInAfterMs: milliseconds(60_000)
      .optional()
      .describe(
        'The time after which the user interrupts the previous response, in milliseconds. Voice only.',
      ),
    expect: expectations(
      'The expectations that are checked when the agent has responded or is waiting for approval.',
    ),
    decide: z.enum(['approve', 'reject']).optional().describe('The decision on the pending tool calls.'),
    reason: nonBlankText(1000).optional().describe('The reason for the decision. It is sent to the agent.'),
    then: expectations('The expectations that are checked after the decision.'),
  })
  .meta({ id: 'TestTurn', description: 'A message of the user, and the expectations for the response.' })

const runOptions = {
  channel: z
    .enum(['text', 'voice'])
    .optional()
    .describe('The channel of the user: text or voice. The default is text.'),
  repeat: z.int().min(1).max(1000).optional().describe('The number of runs of the test. The default is 1.'),
  pass: z
    .int()
    .min(1)
    .max(1000)
    .optional()
    .describe('The number of runs that must pass. By default, all runs must pass.'),
  withinMs: milliseconds(600_000)
    .optional()
    .describe('The maximum time until each response starts, in milliseconds.'),
  timeoutSeconds: z
    .int()
    .min(1)
    .max(3600)
    .optional()
    .describe('The timeout of a run in seconds. The default is 120.'),
  voice: nonBlankText(64)
    .optional()
    .describe('The voice of the user. It must be a voice of the built-in engine.'),
  externalUserId: nameInput(200)
    .optional()
    .describe('Your own ID of the end user. The first use creates the end user.'),
  metadata: Metadata.optional().describe('The metadata of the conversation.'),
  variables: Variables.optional().describe(
    'Values for `{{name}}` in the agent. Those of a test are added to those of its file.',
  ),
}

export const TestOfFile = z
  .strictObject({
    name: nonBlankText(200).describe('The name of the test. It must be unique within its file.'),
    ...runOptions,
    tools: ToolStubs.optional(),
    turns: z.array(TestTurn).min(1).max(100).optional().describe('The messages of the user, in order.'),
    goal: nonBlankText(4000)
      .optional()
      .describe(
        'The goal of a simulated user, instead of `turns`. The agent that is set with `--user` plays the user.',
      ),
    maxTurns: z
      .int()
      .min(1)
      .max(50)
      .optional()
      .describe('The maximum number of messages that the simulated user sends. The default is 8.'),
    expect: expectations('The expectations for the whole conversation.'),
  })
  .refine(({ turns, goal }) => (turns === undefined) !== (goal === undefined), {
    error: 'must have either turns or goal, but not both',
  })
  .refine(({ goal, maxTurns }) => goal !== undefined || maxTurns === undefined, {
    error: 'must not be set without goal',
    path: ['maxTurns'],
  })
  .meta({ id: 'TestOfFile', description: 'A conversation with the agent, and the expectations for it.' })

export const AgentTestsFile = z
  .strictObject({
    agent: ExternalId.describe('The agent under test: its external ID, name or ID.'),
    defaults: z.strictObject(runOptions).default({}).describe('The defaults for the tests in this file.'),
    tools: ToolStubs.optional(),
    tests: z
      .array(TestOfFile)
      .min(1)
      .max(1000)
      .refine((tests) => new Set(tests.map(({ name }) => name)).size === tests.length, {
        error: 'must not contain two tests with the same name',
      }),
  })
  .meta({ title: 'Agent tests', description: 'The tests of an agent, for `parley test`.' })

export type Expectation = z.output<typeof Expectation>
export type TestTurn = z.output<typeof TestTurn>
export type TestOfFile = z.output<typeof TestOfFile>
export type ToolStubs = z.output<typeof ToolStubs>
export type AgentTestsFile = z.output<typeof AgentTestsFile>

/** The path at which the service publishes the JSON schema of these files. */
export const agentTestsFileSchemaPath = '/schema/agent-tests.json'

/** Builds the JSON schema that editors use for completion and validation. */
export function buildAgentTestsFileSchema(): object {
  return z.toJSONSchema(AgentTestsFile, { io: 'input' })
}
