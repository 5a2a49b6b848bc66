// Generated from the contract by `npm run generate`. What is changed here is lost.

import type { AgentTool, AgentToolInput } from '../schemas/agent-tool.js'
import type { Page } from '../../rest/page.js'

/** One page of a list of Agent items. */
export type AgentPage = Page<Agent>

/** An agent: instructions, a model and tools. */
export interface Agent {
  /** The resource id (UUID v7). */
  id: string
  /** When it was created (UTC). */
  createdAt: string
  /** When it last changed (UTC). */
  updatedAt: string
  /** The name people see. */
  name: string
  /** What the agent is for. */
  description: string | null
  /** The instructions given to the model. */
  systemMessage: string
  /** The model connection; null: the organization's default. */
  connectionId: string | null
  /** The text model; null: the connection's. */
  model: string | null
  /** The realtime model; null: the connection's first. */
  realtimeModel: string | null
  /** The voice of sessions that ask for none; null: `alloy`. */
  voice: string | null
  /** An icon name or emoji. */
  icon: string | null
  /** The colour of the icon. */
  iconColor: string | null
  /** A picture of the agent. */
  imageUrl: string | null
  /** Agents that this one can ask, as tools. */
  subAgentIds: string[]
  /** Whether MCP clients (`/mcp`) get the agent as a tool of its own, besides `ask_agent`. */
  mcpTool: boolean
  /** Its id in another system, unique in the organization. */
  externalId: string | null
  /**
   * The set of files that it is kept in, as `parley apply` notes it; null: in none. What a set no longer names
   * is deleted by `parley apply --prune`, and nothing else is.
   */
  managedBy: string | null
  /** The backend tools, run by the service. */
  tools: AgentTool[]
}

/** An agent as it is created or replaced. */
export interface AgentInput {
  /** The name people see. */
  name: string
  /** What the agent is for. */
  description?: string | null | undefined
  /** The instructions given to the model. Default: `""`. */
  systemMessage?: string | undefined
  /** The model connection; null: the organization's default. */
  connectionId?: string | null | undefined
  /** The text model; null: the connection's. */
  model?: string | null | undefined
  /** The realtime model; null: the connection's first. */
  realtimeModel?: string | null | undefined
  /** The voice of sessions that ask for none; null: `alloy`. */
  voice?: string | null | undefined
  /** An icon name or emoji. */
  icon?: string | null | undefined
  /** The colour of the icon. */
  iconColor?: string | null | undefined
  /** A picture of the agent. */
  imageUrl?: string | null | undefined
  /** Agents that this one can ask, as tools. Default: `[]`. */
  subAgentIds?: string[] | undefined
  /** Whether MCP clients (`/mcp`) get the agent as a tool of its own, besides `ask_agent`. Default: `false`. */
  mcpTool?: boolean | undefined
  /** Its id in another system, unique in the organization. */
  externalId?: string | null | undefined
  /**
   * The set of files that it is kept in, as `parley apply` notes it; null: in none. What a set no longer names
   * is deleted by `parley apply --prune`, and nothing else is.
   */
  managedBy?: string | null | undefined
  /** The backend tools, run by the service. */
  tools?: AgentToolInput[] | undefined
}

/** A merge patch of an agent. Arrays are replaced whole. */
export interface AgentPatch {
  /** The name people see. */
  name?: string | undefined
  /** What the agent is for. */
  description?: string | null | undefined
  /** The instructions given to the model. */
  systemMessage?: string | undefined
  /** The model connection; null: the organization's default. */
  connectionId?: string | null | undefined
  /** The text model; null: the connection's. */
  model?: string | null | undefined
  /** The realtime model; null: the connection's first. */
  realtimeModel?: string | null | undefined
  /** The voice of sessions that ask for none; null: `alloy`. */
  voice?: string | null | undefined
  /** An icon name or emoji. */
  icon?: string | null | undefined
  /** The colour of the icon. */
  iconColor?: string | null | undefined
  /** A picture of the agent. */
  imageUrl?: string | null | undefined
  /** Agents that this one can ask, as tools. */
  subAgentIds?: string[] | undefined
  /** Whether MCP clients (`/mcp`) get the agent as a tool of its own, besides `ask_agent`. */
  mcpTool?: boolean | undefined
  /** Its id in another system, unique in the organization. */
  externalId?: string | null | undefined
  /**
   * The set of files that it is kept in, as `parley apply` notes it; null: in none. What a set no longer names
   * is deleted by `parley apply --prune`, and nothing else is.
   */
  managedBy?: string | null | undefined
  /** The backend tools, run by the service. */
  tools?: AgentToolInput[] | undefined
}

