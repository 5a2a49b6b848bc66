import type { Agent, AgentRevisionSummary, Connection, McpAuthorization } from '@parley/contract'
import type { PageRequest, RecordPage, ResourceRecord, ResourceStore, UpsertStore } from './resource-store.js'
import type { McpToolDescription } from './tool-executor.js'

/** Sealed header values, by tool name and header name. */
export type ToolSecrets = Readonly<Record<string, Readonly<Record<string, string>>>>

export interface AgentRecord extends Readonly<Agent>, ResourceRecord {
  readonly toolSecrets: ToolSecrets
  readonly deletedAt: string | null
}

export interface AgentFilter {
  readonly search?: string | undefined
  /** If true, includes only agents that are exposed to MCP clients as tools. */
  readonly mcpTool?: true | undefined
}

/** An agent and the sub-agents that it may call. */
export type AgentLinks = Pick<AgentRecord, 'id' | 'name' | 'subAgentIds'>

export interface AgentStore extends ResourceStore<AgentRecord, AgentFilter>, UpsertStore<AgentRecord> {
  /** Returns the agents with these ids that exist, in no particular order. */
  findMany(organizationId: string, ids: readonly string[]): Promise<readonly AgentRecord[]>
  /**
   * Serializes changes that add sub-agents, until the transaction ends. Must be called before any other lock
   * is acquired.
   */
  lockLinks(organizationId: string): Promise<void>
  /** Returns all agents of the organization with their sub-agents, in no particular order. */
  listLinks(organizationId: string): Promise<readonly AgentLinks[]>
  /**
   * Returns the number of agents that use this connection. Agents without a connection of their own use the
   * default and are not counted.
   */
  countUsing(organizationId: string, connectionId: string, isDefault: boolean): Promise<number>
}

/** One change of an agent, with the state of the agent after it. */
export interface AgentRevisionRecord extends Readonly<AgentRevisionSummary> {
  readonly organizationId: string
  readonly agent: Agent
  /** The header values at that time, sealed like those of the agent itself. */
  readonly toolSecrets: ToolSecrets
}

/**
 * Former versions of agents. Writers must hold the lock on the agent's row, so that revision numbers have no
 * gaps.
 */
export interface AgentRevisionStore {
  /** Returns the highest revision number of the agent, or 0 if it has no revisions. */
  lastNumber(agentId: string): Promise<number>
  insert(record: AgentRevisionRecord): Promise<void>
  /** Removes the revisions up to and including this number. */
  removeThrough(agentId: string, number: number): Promise<void>
  removeAll(agentId: string): Promise<void>
  /** Returns one page of the agent's revisions, newest first, without the agents themselves. */
  list(
    organizationId: string,
    agentId: string,
    page: PageRequest,
  ): Promise<RecordPage<Readonly<AgentRevisionSummary>>>
  find(organizationId: string, agentId: string, number: number): Promise<AgentRevisionRecord | null>
  /** Returns the numbers of the agent's revisions that contain header values, in no particular order. */
  numbersWithSecrets(organizationId: string, agentId: string): Promise<readonly number[]>
  /** Replaces the header values of a revision, which are now sealed with another secret. */
  updateSecrets(agentId: string, number: number, toolSecrets: ToolSecrets): Promise<void>
}

export interface ConnectionRecord extends Readonly<Omit<Connection, 'hasApiKey'>>, ResourceRecord {
  readonly sealedApiKey: string | null
  /** Whether the connection comes from the operator's environment, which also sets its key and address. */
  readonly isFromEnvironment: boolean
}

/** A connection, or null if it no longer exists, and the model of the agent that uses it. */
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
  /** Returns whether the connection exists. It cannot be deleted until the transaction ends. */
  holdExisting(organizationId: string, id: string): Promise<boolean>
  /**
   * Serializes changes of the default connection, until the transaction ends. Must be called before any other
   * lock is acquired.
   */
  lockDefault(organizationId: string): Promise<void>
  /**
   * Removes the default mark from all other connections and returns their ids. `lockDefault` must be called
   * first.
   */
  clearDefaultExcept(organizationId: string, id: string, at: string): Promise<readonly string[]>
  /** Returns the connection of an agent, or the organization's default if `connectionId` is null. */
  findForAgent(organizationId: string, connectionId: string | null): Promise<ConnectionRecord | null>
  /** Like `findForAgent`, but also reads the agent. Returns null if the agent does not exist. */
  findOfAgent(
    organizationId: string,
    agentId: string,
  ): Promise<{ readonly agent: AgentRecord; readonly connection: ConnectionRecord | null } | null>
  /** Returns a connection and the model of an agent, or null if the agent does not exist. */
  findWithAgent(
    organizationId: string,
    connectionId: string,
    agentId: string,
  ): Promise<ConnectionWithAgent | null>
  /** Returns the number of connections that provide the voice for the chat model of this one. */
  countVoiceConnections(organizationId: string, id: string): Promise<number>
  /**
   * Returns the built-in engine that every organization starts with, or null if it was deleted. Engine
   * connections that provide the voice for another connection are not included.
   */
  findBuiltIn(organizationId: string): Promise<ConnectionRecord | null>
  /**
   * Locks and returns the connections from the environment: the provider's, and the engine connection that
   * provides the voice for it.
   */
  lockFromEnvironment(organizationId: string): Promise<readonly ConnectionRecord[]>
}

/** The most recent list of an MCP server's tools. */
export interface McpListingRecord {
  readonly agentId: string
  readonly toolName: string
  /** The address of the server. The list is not used if the tool has another address by now. */
  readonly address: string
  readonly tools: readonly McpToolDescription[]
  readonly listedAt: string
}

export interface McpListingStore {
  find(agentId: string, toolName: string, address: string): Promise<McpListingRecord | null>
  /** Stores a list, and replaces the tool's previous one. */
  save(record: McpListingRecord): Promise<void>
}

export interface McpAuthorizationRecord
  extends Omit<Readonly<McpAuthorization>, 'hasClientSecret'>,
    ResourceRecord {
  readonly sealedClientSecret: string | null
  /**
   * The pending consent: a hash of its state, its initiator, its expiry, and the sealed data needed to
   * complete it.
   */
  readonly stateHash: string | null
  readonly startedBy: string | null
  readonly startedUntil: string | null
  readonly sealedStart: string | null
  /** The tokens and the address to renew them, sealed. */
  readonly sealedGrant: string | null
  /** When the current claim on the renewal expires. Until then, no other caller may renew the tokens. */
  readonly renewingUntil: string | null
}

export interface McpAuthorizationStore extends ResourceStore<McpAuthorizationRecord, Record<string, never>> {
  /**
   * Returns the newest working authorization for the server, otherwise the newest expired one. Returns null
   * if none has tokens.
   */
  findByServer(organizationId: string, serverUrl: string): Promise<McpAuthorizationRecord | null>
  /** Claims the renewal until `until`. Returns false if another caller holds the claim. */
  claimRenewal(id: string, now: string, until: string): Promise<boolean>
}
