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
  /** The model connection. Null: the organization's default connection. */
  connectionId: string | null
  /** The text model. Null: the connection's text model. */
  model: string | null
  /** The realtime model. Null: the connection's first realtime model. */
  realtimeModel: string | null
  /** The voice of sessions that request none. Null: `alloy`. */
  voice: string | null
  /**
   * The first words of the agent in a new conversation. It speaks them in realtime sessions, and the
   * playground shows them. Null: the agent waits for the user.
   */
  firstMessage: string | null
  /** Questions that users can start a conversation with, for example in the playground. */
  exampleQuestions: string[]
  /** An icon name or emoji. */
  icon: string | null
  /** The color of the icon. */
  iconColor: string | null
  /** A picture of the agent. */
  imageUrl: string | null
  /** Agents that this agent can ask. The model sees each one as a tool. */
  subAgentIds: string[]
  /** Whether MCP clients (`/mcp`) see the agent as a tool of its own, in addition to `ask_agent`. */
  mcpTool: boolean
  /** The id in another system, unique in the organization. */
  externalId: string | null
  /**
   * The set of files that manages this resource, recorded by `parley apply`. Null: none. `parley apply
   * --prune` deletes only resources that their set no longer contains.
   */
  managedBy: string | null
  /** The backend tools. The service runs them. */
  tools: AgentTool[]
}

/** The body that creates or replaces an agent. */
export interface AgentInput {
  /** The name people see. */
  name: string
  /** What the agent is for. */
  description?: string | null | undefined
  /** The instructions given to the model. Default: `""`. */
  systemMessage?: string | undefined
  /** The model connection. Null: the organization's default connection. */
  connectionId?: string | null | undefined
  /** The text model. Null: the connection's text model. */
  model?: string | null | undefined
  /** The realtime model. Null: the connection's first realtime model. */
  realtimeModel?: string | null | undefined
  /** The voice of sessions that request none. Null: `alloy`. */
  voice?: string | null | undefined
  /**
   * The first words of the agent in a new conversation. It speaks them in realtime sessions, and the
   * playground shows them. Null: the agent waits for the user.
   */
  firstMessage?: string | null | undefined
  /** Questions that users can start a conversation with, for example in the playground. Default: `[]`. */
  exampleQuestions?: string[] | undefined
  /** An icon name or emoji. */
  icon?: string | null | undefined
  /** The color of the icon. */
  iconColor?: string | null | undefined
  /** A picture of the agent. */
  imageUrl?: string | null | undefined
  /** Agents that this agent can ask. The model sees each one as a tool. Default: `[]`. */
  subAgentIds?: string[] | undefined
  /**
   * Whether MCP clients (`/mcp`) see the agent as a tool of its own, in addition to `ask_agent`. Default:
   * `false`.
   */
  mcpTool?: boolean | undefined
  /** The id in another system, unique in the organization. */
  externalId?: string | null | undefined
  /**
   * The set of files that manages this resource, recorded by `parley apply`. Null: none. `parley apply
   * --prune` deletes only resources that their set no longer contains.
   */
  managedBy?: string | null | undefined
  /** The backend tools. The service runs them. */
  tools?: AgentToolInput[] | undefined
}

/** A merge patch of an agent. Arrays are replaced as a whole. */
export interface AgentPatch {
  /** The name people see. */
  name?: string | undefined
  /** What the agent is for. */
  description?: string | null | undefined
  /** The instructions given to the model. */
  systemMessage?: string | undefined
  /** The model connection. Null: the organization's default connection. */
  connectionId?: string | null | undefined
  /** The text model. Null: the connection's text model. */
  model?: string | null | undefined
  /** The realtime model. Null: the connection's first realtime model. */
  realtimeModel?: string | null | undefined
  /** The voice of sessions that request none. Null: `alloy`. */
  voice?: string | null | undefined
  /**
   * The first words of the agent in a new conversation. It speaks them in realtime sessions, and the
   * playground shows them. Null: the agent waits for the user.
   */
  firstMessage?: string | null | undefined
  /** Questions that users can start a conversation with, for example in the playground. */
  exampleQuestions?: string[] | undefined
  /** An icon name or emoji. */
  icon?: string | null | undefined
  /** The color of the icon. */
  iconColor?: string | null | undefined
  /** A picture of the agent. */
  imageUrl?: string | null | undefined
  /** Agents that this agent can ask. The model sees each one as a tool. */
  subAgentIds?: string[] | undefined
  /** Whether MCP clients (`/mcp`) see the agent as a tool of its own, in addition to `ask_agent`. */
  mcpTool?: boolean | undefined
  /** The id in another system, unique in the organization. */
  externalId?: string | null | undefined
  /**
   * The set of files that manages this resource, recorded by `parley apply`. Null: none. `parley apply
   * --prune` deletes only resources that their set no longer contains.
   */
  managedBy?: string | null | undefined
  /** The backend tools. The service runs them. */
  tools?: AgentToolInput[] | undefined
}

