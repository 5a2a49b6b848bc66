import type { Connection } from '@parley/contract'
import type { AgentRecord } from './agent-store.js'
import type { ResourceRecord, ResourceStore, UpsertStore } from './resource-store.js'

export interface ConnectionRecord extends Readonly<Omit<Connection, 'hasApiKey'>>, ResourceRecord {
  readonly sealedApiKey: string | null
  /** Whether the operator's environment made it, and keeps its key and address up to date. */
  readonly isFromEnvironment: boolean
}

/** A connection, where there is still one, and the model of the agent that uses it. */
export interface ConnectionWithAgent {
  readonly connection: ConnectionRecord | null
  readonly model: string | null
}

export interface ConnectionFilter {
  readonly search?: string | undefined
}

export interface ConnectionStore
  extends ResourceStore<ConnectionRecord, ConnectionFilter>,
    UpsertStore<ConnectionRecord> {
  /** Whether the connection exists; it cannot be deleted until the transaction ends. */
  holdExisting(organizationId: string, id: string): Promise<boolean>
  /** Makes changes that may move the default mark take turns, until the transaction ends; to be called before any other lock. */
  lockDefault(organizationId: string): Promise<void>
  /**
   * Takes the default mark from every connection but this one, as a change of this moment; needs `lockDefault`. Returns
   * the ids of those that had it.
   */
  clearDefaultExcept(organizationId: string, id: string, at: string): Promise<readonly string[]>
  /** The connection an agent uses: the one it names, or the organization's default where it names none. */
  findForAgent(organizationId: string, connectionId: string | null): Promise<ConnectionRecord | null>
  /** The same together with the agent, for whoever has not read it yet; null where there is no such agent. */
  findOfAgent(
    organizationId: string,
    agentId: string,
  ): Promise<{ readonly agent: AgentRecord; readonly connection: ConnectionRecord | null } | null>
  /** A connection together with the model of an agent, where there is still such an agent; else null. */
  findWithAgent(
    organizationId: string,
    connectionId: string,
    agentId: string,
  ): Promise<ConnectionWithAgent | null>
  /** How many connections speak for the chat model of this one. */
  countSpeakingFor(organizationId: string, id: string): Promise<number>
  /** The built-in engine that every organization begins with, speaking for nobody else; null where it was deleted. */
  findBuiltIn(organizationId: string): Promise<ConnectionRecord | null>
  /** The connections that the environment made, locked: one to its provider, one of the engine that speaks for it. */
  lockFromEnvironment(organizationId: string): Promise<readonly ConnectionRecord[]>
}
