// Generated from the contract by `npm run generate`. Do not edit.

import type { AgentVariable, AgentVariableOutput, EndUserLimits, RealtimeFallback, RealtimeFallbackOutput } from '../schemas/agent-settings.js'
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
  /**
   * The voice of realtime sessions that do not request a voice. If `null`, `alloy` is used, `ara` for kind
   * `xai`, `Tina` for kind `qwen`, or `Puck` for kind `google`.
   */
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
   * The name of the file set that manages this resource, set by `parley apply`, or `null`. `parley apply
   * --prune` deletes the managed resources that are no longer in the files.
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
  /**
   * The voice of realtime sessions that do not request a voice. If `null`, `alloy` is used, `ara` for kind
   * `xai`, `Tina` for kind `qwen`, or `Puck` for kind `google`.
   */
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
   * The name of the file set that manages this resource, set by `parley apply`, or `null`. `parley apply
   * --prune` deletes the managed resources that are no longer in the files.
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
  /**
   * The voice of realtime sessions that do not request a voice. If `null`, `alloy` is used, `ara` for kind
   * `xai`, `Tina` for kind `qwen`, or `Puck` for kind `google`.
   */
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
   * The name of the file set that manages this resource, set by `parley apply`, or `null`. `parley apply
   * --prune` deletes the managed resources that are no longer in the files.
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
  /**
   * The voice of realtime sessions that do not request a voice. If `null`, `alloy` is used, `ara` for kind
   * `xai`, `Tina` for kind `qwen`, or `Puck` for kind `google`.
   */
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
   * The name of the file set that manages this resource, set by `parley apply`, or `null`. `parley apply
   * --prune` deletes the managed resources that are no longer in the files.
   */
  managedBy?: string | null | undefined
  /** The backend tools of the agent. The service runs them. */
  tools?: AgentToolInput[] | undefined
}
