import { writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { connect, type Environment, type ServiceOptions, variablesOf } from '@parley/agents-as-code'
import { Parley } from '@parley/sdk'
import { exitCodes, type Output, UsageError } from '@parley/terminal'
import { type AgentFiles, applyAgents, readConnectionKeys } from './apply-agents.js'
import { findTestFiles } from './find-test-files.js'
import { KnownAgents } from './known-agents.js'
import type { SentenceMeaning } from './opinions.js'
import { openTraffic, type ProviderTraffic, scopeOf } from './provider-traffic.js'
import { RecordedCasts } from './recorded-casts.js'
import type { MakeConcealer } from './replay/scrubber.js'
import { describeJunit, describeProgress, showReport } from './report.js'
import { runTests, type TestOutcome } from './run-tests.js'
import { makeStage } from './stage.js'
import { type PlannedTest, readTestPlan } from './test-plan.js'
import type { SpeakingVoice } from './user-microphone.js'

export interface TestOptions extends ServiceOptions {
  /** Files or folders of agents, for a service that the command starts. */
  readonly agents?: readonly string[]
  /** Environment variables that any field may use. */
  readonly env?: readonly string[]
  readonly only?: string
  readonly junit?: string
  readonly parallel?: number
  readonly parallelVoice?: number
  /** The agents that judge and that play the user. */
  readonly judge?: string
  readonly user?: string
  readonly record?: string
  readonly replay?: string
}

/** A service that exists only for these tests. */
export interface OwnService {
  readonly url: string
  readonly organizationId: string
  readonly apiKey: string
  close(): Promise<void>
}

/** The parts of the installation that the command uses. */
export interface AgentTestParts {
  startService(env: Environment): Promise<OwnService>
  /** Removes secrets from recordings. */
  readonly conceal: MakeConcealer
  readonly speaker: SpeakingVoice
  readonly meaning: SentenceMeaning
  close(): Promise<void>
}

export interface TestContext {
  readonly output: Output
  readonly env: Environment
  readonly parts: AgentTestParts
  /** Stops the runs, which then clean up. */
  readonly interruption: AbortSignal
}

const defaultParallel = 4
/** Voice runs depend on timing, and the built-in engine shares this machine with them. */
const defaultParallelVoice = 1

/** Runs `parley test` and returns its exit code: 0 passed, 1 failed, 2 could not be run. */
export async function runTestCommand(
  context: TestContext,
  paths: readonly string[],
  options: TestOptions,
): Promise<number> {
  const { output, env, interruption } = context
  const startedAt = new Date().toISOString()
  requireSense(options)
  const variables = variablesOf(env, { named: options.env, key: options.key })
  const planned = await readTestPlan(await findTestFiles(paths), variables)
  const tests = planned.filter(({ name }) => options.only === undefined || name.includes(options.only))
  if (tests.length === 0) throw new UsageError(`No test name contains ${options.only}.`)
  let milliseconds = 0
  const outcomes = await withService(context, { tests, options }, async (service) => {
    const testsStartedAt = performance.now()
    const ended = await runAll({ ...service, context, options }, tests)
    milliseconds = performance.now() - testsStartedAt
    return ended
  })
  const missing = tests.length - outcomes.length
  showReport(output, outcomes, { missing, milliseconds })
  if (options.junit !== undefined) await writeFile(options.junit, describeJunit(outcomes, startedAt))
  if (outcomes.some(({ kind }) => kind === 'failed')) return exitCodes.failed
  const isWhole = missing === 0 && outcomes.every(({ kind }) => kind === 'passed')
  return isWhole && !interruption.aborted ? exitCodes.fine : exitCodes.misused
}

function requireSense({ url, agents, record, replay }: TestOptions): void {
  if (record !== undefined && replay !== undefined)
    throw new UsageError('--record and --replay cannot be used together.')
  if (url === undefined) return
  if (agents !== undefined)
    throw new UsageError(
      '--agents needs a service that the command starts. With --url, apply the files with parley apply.',
    )
  if (record !== undefined || replay !== undefined)
    throw new UsageError(
      '--record and --replay need a service that the command starts, because they replace its providers. Omit --url.',
    )
}

interface ServiceInUse {
  readonly parley: Parley
  readonly url: string
  /** The files that were applied, or null for a running service. */
  readonly files: AgentFiles | null
}

/** Calls `use` with the named service, or with a new one that is removed afterwards. */
async function withService<Result>(
  { output, env, parts }: TestContext,
  { tests, options }: { readonly tests: readonly PlannedTest[]; readonly options: TestOptions },
  use: (service: ServiceInUse) => Promise<Result>,
): Promise<Result> {
  if (options.url !== undefined) {
    const { parley, url } = connect(options, env)
    return use({ parley, url, files: null })
  }
  output.note('Starting a service for these tests.')
  const own = await parts.startService(env)
  try {
    const { url, organizationId, apiKey } = own
    const parley = new Parley({ baseUrl: url, organizationId, apiKey })
    const beside = [...new Set(tests.map(({ file }) => dirname(file)))]
    const files = {
      url,
      organizationId,
      paths: options.agents ?? beside,
      variables: variablesOf(env, { named: options.env }),
      areKeysNeeded: options.replay === undefined,
    }
    await applyAgents(parley, files)
    return await use({ parley, url, files })
  } finally {
    await own.close()
  }
}

interface Running extends ServiceInUse {
  readonly context: TestContext
  readonly options: TestOptions
}

async function runAll(running: Running, tests: readonly PlannedTest[]): Promise<readonly TestOutcome[]> {
  const { context, options, parley, url } = running
  const { output, parts, interruption } = context
  const agents = await KnownAgents.read(parley)
  const tested = agents.findTested(tests)
  const judgeId = agents.findOption('--judge', options.judge)
  const userId = agents.findOption('--user', options.user) ?? judgeId
  const traffic = await openTraffic(options, parts.conceal)
  const casts = traffic === null ? null : await makeCasts(running, traffic)
  const stage = makeStage({
    parley,
    voice: { parley, url, speaker: parts.speaker },
    meaning: parts.meaning,
    async castOf(test, run) {
      const cast = { agentId: tested.get(test) ?? '', judgeId, userId }
      return casts === null ? cast : casts.castFor(scopeOf(test, run), cast)
    },
  })
  let done = 0
  try {
    return await runTests(stage, tests, {
      parallel: options.parallel ?? defaultParallel,
      parallelVoice: options.parallelVoice ?? defaultParallelVoice,
      interruption,
      onTest: (outcome) => {
        done += 1
        output.note(describeProgress(outcome, done, tests.length))
      },
    })
  } finally {
    const problems = (await traffic?.close()) ?? []
    for (const problem of problems) output.note(`Differs from the recording: ${problem} Record it again.`)
  }
}

async function makeCasts(
  { parley, files, context }: Running,
  traffic: ProviderTraffic,
): Promise<RecordedCasts> {
  const keys = files === null ? new Map<string, string>() : await readConnectionKeys(files)
  return new RecordedCasts({ parley, traffic, keys, defaultKey: context.env.OPENAI_API_KEY ?? null })
}
