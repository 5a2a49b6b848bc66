import { makeAgentTestEngine } from '../adapters/agent-tests/agent-test-engine.js'
import { type AgentTests, makeAgentTests } from '../domain/agent-tests/agent-tests.js'
import { RunningTests, type RunningTestsDependencies } from '../domain/agent-tests/running-tests.js'
import { makeTestRuns, type TestRuns } from '../domain/agent-tests/test-runs.js'
import { openMeaning } from './sentence-meaning.js'

export interface ComposedStoredTests {
  readonly agentTests: AgentTests
  readonly testRuns: TestRuns
  /** The runs of this instance. */
  readonly tests: RunningTests
}

/** Composes the tests that the service stores and runs. */
export function composeStoredTests(
  options: Omit<RunningTestsDependencies, 'engine'> & { readonly instanceId: string },
): ComposedStoredTests {
  const engine = makeAgentTestEngine(openMeaning)
  const running = new RunningTests({ ...options, engine })
  const testRuns = makeTestRuns({ ...options, engine, running })
  return { agentTests: makeAgentTests({ ...options, engine }), testRuns, tests: running }
}
