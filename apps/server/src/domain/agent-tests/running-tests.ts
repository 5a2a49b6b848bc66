import type { AgentTestEngine, FreshResult } from '../../ports/agent-test-engine.js'
import type { AgentTestRecord, AgentTestRunEnd, AgentTestRunRecord } from '../../ports/agent-test-stores.js'
import type { Log } from '../../ports/log.js'
import type { Timers } from '../../ports/time.js'
import type { Caller } from '../caller-scope.js'
import { storable } from '../storable-text.js'
import { makeRehearsalService, type RehearsalServiceDependencies } from './rehearsal-service.js'

export interface RunningTestsDependencies extends RehearsalServiceDependencies {
  readonly timers: Timers
  readonly log: Log
  readonly engine: AgentTestEngine
}

/** A stored run, its tests and the caller who has started it. */
interface StartedRun {
  readonly run: AgentTestRunRecord
  readonly tests: readonly AgentTestRecord[]
  readonly caller: Caller
}

const processEnded = 'The service ended before the run did. Start it again.'
const maxTranscriptCharacters = 20_000
const maxUnmetCharacters = 2000
const maxUnmet = 20

/**
 * The test runs of this instance. A run of an instance that has died is marked as failed by another one, or by the next
 * start. A run
 * that a caller stops on another instance ends here when its next result cannot be stored.
 */
export class RunningTests {
  readonly #dependencies: RunningTestsDependencies
  #isStopped = false
  readonly #running = new Map<string, { readonly stop: AbortController; readonly done: Promise<void> }>()

  constructor(dependencies: RunningTestsDependencies) {
    this.#dependencies = dependencies
  }

  /** Runs the tests in the background and stores their results. */
  start(started: StartedRun): void {
    const { id } = started.run
    const stop = new AbortController()
    const done = this.#run(started, stop).finally(() => this.#running.delete(id))
    this.#running.set(id, { stop, done })
  }

  /** Leaves the conversations of a run that a caller has stopped. */
  leave(id: string): void {
    this.#running.get(id)?.stop.abort()
  }

  /** Whether the process ends and starts no more runs. */
  get isStopped(): boolean {
    return this.#isStopped
  }

  /** Ends all runs, because the process ends. Waits until they have left their conversations. */
  async stop(milliseconds: number): Promise<void> {
    const { timers } = this.#dependencies
    this.#isStopped = true
    const all = [...this.#running].map(async ([id, { stop, done }]) => {
      await this.#end(id, { state: 'failed', failure: processEnded })
      stop.abort()
      await done
    })
    await timers.within(milliseconds, Promise.all(all))
  }

  /** Ends the runs of instances that have stopped. */
  closeLost(leaseSeconds: number): Promise<number> {
    return this.#dependencies.database.stores.agentTestRuns.closeLost(leaseSeconds, processEnded)
  }

  async #run({ run, tests, caller }: StartedRun, stop: AbortController): Promise<void> {
    const { engine, log } = this.#dependencies
    let storing: Promise<void> = Promise.resolve()
    const store = async (position: number, result: FreshResult) => {
      if (!stop.signal.aborted && !(await this.#addResult(run, position, result))) stop.abort()
    }
    try {
      await engine.run({
        definitions: tests.map(({ id, agentId, definition }) => ({
          testId: id,
          agentId,
          definition,
          agentNames: null,
        })),
        judgeId: run.judgeAgentId,
        userId: run.userAgentId ?? run.judgeAgentId,
        service: makeRehearsalService(this.#dependencies, caller),
        signal: stop.signal,
        onResult: (position, result) => {
          storing = storing.then(() => store(position, result))
          // Awaited below. Until then a rejection must not count as unhandled.
          storing.catch(() => stop.abort())
        },
      })
      await storing
      await this.#end(run.id, { state: 'completed', failure: null })
    } catch (error) {
      log.error({ err: error, agentTestRunId: run.id }, 'a test run failed')
      const failure = 'The run failed because of an error in the service. Start it again.'
      await this.#end(run.id, { state: 'failed', failure }).catch(() => undefined)
    }
  }

  #addResult(run: AgentTestRunRecord, position: number, result: FreshResult): Promise<boolean> {
    const { database } = this.#dependencies
    const owned = database.ownedBy({ organizationId: run.organizationId, kind: 'call' })
    return owned.transaction(async ({ agentTestRuns }) => {
      const previousVerdict = await agentTestRuns.previousVerdict(run, result)
      return agentTestRuns.addResult(run.id, position, { ...bounded(result), previousVerdict })
    })
  }

  #end(id: string, end: AgentTestRunEnd): Promise<boolean> {
    const { database, clock } = this.#dependencies
    return database.stores.agentTestRuns.end(id, end, clock.now().toISOString())
  }
}

/** Shortens what models and tools have said, and removes what a database cannot store. */
function bounded(result: FreshResult): FreshResult {
  let left = maxTranscriptCharacters
  const transcript = result.transcript.flatMap((line) => {
    if (left <= 0) return []
    const kept = cut(line, left)
    left -= line.length
    return [kept]
  })
  const unmet = result.unmet.slice(0, maxUnmet).map(({ expectation, expected, actual }) => ({
    expectation,
    expected: cut(expected, maxUnmetCharacters),
    actual: cut(actual, maxUnmetCharacters),
  }))
  return { ...result, reason: result.reason && cut(result.reason, maxUnmetCharacters), unmet, transcript }
}

function cut(text: string, length: number): string {
  return storable(text.length > length ? `${text.slice(0, length)}…` : text)
}
