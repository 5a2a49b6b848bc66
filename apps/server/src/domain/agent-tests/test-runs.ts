import {
  type AgentTestRun,
  type AgentTestRunInput,
  type AgentTestRunListQuery,
  type AgentTestRunSummary,
  coversScope,
  maxAgentTestRuns,
  maxTestRunConversations,
  type Page,
} from '@parley/contract'
import type { AgentTestEngine, ReadTest } from '../../ports/agent-test-engine.js'
import type { AgentTestRecord, AgentTestRunRecord } from '../../ports/agent-test-stores.js'
import type { Database, Stores } from '../../ports/database.js'
import type { Clock } from '../../ports/time.js'
import { recordChange } from '../audit/record-change.js'
import type { CallerScope } from '../caller-scope.js'
import { DomainError, invalidRequest, notFound } from '../domain-error.js'
import { listResources, newResource, readResource } from '../resources/resource.js'
import { findAgent } from './agent-tests.js'
import type { RunningTests } from './running-tests.js'

const type = 'AgentTestRun'
/** More than `maxAgentTests`, so that one page has all tests of an agent. */
const allTests = { offset: 0, limit: 200 }

interface TestRunsDependencies {
  readonly database: Database
  readonly clock: Clock
  readonly engine: AgentTestEngine
  readonly running: RunningTests
  readonly instanceId: string
}

interface MeantRun {
  readonly agentId: string
  readonly agentTestRunId: string
}

export type TestRuns = ReturnType<typeof makeTestRuns>

/** The runs of stored tests. */
export function makeTestRuns({ database, clock, engine, running, instanceId }: TestRunsDependencies) {
  const kind = { type, clock, store: (stores: Stores) => stores.agentTestRuns }

  async function read(scope: CallerScope, { agentId, agentTestRunId }: MeantRun): Promise<AgentTestRun> {
    const found = await readResource(kind, scope, agentTestRunId)
    await findAgent(scope, agentId)
    if (found.agentId !== agentId) throw notFound(type)
    return { ...found, results: await scope.stores.agentTestRuns.results(found.id) }
  }

  /** Returns the tests in the order of their creation. Throws if a definition is no longer valid. */
  async function countTests(records: readonly AgentTestRecord[]): Promise<number> {
    const tests: ReadTest[] = []
    for (const { name, definition, agentId } of records) {
      const outcome = await engine.read({ definition, agentId, agentNames: null })
      if (!outcome.ok)
        throw new DomainError('Conflict', `${name} is not valid. Correct it: ${outcome.mistakes[0]}`)
      tests.push(...outcome.tests)
    }
    const conversations = tests.reduce((sum, { repetitions }) => sum + repetitions, 0)
    if (conversations <= maxTestRunConversations) return tests.length
    const detail = `These tests have ${conversations} conversations, and a run may have at most ${maxTestRunConversations}. Run fewer at once, or lower \`repeat\`.`
    throw new DomainError('Conflict', detail)
  }

  return {
    async list(
      scope: CallerScope,
      agentId: string,
      query: AgentTestRunListQuery,
    ): Promise<Page<AgentTestRunSummary>> {
      await findAgent(scope, agentId)
      const page = await listResources(kind, scope, { query, filter: { agentId } })
      const outcomes = await scope.stores.agentTestRuns.outcomes(page.items.map(({ id }) => id))
      return { ...page, items: page.items.map((run) => ({ ...run, results: outcomes.get(run.id) ?? [] })) }
    },

    read,

    /** Starts a run on this instance. */
    async start(scope: CallerScope, agentId: string, input: AgentTestRunInput): Promise<AgentTestRun> {
      const { caller } = scope
      if (!coversScope(caller.scopes, 'question:ask'))
        throw new DomainError('Forbidden', 'Tests ask the agent. The key needs the scope question:ask.')
      if (running.isStopped)
        throw new DomainError('Unavailable', 'This instance is shutting down. Start the run again.', {
          retryAfterSeconds: 1,
        })
      await findAgent(scope, agentId)
      await requireHelpers(scope, input)
      const tests = await chosenTests(scope, agentId, input)
      const { testIds: _, ...helpers } = input
      const testCount = await countTests(tests)
      const run: AgentTestRunRecord = {
        ...newResource(clock, caller.organizationId),
        agentId,
        ...helpers,
        testCount,
        instanceId,
        actor: caller.actor,
        state: 'running',
        failure: null,
        endedAt: null,
      }
      const owned = database.ownedBy({ organizationId: caller.organizationId, kind: 'call' })
      await owned.transaction(async (stores) => {
        const outcome = await stores.agentTestRuns.insert(run)
        if (outcome === 'duplicate')
          throw new DomainError(
            'Conflict',
            'A test run of this agent is active. Wait for its end, or stop it.',
          )
        await stores.agentTestRuns.removeOlder(agentId, maxAgentTestRuns)
        const details = { agentId, tests: testCount }
        const change = { action: 'agent_test_run.start', type, id: run.id, details }
        await recordChange(clock, { stores, caller }, change)
      })
      running.start({ run, tests, caller })
      return { ...run, results: [] }
    },

    async stop(scope: CallerScope, meant: MeantRun): Promise<AgentTestRun> {
      const { id } = await read(scope, meant)
      const at = clock.now().toISOString()
      if (await scope.stores.agentTestRuns.end(id, { state: 'stopped', failure: null }, at)) {
        const details = { agentId: meant.agentId }
        await recordChange(clock, scope, { action: 'agent_test_run.stop', type, id, details })
        running.leave(id)
      }
      return read(scope, meant)
    },
  }
}

async function requireHelpers(
  { stores, caller }: CallerScope,
  { judgeAgentId, userAgentId }: AgentTestRunInput,
): Promise<void> {
  const wanted = Object.entries({ judgeAgentId, userAgentId }).filter(([, id]) => id !== null)
  const ids = wanted.flatMap(([, id]) => id ?? [])
  const known = (await stores.agents.findMany(caller.organizationId, ids)).map(({ id }) => id)
  const errors = wanted.flatMap(([path, id]) =>
    id === null || known.includes(id) ? [] : [{ path, message: 'must be an agent of this organization' }],
  )
  if (errors.length > 0) throw invalidRequest(errors)
}

async function chosenTests(
  { stores, caller }: CallerScope,
  agentId: string,
  { testIds }: AgentTestRunInput,
): Promise<readonly AgentTestRecord[]> {
  const { items } = await stores.agentTests.list(caller.organizationId, { agentId }, allTests)
  if (items.length === 0) throw new DomainError('Conflict', 'This agent has no tests. Create one first.')
  const unknown = (testIds ?? []).some((id) => items.every((test) => test.id !== id))
  if (unknown) throw invalidRequest([{ path: 'testIds', message: 'must be tests of this agent' }])
  return items.filter(({ id }) => testIds === null || testIds.includes(id)).reverse()
}
