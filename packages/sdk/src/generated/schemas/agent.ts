// Generated from the contract by `npm run generate`. Do not edit.

import type { AgentTool, AgentToolInput } from '../schemas/agent-tool.js'
import type { Page } from '../../rest/page.js'

/** One page of a list of `Agent` objects. */
export type AgentPage = Page<Agent>

/** An agent: instructions, a model and tools. */
export interface Agent {
  /** The ID of the resource (UUID v7). */
  id: string
  /** When the resource was created (UTC). */
  createdAt: string
  /** When the resource was last updated (UTC). */
  updatedAt: string
  /** The display name of the agent. */
  name: string
  /** The purpose of the agent. `null` if it has no description. */
  description: string | null
  /** The system message, which contains the instructions for the model. */
  systemMessage: string
  /**
   * The ID of the connection to the model provider. If `null`, the default connection of the organization is
   * used.
   */
  connectionId: string | null
  /** The text model. If `null`, the text model of the connection is used. */
  model: string | null
  /** The realtime model. If `null`, the first realtime model of the connection is used. */
  realtimeModel: string | null
  /** The voice of realtime sessions that do not request a voice. If `null`, `alloy` is used. */
  voice: string | null
  /** The realtime models that are tried in this order if the connection of the agent cannot start a session. */
  realtimeFallbacks: RealtimeFallbackOutput[]
  /**
   * The message with which the agent starts a new conversation. The agent speaks it in realtime sessions, and
   * the playground displays it. If `null`, the agent waits for the user.
   */
  firstMessage: string | null
  /** Suggested questions for starting a conversation, for example in the playground. */
  exampleQuestions: string[]
  /** The variables that callers set for `{{name}}` in the instructions, first message and HTTP tools. */
  variables: AgentVariableOutput[]
  /**
   * The limits of each end user. Realtime sessions without an end user are counted by the address of the
   * client, other requests without one are not counted.
   */
  endUserLimits: EndUserLimits
  /**
   * Whether the agent remembers its end users. If `facts`, its text model extracts short facts after each
   * conversation, and later conversations with the same end user start with them.
   */
  memory: 'off' | 'facts'
  /**
   * Conversations of the agent are removed this many days after their last activity. If `null`, the retention
   * of the organization applies.
   */
  conversationRetentionDays: number | null
  /** The name of an icon, or an emoji. `null` if the agent has no icon. */
  icon: string | null
  /** The color of the icon. `null` for the default color. */
  iconColor: string | null
  /** The URL of an image of the agent. `null` if it has none. */
  imageUrl: string | null
  /** The IDs of the agents that this agent can ask (sub-agents). The model sees each of them as a tool. */
  subAgentIds: string[]
  /**
   * Whether the MCP server at `/mcp` offers a separate tool for this agent. Without it, MCP clients can still
   * use the `ask_agent` tool.
   */
  mcpTool: boolean
  /**
   * The ID of the resource in an external system. It must be unique within the organization. `null` if there
   * is none.
   */
  externalId: string | null
  /**
   * The name of the file set that manages this resource. It is set by `parley apply`. `null` if the resource
   * is not managed by files. `parley apply --prune` deletes the managed resources that are no longer in the
   * files.
   */
  managedBy: string | null
  /** The backend tools of the agent. The service runs them. */
  tools: AgentTool[]
}