/** An agent as it is created or replaced under its external id, which stands in the path. */
export interface AgentUpsert {
  /** The name people see. */
  name: string
  /** What the agent is for. */
  description?: string | null | undefined
  /** The instructions given to the model. Default: `""`. */
  systemMessage?: string | undefined
  /** The model connection; null: the organization's default. */
  connectionId?: string | null | undefined
  /** The text model; null: the connection's. */
  model?: string | null | undefined
  /** The realtime model; null: the connection's first. */
  realtimeModel?: string | null | undefined
  /** The voice of sessions that ask for none; null: `alloy`. */
  voice?: string | null | undefined
  /** An icon name or emoji. */
  icon?: string | null | undefined
  /** The colour of the icon. */
  iconColor?: string | null | undefined
  /** A picture of the agent. */
  imageUrl?: string | null | undefined
  /** Agents that this one can ask, as tools. Default: `[]`. */
  subAgentIds?: string[] | undefined
  /** Whether MCP clients (`/mcp`) get the agent as a tool of its own, besides `ask_agent`. Default: `false`. */
  mcpTool?: boolean | undefined
  /**
   * The set of files that it is kept in, as `parley apply` notes it; null: in none. What a set no longer names
   * is deleted by `parley apply --prune`, and nothing else is.
   */
  managedBy?: string | null | undefined
  /** The backend tools, run by the service. */
  tools?: AgentToolInput[] | undefined
}

/** All that the model of an agent can call. */
export interface OfferedToolList {
  /** The tools, in the order in which the model sees them. */
  items: OfferedTool[]
}

/** How a tool is to be tried. */
export interface ToolTrialInput {
  /** The arguments, as a model would give them. Default: `{}`. */
  arguments?: Record<string, unknown> | undefined
  /**
   * True: everything but the call itself. False: the tool is really run, without approval; one that needs
   * approval needs the scope `approval:decide`. Default: `true`.
   */
  dryRun?: boolean | undefined
}

/** What came of trying a tool. */
export interface ToolTrial {
  /** Whether the call would be made, or has succeeded. */
  isSuccess: boolean
  /** What the model would read, or what is wrong. */
  output: string
  /** What an http tool sends, without its headers; null for other kinds. */
  request: {
    /** The HTTP method. */
    method: string
    /** The address, its placeholders filled. */
    url: string
    /** The JSON body; null where none is sent. */
    body: string | null
  } | null
  /** How long the tool ran; 0 where nothing ran. */
  executionTimeSeconds: number
}

/** A tool as the model of an agent is offered it. */
export interface OfferedTool {
  /** The name the model calls it by. */
  name: string
  /** What people see. */
  title: string
  /** What the model chooses it by. */
  description: string
  /** JSON schema of the arguments. */
  parameters: Record<string, unknown>
  /** What stands behind it. */
  kind: 'http' | 'mcp' | 'builtin' | 'subagent'
  /** The name of the agent's own tool that it comes from; null for a sub-agent. */
  tool: string | null
  /** Whether a person must approve each call. */
  approvalRequired: boolean
  /** What the MCP server says of it; null where it says nothing, and for other tools. */
  hints: ToolHints | null
}

/** What an MCP server says of its tool. It is the word of the server, and may be wrong. */
export interface ToolHints {
  /** A call changes nothing. Null: it does not say. */
  readOnlyHint: boolean | null
  /** A call may destroy something, and not only add to it. Null: it does not say. */
  destructiveHint: boolean | null
  /** Calling again with the same arguments changes nothing more. Null: it does not say. */
  idempotentHint: boolean | null
  /** A call reaches beyond the server, into the world. Null: it does not say. */
  openWorldHint: boolean | null
}