/** The body that creates or replaces an agent by its external id. The id is in the path. */
export interface AgentUpsert {
  /** The name people see. */
  name: string
  /** What the agent is for. */
  description?: string | null | undefined
  /** The instructions given to the model. Default: `""`. */
  systemMessage?: string | undefined
  /** The model connection. Null: the organization's default connection. */
  connectionId?: string | null | undefined
  /** The text model. Null: the connection's text model. */
  model?: string | null | undefined
  /** The realtime model. Null: the connection's first realtime model. */
  realtimeModel?: string | null | undefined
  /** The voice of sessions that request none. Null: `alloy`. */
  voice?: string | null | undefined
  /**
   * The first words of the agent in a new conversation. It speaks them in realtime sessions, and the
   * playground shows them. Null: the agent waits for the user.
   */
  firstMessage?: string | null | undefined
  /** Questions that users can start a conversation with, for example in the playground. Default: `[]`. */
  exampleQuestions?: string[] | undefined
  /** An icon name or emoji. */
  icon?: string | null | undefined
  /** The color of the icon. */
  iconColor?: string | null | undefined
  /** A picture of the agent. */
  imageUrl?: string | null | undefined
  /** Agents that this agent can ask. The model sees each one as a tool. Default: `[]`. */
  subAgentIds?: string[] | undefined
  /**
   * Whether MCP clients (`/mcp`) see the agent as a tool of its own, in addition to `ask_agent`. Default:
   * `false`.
   */
  mcpTool?: boolean | undefined
  /**
   * The set of files that manages this resource, recorded by `parley apply`. Null: none. `parley apply
   * --prune` deletes only resources that their set no longer contains.
   */
  managedBy?: string | null | undefined
  /** The backend tools. The service runs them. */
  tools?: AgentToolInput[] | undefined
}

/** Everything that the model of an agent can call. */
export interface OfferedToolList {
  /** The tools, in the order in which the model sees them. */
  items: OfferedTool[]
}

/** The body that tries a tool. */
export interface ToolTrialInput {
  /** The arguments, as a model would send them. Default: `{}`. */
  arguments?: Record<string, unknown> | undefined
  /**
   * True: only shows the request. False: runs the tool without approval. A tool that needs approval then
   * requires the scope `approval:decide`. Default: `true`.
   */
  dryRun?: boolean | undefined
}

/** The result of trying a tool. */
export interface ToolTrial {
  /** Whether the call would be made, or succeeded. */
  isSuccess: boolean
  /** What the model would read, or what is wrong. */
  output: string
  /** The request of an http tool, without its headers. Null for other kinds. */
  request: {
    /** The HTTP method. */
    method: string
    /** The address, with its placeholders filled. */
    url: string
    /** The JSON body. Null: none. */
    body: string | null
  } | null
  /** The duration of the call. 0 if it did not run. */
  executionTimeSeconds: number
}

/** A tool, as the model of an agent sees it. */
export interface OfferedTool {
  /** The tool name that the model uses. */
  name: string
  /** The name shown to people. */
  title: string
  /** The description that the model reads. */
  description: string
  /** JSON schema of the arguments. */
  parameters: Record<string, unknown>
  /** The kind of tool. */
  kind: 'http' | 'mcp' | 'builtin' | 'subagent'
  /** The name of the agent's own tool that provides it. Null for a sub-agent. */
  tool: string | null
  /** Whether a person must approve each call. */
  approvalRequired: boolean
  /** The MCP server's declarations. Null: none, or not an MCP tool. */
  hints: ToolHints | null
}

/** The MCP server's own description of its tool. It is not verified. */
export interface ToolHints {
  /** A call changes nothing. Null: not declared. */
  readOnlyHint: boolean | null
  /** A call may destroy data, not only add to it. Null: not declared. */
  destructiveHint: boolean | null
  /** Repeating a call with the same arguments has no further effect. Null: not declared. */
  idempotentHint: boolean | null
  /** A call reaches systems beyond the server. Null: not declared. */
  openWorldHint: boolean | null
}
