import { z } from 'zod'
import { nonBlankText } from './field.js'
import { ExternalId } from './kept-in-files.js'

/*
 * The files that `parley test` reads: what is said to an agent, and what is expected of it. They stand beside the agents
 * that they test, and are called `*.test.yaml`.
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

/** What `/pattern/flags` means; null where it is plain text. */
export function patternOf(text: string): RegExp | null {
  const [, source, flags = ''] = pattern.exec(text) ?? []
  return source === undefined ? null : new RegExp(source, flags.replaceAll(/[gy]/g, ''))
}

const words = (what: string) =>
  nonBlankText(2000)
    .refine(isPatternOrText, { error: 'is no regular expression that can be read' })
    .describe(`${what}; a text counts whatever its case, \`/pattern/i\` is a regular expression.`)

const toolName = nonBlankText(200)

const matchers = z
  .record(z.string(), z.unknown())
  .describe(
    'What the arguments must be: values as they stand, texts as `/pattern/i` too, of objects and lists the parts that are named. `{}` takes all.',
  )

const toolsWith = (what: string) => z.record(toolName, matchers).describe(what)

const names = (what: string) => z.union([toolName, z.array(toolName).min(1).max(50)]).describe(what)

const oneOf = 'needs exactly one of output and error'
const stubFields = {
  output: z.unknown().optional().describe('What the tool answers; what is no text is written as JSON.'),
  error: nonBlankText(4000).optional().describe('Why it fails, instead.'),
  delayMs: milliseconds(30_000).optional().describe('How long it takes.'),
  arguments: z
    .record(z.string(), z.unknown())
    .optional()
    .describe('Only calls whose arguments have these values; of several stubs the first that fits answers.'),
}
const hasOneResult = ({ output, error }: { output?: unknown; error?: unknown }) =>
  (output === undefined) !== (error === undefined)

const ToolStub = z.strictObject(stubFields).refine(hasOneResult, { error: oneOf })
const NamedToolStub = z.strictObject({ name: toolName, ...stubFields }).refine(hasOneResult, { error: oneOf })

const ToolStubs = z
  .union([z.record(toolName, z.union([ToolStub, z.array(ToolStub).min(1).max(50)])), z.array(NamedToolStub)])
  .describe(
    'What stands in for the tools: nothing real is called in a test, and a call of a tool without a stub fails.',
  )

const CallOutcome = z
  .strictObject({
    status: z
      .enum(['success', 'failed'])
      .or(z.literal([1, 2]))
      .optional()
      .describe('How it ended: success (1) or failed (2); a rejected call has failed.'),
    text: words('What came of it').optional(),
    arguments: matchers.optional(),
  })
  .describe('What is expected of a call that has ended.')

export const Meaning = z
  .strictObject({
    text: nonBlankText(1000).describe('What the answer must say, in whatever words.'),
    atLeast: z
      .number()
      .min(0)
      .max(1)
      .default(0.6)
      .describe('How near it must come: 1 is the same, 0 has nothing in common.'),
  })
  .describe('Compared by the built-in sentence model, with the whole answer and with each sentence of it.')

export const parties = ['agent', 'user', 'nobody'] as const

/** What is expected; all that one entry names must hold. */
export const Expectation = z
  .strictObject({
    says: words('What the answer must hold').optional(),
    saysNot: words('What the answer must not hold').optional(),
    means: Meaning.optional(),
    judge: nonBlankText(4000)
      .optional()
      .describe('What the agent that `--judge` names must find to be so, having read the conversation.'),
    calls: toolsWith('Tools that must be called, each with arguments like these.').optional(),
    called: z
      .record(toolName, CallOutcome)
      .optional()
      .describe('Tools whose calls must have ended, and how; tools that stubs stand for among them.'),
    callsNot: names('Tools that must not be called.').optional(),
    callsNothing: z.literal(true).optional().describe('No tool must be called, and no sub-agent asked.'),
    waitsFor: toolsWith('Calls that must wait for a person, and with what arguments.').optional(),
    subAgent: names('Sub-agents that must be asked, by name.').optional(),
    interrupted: z
      .enum(parties)
      .or(z.boolean())
      .optional()
      .describe(
        'Who was interrupted, in voice: `agent` (or true) fell silent for the user, `user` was talked over, `nobody` (or false).',
      ),
    withinMs: milliseconds(600_000)
      .optional()
      .describe('How soon the first word, or the first sound, must come after the last of the user.'),
  })
  .refine((expectation) => Object.keys(expectation).length > 0, { error: 'expects nothing' })
  .meta({ id: 'Expectation', description: 'What is expected; all that one entry names must hold.' })