/** The parameters for creating or replacing an agent. */
export interface AgentInput {
  /** The display name of the agent. */
  name: string
  /** The purpose of the agent. `null` if it has no description. */
  description?: string | null | undefined
  /** The system message, which contains the instructions for the model. Default: `""`. */
  systemMessage?: string | undefined
  /**
   * The ID of the connection to the model provider. If `null`, the default connection of the organization is
   * used.
   */
  connectionId?: string | null | undefined
  /** The text model. If `null`, the text model of the connection is used. */
  model?: string | null | undefined
  /** The realtime model. If `null`, the first realtime model of the connection is used. */
  realtimeModel?: string | null | undefined
  /** The voice of realtime sessions that do not request a voice. If `null`, `alloy` is used. */
  voice?: string | null | undefined
  /**
   * The realtime models that are tried in this order if the connection of the agent cannot start a session.
   * Default: `[]`.
   */
  realtimeFallbacks?: RealtimeFallback[] | undefined
  /**
   * The message with which the agent starts a new conversation. The agent speaks it in realtime sessions, and
   * the playground displays it. If `null`, the agent waits for the user.
   */
  firstMessage?: string | null | undefined
  /** Suggested questions for starting a conversation, for example in the playground. Default: `[]`. */
  exampleQuestions?: string[] | undefined
  /**
   * The variables that callers set for `{{name}}` in the instructions, first message and HTTP tools. Default:
   * `[]`.
   */
  variables?: AgentVariable[] | undefined
  /**
   * The limits of each end user. Realtime sessions without an end user are counted by the address of the
   * client, other requests without one are not counted. Default: `{}`.
   */
  endUserLimits?: EndUserLimits | undefined
  /**
   * Whether the agent remembers its end users. If `facts`, its text model extracts short facts after each
   * conversation, and later conversations with the same end user start with them. Default: `"off"`.
   */
  memory?: 'off' | 'facts' | undefined
  /**
   * Conversations of the agent are removed this many days after their last activity. If `null`, the retention
   * of the organization applies.
   */
  conversationRetentionDays?: number | null | undefined
  /** The name of an icon, or an emoji. `null` if the agent has no icon. */
  icon?: string | null | undefined
  /** The color of the icon. `null` for the default color. */
  iconColor?: string | null | undefined
  /** The URL of an image of the agent. `null` if it has none. */
  imageUrl?: string | null | undefined
  /**
   * The IDs of the agents that this agent can ask (sub-agents). The model sees each of them as a tool.
   * Default: `[]`.
   */
  subAgentIds?: string[] | undefined
  /**
   * Whether the MCP server at `/mcp` offers a separate tool for this agent. Without it, MCP clients can still
   * use the `ask_agent` tool. Default: `false`.
   */
  mcpTool?: boolean | undefined
  /**
   * The ID of the resource in an external system. It must be unique within the organization. `null` if there
   * is none.
   */
  externalId?: string | null | undefined
  /**
   * The name of the file set that manages this resource. It is set by `parley apply`. `null` if the resource
   * is not managed by files. `parley apply --prune` deletes the managed resources that are no longer in the
   * files.
   */
  managedBy?: string | null | undefined
  /** The backend tools of the agent. The service runs them. */
  tools?: AgentToolInput[] | undefined
}

/** A merge patch for an agent. Arrays are replaced as a whole. */
export interface AgentPatch {
  /** The display name of the agent. */
  name?: string | undefined
  /** The purpose of the agent. `null` if it has no description. */
  description?: string | null | undefined
  /** The system message, which contains the instructions for the model. */
  systemMessage?: string | undefined
  /**
   * The ID of the connection to the model provider. If `null`, the default connection of the organization is
   * used.
   */
  connectionId?: string | null | undefined
  /** The text model. If `null`, the text model of the connection is used. */
  model?: string | null | undefined
  /** The realtime model. If `null`, the first realtime model of the connection is used. */
  realtimeModel?: string | null | undefined
  /** The voice of realtime sessions that do not request a voice. If `null`, `alloy` is used. */
  voice?: string | null | undefined
  /** The realtime models that are tried in this order if the connection of the agent cannot start a session. */
  realtimeFallbacks?: RealtimeFallback[] | undefined
  /**
   * The message with which the agent starts a new conversation. The agent speaks it in realtime sessions, and
   * the playground displays it. If `null`, the agent waits for the user.
   */
  firstMessage?: string | null | undefined
  /** Suggested questions for starting a conversation, for example in the playground. */
  exampleQuestions?: string[] | undefined
  /** The variables that callers set for `{{name}}` in the instructions, first message and HTTP tools. */
  variables?: AgentVariable[] | undefined
  /**
   * The limits of each end user. Realtime sessions without an end user are counted by the address of the
   * client, other requests without one are not counted.
   */
  endUserLimits?: EndUserLimits | undefined
  /**
   * Whether the agent remembers its end users. If `facts`, its text model extracts short facts after each
   * conversation, and later conversations with the same end user start with them.
   */
  memory?: 'off' | 'facts' | undefined
  /**
   * Conversations of the agent are removed this many days after their last activity. If `null`, the retention
   * of the organization applies.
   */
  conversationRetentionDays?: number | null | undefined
  /** The name of an icon, or an emoji. `null` if the agent has no icon. */
  icon?: string | null | undefined
  /** The color of the icon. `null` for the default color. */
  iconColor?: string | null | undefined
  /** The URL of an image of the agent. `null` if it has none. */
  imageUrl?: string | null | undefined
  /** The IDs of the agents that this agent can ask (sub-agents). The model sees each of them as a tool. */
  subAgentIds?: string[] | undefined
  /**
   * Whether the MCP server at `/mcp` offers a separate tool for this agent. Without it, MCP clients can still
   * use the `ask_agent` tool.
   */
  mcpTool?: boolean | undefined
  /**
   * The ID of the resource in an external system. It must be unique within the organization. `null` if there
   * is none.
   */
  externalId?: string | null | undefined
  /**
   * The name of the file set that manages this resource. It is set by `parley apply`. `null` if the resource
   * is not managed by files. `parley apply --prune` deletes the managed resources that are no longer in the
   * files.
   */
  managedBy?: string | null | undefined
  /** The backend tools of the agent. The service runs them. */
  tools?: AgentToolInput[] | undefined
}

