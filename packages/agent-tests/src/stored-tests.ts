import { type FileError, readYamlText } from '@parley/agents-as-code'
import type { TextService } from './exchange.js'
import type { SentenceMeaning } from './opinions.js'
import { type Cast, runTests, type TestOutcome } from './run-tests.js'
import { makeStage } from './stage.js'
import { type PlannedTest, planTests, type TestsOutcome } from './test-plan.js'

/** Tests that a service stores and runs itself, in the format of the files. */
export interface StoredTests {
  readonly definition: string
  readonly agentId: string
  /** The names by which the definition may refer to the agent. `null` means any. */
  readonly agentNames: readonly string[] | null
}

/** The environment of a service is not for its users. */
const noVariables = { environment: {}, named: new Set<string>(), ownKey: null }

/** Reads a stored definition. The agent may be left out, because the tests belong to it. */
export function readStoredTests({ definition, agentId, agentNames }: StoredTests): TestsOutcome {
  try {
    const read = readYamlText(definition, '')
    if (!read.ok) return read
    const { written } = read.file
    const isMap = typeof written === 'object' && written !== null && !Array.isArray(written)
    const whole = isMap ? { agent: agentId, ...written } : written
    const outcome = planTests({ ...read.file, written: whole }, noVariables)
    const [test] = outcome.ok ? outcome.tests : []
    if (test === undefined || agentNames === null || [agentId, ...agentNames].includes(test.agent))
      return outcome
    const error = test.describeMissing(
      `is ${test.agent}, but these are tests of ${agentNames[0] ?? agentId}. Leave it out.`,
    )
    return { ok: false, errors: [error] }
  } catch {
    // Documents with endless aliases or thousands of levels exhaust the stack.
    return { ok: false, errors: [{ ...top, message: 'is nested too deeply.' }] }
  }
}

const top: FileError = { file: '', line: 1, column: 1, field: '', message: '' }

export interface StoredTestsRun {
  readonly tests: readonly PlannedTest[]
  readonly service: TextService
  readonly meaning: SentenceMeaning
  readonly cast: Cast
  /** Stops the run. */
  readonly signal: AbortSignal
  readonly onTest: (outcome: TestOutcome) => void
}

const parallel = 4

/** Runs the tests that talk in text. Tests by voice get no verdict. */
export async function runStoredTests(run: StoredTestsRun): Promise<void> {
  const { tests, service, meaning, cast, signal, onTest } = run
  const stage = makeStage({ parley: service, voice: null, meaning, castOf: async () => cast })
  await runTests(stage, tests, { parallel, parallelVoice: 1, interruption: signal, onTest })
}
