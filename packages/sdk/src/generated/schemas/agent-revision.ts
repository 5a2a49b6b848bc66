// Generated from the contract by `npm run generate`. Do not edit.

import type { Agent } from '../schemas/agent.js'
import type { Page } from '../../rest/page.js'

/** One page of a list of `AgentRevisionSummary` objects. */
export type AgentRevisionSummaryPage = Page<AgentRevisionSummary>

/** A change to an agent, without the agent itself. */
export interface AgentRevisionSummary {
  /** The ID of the agent. */
  agentId: string
  /** The number of the revision. The revisions of an agent are numbered from 1. */
  number: number
  /** When the change was made (UTC). */
  at: string
  /** The actor who made the change. `null` if the agent is older than the recording of revisions. */
  actor: {
    /**
     * The type of the actor: an API key (`api_key`), a signed-in user (`person`), the client of a realtime
     * session (`session`), an agent (`agent`), the service itself (`system`), or someone using the `parley`
     * command (`operator`).
     */
    type: 'api_key' | 'person' | 'session' | 'agent' | 'system' | 'operator'
    /** The ID of the actor. `null` if it has none. */
    id: string | null
    /** The name of the actor at the time of the action. `null` if it has none. */
    name: string | null
  } | null
  /**
   * The names of the changed fields. `toolSecrets` means that header values of a tool changed. Empty if the
   * agent was created.
   */
  changed: string[]
  /** The number of the restored revision. `null` if the change was not a restore. */
  restoredFrom: number | null
}

/** A change to an agent, including the agent after the change. */
export interface AgentRevision {
  /** The ID of the agent. */
  agentId: string
  /** The number of the revision. The revisions of an agent are numbered from 1. */
  number: number
  /** When the change was made (UTC). */
  at: string
  /** The actor who made the change. `null` if the agent is older than the recording of revisions. */
  actor: {
    /**
     * The type of the actor: an API key (`api_key`), a signed-in user (`person`), the client of a realtime
     * session (`session`), an agent (`agent`), the service itself (`system`), or someone using the `parley`
     * command (`operator`).
     */
    type: 'api_key' | 'person' | 'session' | 'agent' | 'system' | 'operator'
    /** The ID of the actor. `null` if it has none. */
    id: string | null
    /** The name of the actor at the time of the action. `null` if it has none. */
    name: string | null
  } | null
  /**
   * The names of the changed fields. `toolSecrets` means that header values of a tool changed. Empty if the
   * agent was created.
   */
  changed: string[]
  /** The number of the restored revision. `null` if the change was not a restore. */
  restoredFrom: number | null
  /** The agent after the change. The header values of its tools are never returned. */
  agent: Agent
}