/** The parameters for creating or replacing an agent by its external ID, which is part of the path. */
export interface AgentUpsert {
  /** The display name of the agent. */
  name: string
  /** The purpose of the agent. `null` if it has no description. */
  description?: string | null | undefined
  /** The system message, which contains the instructions for the model. Default: `""`. */
  systemMessage?: string | undefined
  /**
   * The ID of the connection to the model provider. If `null`, the default connection of the organization is
   * used.
   */
  connectionId?: string | null | undefined
  /** The text model. If `null`, the text model of the connection is used. */
  model?: string | null | undefined
  /** The realtime model. If `null`, the first realtime model of the connection is used. */
  realtimeModel?: string | null | undefined
  /** The voice of realtime sessions that do not request a voice. If `null`, `alloy` is used. */
  voice?: string | null | undefined
  /**
   * The realtime models that are tried in this order if the connection of the agent cannot start a session.
   * Default: `[]`.
   */
  realtimeFallbacks?: RealtimeFallback[] | undefined
  /**
   * The message with which the agent starts a new conversation. The agent speaks it in realtime sessions, and
   * the playground displays it. If `null`, the agent waits for the user.
   */
  firstMessage?: string | null | undefined
  /** Suggested questions for starting a conversation, for example in the playground. Default: `[]`. */
  exampleQuestions?: string[] | undefined
  /**
   * The variables that callers set for `{{name}}` in the instructions, first message and HTTP tools. Default:
   * `[]`.
   */
  variables?: AgentVariable[] | undefined
  /**
   * The limits of each end user. Realtime sessions without an end user are counted by the address of the
   * client, other requests without one are not counted. Default: `{}`.
   */
  endUserLimits?: EndUserLimits | undefined
  /**
   * Whether the agent remembers its end users. If `facts`, its text model extracts short facts after each
   * conversation, and later conversations with the same end user start with them. Default: `"off"`.
   */
  memory?: 'off' | 'facts' | undefined
  /**
   * Conversations of the agent are removed this many days after their last activity. If `null`, the retention
   * of the organization applies.
   */
  conversationRetentionDays?: number | null | undefined
  /** The name of an icon, or an emoji. `null` if the agent has no icon. */
  icon?: string | null | undefined
  /** The color of the icon. `null` for the default color. */
  iconColor?: string | null | undefined
  /** The URL of an image of the agent. `null` if it has none. */
  imageUrl?: string | null | undefined
  /**
   * The IDs of the agents that this agent can ask (sub-agents). The model sees each of them as a tool.
   * Default: `[]`.
   */
  subAgentIds?: string[] | undefined
  /**
   * Whether the MCP server at `/mcp` offers a separate tool for this agent. Without it, MCP clients can still
   * use the `ask_agent` tool. Default: `false`.
   */
  mcpTool?: boolean | undefined
  /**
   * The name of the file set that manages this resource. It is set by `parley apply`. `null` if the resource
   * is not managed by files. `parley apply --prune` deletes the managed resources that are no longer in the
   * files.
   */
  managedBy?: string | null | undefined
  /** The backend tools of the agent. The service runs them. */
  tools?: AgentToolInput[] | undefined
}

/** The tools that the model of an agent can call. */
export interface OfferedToolList {
  /** The tools, in the order in which they are sent to the model. */
  items: OfferedTool[]
}

/** The parameters for testing a tool. */
export interface ToolTrialInput {
  /** The arguments of the call, as a model would send them. Default: `{}`. */
  arguments?: Record<string, unknown> | undefined
  /** Values for the agent's variables, as in a question. Default: `{}`. */
  variables?: Variables | undefined
  /**
   * If `true`, returns the request without sending it. If `false`, runs the tool without waiting for approval.
   * Running a tool that requires approval needs the scope `approval:decide`. Default: `true`.
   */
  dryRun?: boolean | undefined
}

