// Generated from the contract by `npm run generate`. What is changed here is lost.

import type { Agent } from '../schemas/agent.js'
import type { Page } from '../../rest/page.js'

/** One page of a list of AgentRevisionSummary items. */
export type AgentRevisionSummaryPage = Page<AgentRevisionSummary>

/** One change of an agent, without the agent itself. */
export interface AgentRevisionSummary {
  /** The agent that this revision belongs to. */
  agentId: string
  /** The number of the revision, counted from 1 for each agent. */
  number: number
  /** When this revision was made (UTC). */
  at: string
  /** Who made the change. Null for the state of an agent before revisions were recorded. */
  actor: {
    /**
     * The kind of actor: `person` is a signed-in user, `session` the client of a realtime session, `operator`
     * the `parley` command.
     */
    type: 'api_key' | 'person' | 'session' | 'agent' | 'system' | 'operator'
    /** The id of the actor. */
    id: string | null
    /** The actor's name at the time. */
    name: string | null
  } | null
  /** The names of the changed fields. `toolSecrets` stands for header values of tools. Empty for a new agent. */
  changed: string[]
  /** The number of the restored revision. Null for any other change. */
  restoredFrom: number | null
}

/** One change of an agent, with the agent after the change. */
export interface AgentRevision {
  /** The agent that this revision belongs to. */
  agentId: string
  /** The number of the revision, counted from 1 for each agent. */
  number: number
  /** When this revision was made (UTC). */
  at: string
  /** Who made the change. Null for the state of an agent before revisions were recorded. */
  actor: {
    /**
     * The kind of actor: `person` is a signed-in user, `session` the client of a realtime session, `operator`
     * the `parley` command.
     */
    type: 'api_key' | 'person' | 'session' | 'agent' | 'system' | 'operator'
    /** The id of the actor. */
    id: string | null
    /** The actor's name at the time. */
    name: string | null
  } | null
  /** The names of the changed fields. `toolSecrets` stands for header values of tools. Empty for a new agent. */
  changed: string[]
  /** The number of the restored revision. Null for any other change. */
  restoredFrom: number | null
  /** The agent as it was after the change. Header values are never shown. */
  agent: Agent
}
