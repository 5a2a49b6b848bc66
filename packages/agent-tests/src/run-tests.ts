import { setTimeout as wait } from 'node:timers/promises'
import { ApiError } from '@parley/sdk'
import type { Opinions } from './check-exchange.js'
import { BrokenRun, type Talk, type TalkOptions, type TextService } from './exchange.js'
import { type NextMessage, type RunOutcome, RunRecord, runGoal, runTurns } from './run-once.js'
import type { PlannedTest } from './test-plan.js'

/** The outcome of all runs of a test. */
export interface TestOutcome {
  readonly test: PlannedTest
  readonly kind: RunOutcome['kind']
  readonly passed: number
  readonly runs: readonly RunOutcome[]
  readonly milliseconds: number
}

/** The agents of one run. With a recording, each run has copies whose provider is the recorder or player. */
export interface Cast {
  readonly agentId: string
  readonly judgeId: string | null
  readonly userId: string | null
}

/** The parts that tests run with. */
export interface TestStage {
  readonly parley: TextService
  castOf(test: PlannedTest, run: number): Promise<Cast>
  startTalk(test: PlannedTest, options: TalkOptions): Promise<Talk>
  opinionsOf(cast: Cast, record: RunRecord, signal: AbortSignal): Opinions
  /** Makes a simulated user with this goal. `close` deletes its conversation. */
  playUser(
    cast: Cast,
    goal: string,
    signal: AbortSignal,
  ): { readonly nextMessage: NextMessage; close(): Promise<void> }
}

export interface RunSettings {
  /** The number of concurrent runs in text and by voice. Voice runs depend on timing. */
  readonly parallel: number
  readonly parallelVoice: number
  /** Stops all runs. */
  readonly interruption: AbortSignal
  readonly onTest: (outcome: TestOutcome) => void
}

const tidyingMilliseconds = 5000

interface Job {
  readonly test: PlannedTest
  readonly run: number
}

/** Runs all tests with their repetitions. Returns the outcomes in the order of the tests. */
export async function runTests(
  stage: TestStage,
  tests: readonly PlannedTest[],
  settings: RunSettings,
): Promise<readonly TestOutcome[]> {
  const runs = new Map<PlannedTest, RunOutcome[]>(tests.map((test) => [test, []]))
  const outcomes = new Map<PlannedTest, TestOutcome>()
  const work = async (jobs: Iterator<Job>) => {
    for (let next = jobs.next(); !next.done && !settings.interruption.aborted; next = jobs.next()) {
      const { test, run } = next.value
      const outcome = await runTest(stage, test, { run, interruption: settings.interruption })
      const done = runs.get(test) ?? []
      done.push(outcome)
      if (done.length < test.repeat) continue
      outcomes.set(test, sumUp(test, done))
      settings.onTest(sumUp(test, done))
    }
  }
  const crew = (channel: PlannedTest['channel'], size: number) => {
    const jobs = jobsOf(tests.filter((test) => test.channel === channel))
    return Array.from({ length: size }, () => work(jobs))
  }
  await Promise.all([...crew('text', settings.parallel), ...crew('voice', settings.parallelVoice)])
  return tests.flatMap((test) => outcomes.get(test) ?? [])
}

function* jobsOf(tests: readonly PlannedTest[]): Generator<Job, void, undefined> {
  for (const test of tests) for (let run = 1; run <= test.repeat; run += 1) yield { test, run }
}

function sumUp(test: PlannedTest, runs: readonly RunOutcome[]): TestOutcome {
  const passed = runs.filter(({ kind }) => kind === 'passed').length
  const isBroken = runs.some(({ kind }) => kind === 'broken')
  return {
    test,
    kind: passed >= test.pass ? 'passed' : isBroken ? 'broken' : 'failed',
    passed,
    runs,
    milliseconds: runs.reduce((sum, { milliseconds }) => sum + milliseconds, 0),
  }
}

async function runTest(
  stage: TestStage,
  test: PlannedTest,
  { run, interruption }: { readonly run: number; readonly interruption: AbortSignal },
): Promise<RunOutcome> {
  const startedAt = performance.now()
  const timeout = AbortSignal.timeout(test.timeoutSeconds * 1000)
  const signal = AbortSignal.any([interruption, timeout])
  const record = new RunRecord()
  const outcome = (kind: RunOutcome['kind'], reason: string | null = null): RunOutcome => ({
    kind,
    reason,
    misses: record.misses,
    transcript: record.transcript,
    milliseconds: performance.now() - startedAt,
  })
  const performing = perform(stage, test, { run, record, signal })
  try {
    await Promise.race([performing, aborted(signal)])
    return outcome(record.misses.length === 0 ? 'passed' : 'failed')
  } catch (error) {
    // Waits a while for the run to clean up, because that may hang as well.
    await Promise.race([performing.catch(() => undefined), wait(tidyingMilliseconds)])
    if (timeout.aborted) {
      const wanted = `an end within ${test.timeoutSeconds} s`
      record.misses.push({ expectation: 'timeoutSeconds', wanted, got: 'none' })
      return outcome('failed')
    }
    return outcome('broken', interruption.aborted ? 'It was interrupted.' : reasonOf(error))
  }
}

async function perform(
  stage: TestStage,
  test: PlannedTest,
  { run, record, signal }: { readonly run: number; readonly record: RunRecord; readonly signal: AbortSignal },
): Promise<void> {
  const cast = await stage.castOf(test, run)
  const { agentId } = cast
  const talk = await stage.startTalk(test, {
    parley: stage.parley,
    agentId,
    stubs: test.stubs,
    context: test.context,
    signal,
  })
  try {
    const opinions = stage.opinionsOf(cast, record, signal)
    const running = { test, talk, record, opinions }
    const { script } = test
    if (script.kind === 'turns') return await runTurns(running, script.turns)
    const user = stage.playUser(cast, script.goal, signal)
    try {
      await runGoal(running, user.nextMessage, script.maxTurns)
    } finally {
      await user.close()
    }
  } finally {
    await talk.close()
  }
}

/** Rejects when the signal aborts, even if the run hangs. */
function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const fail = () => reject(new BrokenRun('The time is up.'))
    if (signal.aborted) fail()
    else signal.addEventListener('abort', fail, { once: true })
  })
}

function reasonOf(error: unknown): string {
  if (error instanceof ApiError) return `The service answered ${error.status}: ${error.message}`
  return error instanceof Error ? error.message : String(error)
}
