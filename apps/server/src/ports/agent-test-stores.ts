import type { AgentTest, AgentTestOutcome, AgentTestResult, AgentTestRun } from '@parley/contract'
import type { ResourceRecord, ResourceStore } from './resource-store.js'

export interface AgentTestRecord extends Readonly<AgentTest>, ResourceRecord {}

export interface AgentTestFilter {
  readonly agentId?: string | undefined
}

export interface AgentTestStore extends ResourceStore<AgentTestRecord, AgentTestFilter> {
  /** Removes the tests of an agent. */
  removeAll(agentId: string): Promise<void>
}

export interface AgentTestRunRecord extends Readonly<Omit<AgentTestRun, 'results'>>, ResourceRecord {
  /** The instance that runs the tests. */
  readonly instanceId: string
}

/** How a run ended. */
export type AgentTestRunEnd = Pick<AgentTestRunRecord, 'state' | 'failure'>

/** Runs of tests and their results. At most one run of an agent is running: a second insert is a duplicate. */
export interface AgentTestRunStore extends ResourceStore<AgentTestRunRecord, AgentTestFilter> {
  /** Ends the run. Returns false if it has ended already. */
  end(id: string, end: AgentTestRunEnd, at: string): Promise<boolean>
  /** Adds the result at this position. Returns false, and adds nothing, if the run has ended. */
  addResult(id: string, position: number, result: AgentTestResult): Promise<boolean>
  /** Returns the newest verdict of this test in another run, or null if there is none. */
  previousVerdict(
    run: Pick<AgentTestRunRecord, 'id' | 'agentId'>,
    test: Pick<AgentTestOutcome, 'testId' | 'name'>,
  ): Promise<AgentTestOutcome['verdict'] | null>
  /** Returns the results of a run, in the order of the tests. */
  results(id: string): Promise<AgentTestResult[]>
  /** Returns the results of several runs without their conversations, in the order of the tests. */
  outcomes(ids: readonly string[]): Promise<ReadonlyMap<string, AgentTestOutcome[]>>
  /** Removes all runs of the agent except the `kept` newest. */
  removeOlder(agentId: string, kept: number): Promise<void>
  /** Removes the runs of an agent. */
  removeAll(agentId: string): Promise<void>
  /** Ends the runs whose instance has no lease. Returns their number. */
  closeLost(leaseSeconds: number, failure: string): Promise<number>
}
