import type { Agent } from '@parley/contract'
import type { ResourceRecord, ResourceStore, UpsertStore } from './resource-store.js'

/** Sealed header values, by tool name and header name. */
export type ToolSecrets = Readonly<Record<string, Readonly<Record<string, string>>>>

export interface AgentRecord extends Readonly<Agent>, ResourceRecord {
  readonly toolSecrets: ToolSecrets
  readonly deletedAt: string | null
}

export interface AgentFilter {
  readonly search?: string | undefined
  /** Only those that MCP clients get as tools of their own. */
  readonly mcpTool?: true | undefined
}

/** An agent and whom it can ask. */
export type AgentLinks = Pick<AgentRecord, 'id' | 'name' | 'subAgentIds'>

export interface AgentStore extends ResourceStore<AgentRecord, AgentFilter>, UpsertStore<AgentRecord> {
  /** The agents of these ids that exist, in no order. */
  findMany(organizationId: string, ids: readonly string[]): Promise<readonly AgentRecord[]>
  /** Makes changes that name sub-agents take turns, until the transaction ends; to be called before any other lock. */
  lockLinks(organizationId: string): Promise<void>
  /** All agents of the organization and whom they can ask, in no order. */
  listLinks(organizationId: string): Promise<readonly AgentLinks[]>
  /** How many agents use this connection, by name or, where it is the default, by naming none. */
  countUsing(organizationId: string, connectionId: string, isDefault: boolean): Promise<number>
}