/** The result of testing a tool. */
export interface ToolTrial {
  /** Whether the call succeeded. In a dry run: whether the arguments are valid. */
  isSuccess: boolean
  /** The output that the model would receive, or a description of the error. */
  output: string
  /** The HTTP request, without its headers. `null` if the tool is not of kind `http`. */
  request: {
    /** The HTTP method. */
    method: string
    /** The URL, with its placeholders replaced. */
    url: string
    /** The JSON body. `null` if the request has no body. */
    body: string | null
  } | null
  /** The duration of the call in seconds. `0` if the tool was not run. */
  executionTimeSeconds: number
}

/** A realtime model that is used if another one fails. */
export interface RealtimeFallbackOutput {
  /** The ID of the connection. */
  connectionId: string
  /** The realtime model. If `null`, the first realtime model of the connection is used. */
  model: string | null
  /** The voice. If `null`, the voice of the session is used. */
  voice: string | null
  /**
   * The message with which the agent starts a new conversation if this fallback answers. If `null`, the first
   * message of the agent is used.
   */
  firstMessage: string | null
}

/** A variable of an agent. */
export interface AgentVariableOutput {
  /** The name, as in `{{name}}`. */
  name: string
  /** What the value means. `null` if there is no description. */
  description: string | null
  /** The value if the caller sends none. `null` if there is no default. */
  default: string | null
  /** Whether a request without a value is rejected. If `false`, the value is empty. */
  required: boolean
}

/** The limits of each end user of an agent. An omitted limit, or `null`, means that there is no limit. */
export interface EndUserLimits {
  /** The maximum number of questions in any 60 seconds. Realtime sessions and task runs are not counted. */
  questionsPerMinute?: number | null | undefined
  /** The maximum number of running realtime sessions. */
  concurrentSessions?: number | null | undefined
  /** The maximum number of tokens on a calendar day (UTC), including those of sub-agents. */
  tokensPerDay?: number | null | undefined
  /**
   * The maximum cost on a calendar day (UTC) in US dollars, including that of sub-agents. Usage without a
   * price is not counted.
   */
  costPerDay?: number | null | undefined
}

/** A realtime model that is used if another one fails. */
export interface RealtimeFallback {
  /** The ID of the connection. */
  connectionId: string
  /** The realtime model. If `null`, the first realtime model of the connection is used. */
  model?: string | null | undefined
  /** The voice. If `null`, the voice of the session is used. */
  voice?: string | null | undefined
  /**
   * The message with which the agent starts a new conversation if this fallback answers. If `null`, the first
   * message of the agent is used.
   */
  firstMessage?: string | null | undefined
}

/** A variable of an agent. */
export interface AgentVariable {
  /** The name, as in `{{name}}`. */
  name: string
  /** What the value means. `null` if there is no description. */
  description?: string | null | undefined
  /** The value if the caller sends none. `null` if there is no default. */
  default?: string | null | undefined
  /** Whether a request without a value is rejected. If `false`, the value is empty. Default: `true`. */
  required?: boolean | undefined
}

/** A tool of an agent, as the model sees it. */
export interface OfferedTool {
  /** The name of the tool, as the model sees it. */
  name: string
  /** The display name of the tool. */
  title: string
  /** The description of the tool, as the model sees it. */
  description: string
  /** The JSON schema of the arguments. */
  parameters: Record<string, unknown>
  /** The kind of the tool. */
  kind: 'http' | 'mcp' | 'builtin' | 'subagent'
  /** The name of the agent tool that provides it. `null` if it is a sub-agent. */
  tool: string | null
  /** Whether each call requires approval. */
  approvalRequired: boolean
  /** The hints that the MCP server declares. `null` if it declares none, or if this is not an MCP tool. */
  hints: ToolHints | null
}

/**
 * Values for `{{name}}` in the agent's instructions, first message and HTTP tools: at most 100, each up to
 * 4096 characters.
 */
export type Variables = Record<string, string>

/** The hints that the MCP server declares for its tool. They are not verified. */
export interface ToolHints {
  /** Whether a call only reads data. `null` if the server does not declare this. */
  readOnlyHint: boolean | null
  /** Whether a call may overwrite or delete data. `null` if the server does not declare this. */
  destructiveHint: boolean | null
  /**
   * Whether repeating a call with the same arguments has no additional effect. `null` if the server does not
   * declare this.
   */
  idempotentHint: boolean | null
  /** Whether a call interacts with external systems. `null` if the server does not declare this. */
  openWorldHint: boolean | null
}
