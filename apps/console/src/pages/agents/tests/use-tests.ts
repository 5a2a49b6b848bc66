import type { AgentTest, AgentTestOutcome, AgentTestRun, AgentTestRunSummary } from '@parley/sdk'
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { useConsole } from '../../../data/console-context'

/** An agent may have 100. */
const maxTests = 200
/** The service keeps 20. */
const maxRuns = 20
/** The live stream does not report results of a run. */
const runningMilliseconds = 1000

/** The tests of an agent, oldest first. */
export function useTests(agentId: string): UseQueryResult<readonly AgentTest[]> {
  const { parley } = useConsole()
  return useQuery({
    queryKey: ['AgentTest', agentId],
    queryFn: async () => (await parley.agentTests.list(agentId, { Limit: maxTests })).items.toReversed(),
  })
}

/** The runs of an agent, newest first. */
export function useTestRuns(agentId: string): UseQueryResult<readonly AgentTestRunSummary[]> {
  const { parley } = useConsole()
  return useQuery({
    queryKey: ['AgentTestRun', agentId],
    queryFn: async () => (await parley.agentTestRuns.list(agentId, { Limit: maxRuns })).items,
    refetchInterval: ({ state }) => (state.data?.[0]?.state === 'running' ? runningMilliseconds : false),
  })
}

/** A run with its conversations. It is read again whenever its summary has changed. */
export function useTestRun({
  agentId,
  id,
  state,
  results,
}: AgentTestRunSummary): UseQueryResult<AgentTestRun> {
  const { parley } = useConsole()
  return useQuery({
    queryKey: ['AgentTestRun', agentId, id, state, results.length],
    queryFn: async () => parley.agentTestRuns.get(agentId, id),
    placeholderData: (before) => (before?.id === id ? before : undefined),
    staleTime: Number.POSITIVE_INFINITY,
  })
}

/** Returns the newest verdict of a test in the kept runs, or null. */
export function lastVerdict(
  runs: readonly AgentTestRunSummary[],
  test: Pick<AgentTestOutcome, 'testId' | 'name'>,
): AgentTestOutcome['verdict'] | null {
  for (const { results } of runs)
    for (const { testId, name, verdict } of results)
      if (testId === test.testId && name === test.name) return verdict
  return null
}
