import type { Agent, AgentRevisionSummary } from '@parley/contract'
import type { ToolSecrets } from './agent-store.js'
import type { PageRequest, RecordPage } from './resource-store.js'

/** One change of an agent, and what the agent was after it. */
export interface AgentRevisionRecord extends Readonly<AgentRevisionSummary> {
  readonly organizationId: string
  readonly agent: Agent
  /** The header values of that time, sealed as those of the agent itself are. */
  readonly toolSecrets: ToolSecrets
}

/** What agents were. Whatever writes here holds the lock of the agent's row: that is what makes numbers follow each other. */
export interface AgentRevisionStore {
  /** The highest number of the agent's revisions; 0 where it has none. */
  lastNumber(agentId: string): Promise<number>
  insert(record: AgentRevisionRecord): Promise<void>
  /** Removes the revisions up to this number. */
  removeThrough(agentId: string, number: number): Promise<void>
  /** Removes all revisions of an agent. */
  removeAll(agentId: string): Promise<void>
  /** One page of the agent's revisions, newest first, without the agents themselves. */
  list(
    organizationId: string,
    agentId: string,
    page: PageRequest,
  ): Promise<RecordPage<Readonly<AgentRevisionSummary>>>
  find(organizationId: string, agentId: string, number: number): Promise<AgentRevisionRecord | null>
  /** The numbers of the agent's revisions that hold header values, in no order. */
  numbersWithSecrets(organizationId: string, agentId: string): Promise<readonly number[]>
  /** Writes the header values of a revision anew, sealed with another secret. */
  updateSecrets(agentId: string, number: number, toolSecrets: ToolSecrets): Promise<void>
}
