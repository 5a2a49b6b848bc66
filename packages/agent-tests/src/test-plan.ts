import {
  type FileError,
  FileErrors,
  type FoundFile,
  fillIn,
  readYamlFile,
  schemaErrors,
  type ValueError,
  type Variables,
  type YamlFile,
} from '@parley/agents-as-code'
import {
  AgentTestsFile,
  type Expectation,
  type Rehearsal,
  type TestOfFile,
  type TestTurn,
  type ToolStubs,
} from '@parley/contract'

/** A test with the defaults of its file filled in. */
export interface PlannedTest {
  readonly file: string
  readonly name: string
  /** The name of the agent under test in the file. */
  readonly agent: string
  /** Returns the error that the agent is missing, with its position in the file. */
  describeMissing(message: string): FileError
  readonly channel: 'text' | 'voice'
  readonly repeat: number
  readonly pass: number
  readonly withinMs: number | null
  readonly timeoutSeconds: number
  /** The voice of the user. */
  readonly voice: string
  readonly stubs: Rehearsal['tools']
  readonly script: Script
  /** Expectations of the whole conversation. */
  readonly expect: readonly Expectation[]
}

/** The words of the user: written in the test, or made up by a simulated user. */
export type Script =
  | { readonly kind: 'turns'; readonly turns: readonly TestTurn[] }
  | { readonly kind: 'goal'; readonly goal: string; readonly maxTurns: number }

const defaults = { channel: 'text', repeat: 1, timeoutSeconds: 120, voice: 'ash', maxTurns: 8 } as const

/** Reads the tests. Throws all errors in the files. */
export async function readTestPlan(
  files: readonly FoundFile[],
  variables: Variables,
): Promise<readonly PlannedTest[]> {
  const outcomes = await Promise.all(files.map((file) => readTests(file, variables)))
  const errors = outcomes.flatMap((outcome) => (outcome.ok ? [] : outcome.errors))
  if (errors.length > 0) throw new FileErrors(errors)
  return outcomes.flatMap((outcome) => (outcome.ok ? outcome.tests : []))
}

export type TestsOutcome =
  | { readonly ok: true; readonly tests: readonly PlannedTest[] }
  | { readonly ok: false; readonly errors: readonly FileError[] }

async function readTests(found: FoundFile, variables: Variables): Promise<TestsOutcome> {
  const read = await readYamlFile(found)
  return read.ok ? planTests(read.file, variables) : read
}

/** Checks a document, and fills in the defaults of its tests. */
export function planTests(file: YamlFile, variables: Variables): TestsOutcome {
  const filled = fillIn(file.written, variables)
  const errorAt = ({ path, message }: ValueError) => file.errorAt({ path, message: filled.conceal(message) })
  const errors = [...filled.errors]
  const parsed = AgentTestsFile.safeParse(filled.content)
  if (!parsed.success) errors.push(...schemaErrors(parsed.error))
  if (!parsed.success || errors.length > 0) return { ok: false, errors: errors.map(errorAt) }
  const describeMissing = (message: string) => errorAt({ path: ['agent'], message })
  const tests = parsed.data.tests.map((test) =>
    planTest({ file: file.path, describeMissing }, parsed.data, test),
  )
  const wrong = tests.flatMap((test, index) => validateConduct(test, ['tests', index]))
  return wrong.length > 0 ? { ok: false, errors: wrong.map(errorAt) } : { ok: true, tests }
}

function planTest(
  place: Pick<PlannedTest, 'file' | 'describeMissing'>,
  whole: AgentTestsFile,
  test: TestOfFile,
): PlannedTest {
  const conduct = { ...whole.defaults, ...defined(test) }
  const { channel = defaults.channel, repeat = defaults.repeat } = conduct
  return {
    ...place,
    name: test.name,
    agent: whole.agent,
    channel,
    repeat,
    // If a test has fewer runs than the file's `pass`, all of them must pass.
    pass: test.pass ?? Math.min(whole.defaults.pass ?? repeat, repeat),
    withinMs: conduct.withinMs ?? null,
    timeoutSeconds: conduct.timeoutSeconds ?? defaults.timeoutSeconds,
    voice: conduct.voice ?? defaults.voice,
    // Stubs of the test come before those of the file, because the first match answers.
    stubs: [...stubsOf(test.tools), ...stubsOf(whole.tools)],
    script:
      test.turns === undefined
        ? { kind: 'goal', goal: test.goal ?? '', maxTurns: test.maxTurns ?? defaults.maxTurns }
        : { kind: 'turns', turns: test.turns },
    expect: test.expect,
  }
}

function defined({ channel, repeat, withinMs, timeoutSeconds, voice }: TestOfFile) {
  const given = { channel, repeat, withinMs, timeoutSeconds, voice }
  return {
    ...(given.channel !== undefined && { channel: given.channel }),
    ...(given.repeat !== undefined && { repeat: given.repeat }),
    ...(given.withinMs !== undefined && { withinMs: given.withinMs }),
    ...(given.timeoutSeconds !== undefined && { timeoutSeconds: given.timeoutSeconds }),
    ...(given.voice !== undefined && { voice: given.voice }),
  }
}

type Stub = Exclude<ToolStubs, Readonly<Record<string, unknown>>>[number]

/** Converts both notations of stubs into the API's form. */
function stubsOf(stubs: ToolStubs | undefined): Rehearsal['tools'] {
  if (stubs === undefined) return []
  const named: readonly Stub[] = Array.isArray(stubs)
    ? stubs
    : Object.entries(stubs).flatMap(([name, given]) =>
        (Array.isArray(given) ? given : [given]).map((stub) => ({ name, ...stub })),
      )
  return named.map(({ name, output, error, delayMs = 0, arguments: given = {} }) => ({
    name,
    ...(error === undefined ? { output: textOf(output) } : { error }),
    delayMilliseconds: delayMs,
    arguments: given,
  }))
}

function textOf(output: unknown): string {
  return typeof output === 'string' ? output : JSON.stringify(output)
}

/** Returns the errors that can be found only after the defaults are filled in. */
function validateConduct(test: PlannedTest, place: readonly (string | number)[]): ValueError[] {
  const { channel, script, repeat, pass } = test
  const turns = script.kind === 'turns' ? script.turns : []
  const interrupts = turns.flatMap(({ bargeInAfterMs }, index) => {
    const path = [...place, 'turns', index, 'bargeInAfterMs']
    if (bargeInAfterMs === undefined) return []
    if (channel === 'text')
      return [{ path, message: 'requires `channel: voice`. A text conversation has no interruptions.' }]
    return index === 0 ? [{ path, message: 'has no previous answer to interrupt.' }] : []
  })
  const decisions = turns.flatMap((turn, index) =>
    turn.decide === undefined && (turn.then.length > 0 || turn.reason !== undefined)
      ? [
          {
            path: [...place, 'turns', index],
            message: 'needs `decide: approve` or `decide: reject`, because it has `then` or `reason`.',
          },
        ]
      : [],
  )
  const passes =
    pass > repeat
      ? [{ path: [...place, 'pass'], message: `must be at most repeat, which is ${repeat}.` }]
      : []
  return [...interrupts, ...decisions, ...passes]
}
