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

/** The tools that an MCP server listed, the last time it was asked. */
export interface McpListingRecord {
  readonly agentId: string
  readonly toolName: string
  /** Where the server was; of no use to a tool that leads elsewhere now. */
  readonly address: string
  readonly tools: readonly McpToolDescription[]
  readonly listedAt: string
}

export interface McpListingStore {
  find(agentId: string, toolName: string, address: string): Promise<McpListingRecord | null>
  /** Keeps this one instead of what was known of the tool before. */
  save(record: McpListingRecord): Promise<void>
}

export interface McpAuthorizationRecord
  extends Omit<Readonly<McpAuthorization>, 'hasClientSecret'>,
    ResourceRecord {
  readonly sealedClientSecret: string | null
  /** The consent that somebody is asked for: a hash of its state, who began it, until when, and what is needed to end it. */
  readonly stateHash: string | null
  readonly startedBy: string | null
  readonly startedUntil: string | null
  readonly sealedStart: string | null
  /** The tokens, and where they are renewed. */
  readonly sealedGrant: string | null
  /** Until when somebody is renewing them, and nobody else may. */
  readonly renewingUntil: string | null
}

export interface McpAuthorizationStore extends ResourceStore<McpAuthorizationRecord, Record<string, never>> {
  /** The newest authorization of a server that works, or else that did; null where nobody has consented to one. */
  findByServer(organizationId: string, serverUrl: string): Promise<McpAuthorizationRecord | null>
  /** Makes whoever calls the one who renews, until then; false where somebody else is already. */
  claimRenewal(id: string, now: string, until: string): Promise<boolean>
}