const expectations = (what: string) => z.array(Expectation).max(100).default([]).describe(what)

export const TestTurn = z
  .strictObject({
    user: nonBlankText(4000).describe('What the user says.'),
    bargeInAfterMs: milliseconds(60_000)
      .optional()
      .describe('In voice: begins to speak when the answer before has been heard for so long.'),
    expect: expectations('What must be so when the agent has answered, or waits for a person.'),
    decide: z.enum(['approve', 'reject']).optional().describe('What a person says to the calls that wait.'),
    reason: nonBlankText(1000).optional().describe('Why it was decided so; the agent reads it.'),
    then: expectations('What must be so after the decision.'),
  })
  .meta({ id: 'TestTurn', description: 'One thing that the user says, and what must come of it.' })

const conduct = {
  channel: z.enum(['text', 'voice']).optional().describe('How the user speaks; text unless it says voice.'),
  repeat: z.int().min(1).max(1000).optional().describe('How often a test is run: once, unless it says more.'),
  pass: z
    .int()
    .min(1)
    .max(1000)
    .optional()
    .describe('How many of these runs must pass: all, unless it says less.'),
  withinMs: milliseconds(600_000).optional().describe('How soon each answer must begin.'),
  timeoutSeconds: z.int().min(1).max(3600).optional().describe('How long a run may take at most: 120.'),
  voice: nonBlankText(64).optional().describe('The voice of the user, of those of the built-in engine.'),
}

export const AgentTest = z
  .strictObject({
    name: nonBlankText(200).describe('What is tested; unique in its file.'),
    ...conduct,
    tools: ToolStubs.optional(),
    turns: z.array(TestTurn).min(1).max(100).optional().describe('What the user says, in order.'),
    goal: nonBlankText(4000)
      .optional()
      .describe('Instead of turns: what a simulated user wants, played by the agent that `--user` names.'),
    maxTurns: z.int().min(1).max(50).optional().describe('How often a simulated user may speak: 8.'),
    expect: expectations('What must be so of the whole conversation.'),
  })
  .refine(({ turns, goal }) => (turns === undefined) !== (goal === undefined), {
    error: 'needs exactly one of turns and goal',
  })
  .refine(({ goal, maxTurns }) => goal !== undefined || maxTurns === undefined, {
    error: 'is for a simulated user, who has a goal',
    path: ['maxTurns'],
  })
  .meta({ id: 'AgentTest', description: 'One conversation with the agent, and what must come of it.' })

export const AgentTestsFile = z
  .strictObject({
    agent: ExternalId.describe('The agent under test, by its external id, its name or its id.'),
    defaults: z.strictObject(conduct).default({}).describe('For tests that do not say it themselves.'),
    tools: ToolStubs.optional(),
    tests: z
      .array(AgentTest)
      .min(1)
      .max(1000)
      .refine((tests) => new Set(tests.map(({ name }) => name)).size === tests.length, {
        error: 'has two of one name',
      }),
  })
  .meta({ title: 'Agents under test', description: 'Tests of one agent, for `parley test`.' })

export type Expectation = z.output<typeof Expectation>
export type TestTurn = z.output<typeof TestTurn>
export type AgentTest = z.output<typeof AgentTest>
export type ToolStubs = z.output<typeof ToolStubs>
export type AgentTestsFile = z.output<typeof AgentTestsFile>

/** Where the service publishes the JSON schema of these files. */
export const agentTestsFileSchemaPath = '/schema/agent-tests.json'

/** The JSON schema that editors complete and check these files with. */
export function buildAgentTestsFileSchema(): object {
  return z.toJSONSchema(AgentTestsFile, { io: 'input' })
}
