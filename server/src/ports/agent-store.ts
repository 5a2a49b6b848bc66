import type { Agent } from '@parley/contract'
import type { ResourceRecord, ResourceStore } from './resource-store.js'

/** Sealed header values, by tool name and header name. */
export type ToolSecrets = Readonly<Record<string, Readonly<Record<string, string>>>>

export interface AgentRecord extends Readonly<Agent>, ResourceRecord {
  readonly toolSecrets: ToolSecrets
  readonly deletedAt: string | null
}

export interface AgentFilter {
  readonly search?: string | undefined
}

export interface AgentStore extends ResourceStore<AgentRecord, AgentFilter> {
  /** The agents of these ids that exist, in no order. */
  findMany(organizationId: string, ids: readonly string[]): Promise<readonly AgentRecord[]>
  /** How many agents use this connection, by name or, where it is the default, by naming none. */
  countUsing(organizationId: string, connectionId: string, isDefault: boolean): Promise<number>
}
