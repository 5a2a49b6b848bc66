// Generated from the contract by `npm run generate`. What is changed here is lost.

import type { Agent } from '../schemas/agent.js'
import type { Page } from '../../rest/page.js'

/** One page of a list of AgentRevisionSummary items. */
export type AgentRevisionSummaryPage = Page<AgentRevisionSummary>

/** One change of an agent, without what the agent was after it. */
export interface AgentRevisionSummary {
  /** The agent it is a revision of. */
  agentId: string
  /** Counts from 1 for each agent. */
  number: number
  /** When the agent became so (UTC). */
  at: string
  /** Who changed it; null for what an agent was before its revisions were kept. */
  actor: {
    /**
     * What kind of actor it was; `person` is somebody who has signed in, `session` the client of a realtime
     * session, `operator` the `parley` command.
     */
    type: 'api_key' | 'person' | 'session' | 'agent' | 'system' | 'operator'
    /** The id of the actor. */
    id: string | null
    /** The actor's name at the time. */
    name: string | null
  } | null
  /**
   * The names of the fields that the change has changed; `toolSecrets` stands for header values of tools.
   * Empty for a new agent.
   */
  changed: string[]
  /** The number of the revision that was restored; null for any other change. */
  restoredFrom: number | null
}

/** One change of an agent, and what the agent was after it. */
export interface AgentRevision {
  /** The agent it is a revision of. */
  agentId: string
  /** Counts from 1 for each agent. */
  number: number
  /** When the agent became so (UTC). */
  at: string
  /** Who changed it; null for what an agent was before its revisions were kept. */
  actor: {
    /**
     * What kind of actor it was; `person` is somebody who has signed in, `session` the client of a realtime
     * session, `operator` the `parley` command.
     */
    type: 'api_key' | 'person' | 'session' | 'agent' | 'system' | 'operator'
    /** The id of the actor. */
    id: string | null
    /** The actor's name at the time. */
    name: string | null
  } | null
  /**
   * The names of the fields that the change has changed; `toolSecrets` stands for header values of tools.
   * Empty for a new agent.
   */
  changed: string[]
  /** The number of the revision that was restored; null for any other change. */
  restoredFrom: number | null
  /** The agent as it was after the change. Header values are never shown. */
  agent: Agent
}
