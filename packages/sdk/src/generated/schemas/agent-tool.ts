// Generated from the contract by `npm run generate`. Do not edit.

export interface HttpAgentTool {
  /** The name of the tool, as the model sees it. */
  name: string
  /** The display name of the tool. If `null`, the name of the tool is displayed. */
  title: string | null
  /** The URL of an image that clients can display with the call. `null` if there is none. */
  imageUrl: string | null
  /** Whether each call must be approved before it runs. */
  approvalRequired: boolean
  /**
   * Who can approve or reject calls of the tool. `client`: the client of the realtime session, or the API key
   * that asked the question. `staff`: members and API keys with the scope `approval:decide`. `either`: both of
   * them.
   */
  approvedBy: 'client' | 'staff' | 'either'
  /** The timeout of a call in seconds. */
  timeoutSeconds: number
  /** A button that clients can display with the result. `null` if there is none. */
  button: {
    /** The label of the button. */
    label: string
    /** The URL that the button opens. */
    link: string
  } | null
  /** The kind of the tool. */
  kind: 'http'
  /** A description of what the tool does. The model uses it to decide when to call the tool. */
  description: string
  /** The JSON schema of the arguments. Its `type` must be `object`. */
  parameters: {
    type: 'object'
    properties?: Record<string, unknown> | undefined
    [field: string]: unknown
  }
  /** The HTTP request of the tool. */
  request: {
    /** The HTTP method. */
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
    /** The URL. It can contain `{name}` placeholders in path segments and query values. */
    url: string
    /** The query parameters. Their values can contain `{name}` placeholders. */
    query: Record<string, string>
    /**
     * The JSON body. Its strings can contain `{name}` placeholders. If `null`, the arguments are sent as the
     * body.
     */
    body: unknown
    /** The names of the stored headers. Their values are never returned. */
    headerNames: string[]
  }
}

export interface McpAgentTool {
  /** The name of the tool, as the model sees it. */
  name: string
  /** The display name of the tool. If `null`, the name of the tool is displayed. */
  title: string | null
  /** The URL of an image that clients can display with the call. `null` if there is none. */
  imageUrl: string | null
  /** Whether each call must be approved before it runs. */
  approvalRequired: boolean
  /**
   * Who can approve or reject calls of the tool. `client`: the client of the realtime session, or the API key
   * that asked the question. `staff`: members and API keys with the scope `approval:decide`. `either`: both of
   * them.
   */
  approvedBy: 'client' | 'staff' | 'either'
  /** The timeout of a call in seconds. */
  timeoutSeconds: number
  /** A button that clients can display with the result. `null` if there is none. */
  button: {
    /** The label of the button. */
    label: string
    /** The URL that the button opens. */
    link: string
  } | null
  /** The kind of the tool. */
  kind: 'mcp'
  /**
   * A note about the server. It is not sent to the model, because the server describes its own tools. `null`
   * if there is none.
   */
  description: string | null
  /** The names of the server tools that the agent can use. If `null`, the agent can use all of them. */
  allowedTools: string[] | null
  /**
   * Whether calls of destructive tools require approval. A tool is considered destructive unless it declares
   * `readOnlyHint: true` or `destructiveHint: false`.
   */
  destructiveApprovalRequired: boolean
  /** The MCP server. */
  server: {
    /** The URL of a server that supports streamable HTTP. Set either `url` or `name`. */
    url: string | null
    /** The name of a server that the operator has configured. Set either `url` or `name`. */
    name: string | null
    /** The names of the stored headers. Their values are never returned. */
    headerNames: string[]
  }
}

export interface BuiltinAgentTool {
  /** The name of the tool, as the model sees it. */
  name: string
  /** The display name of the tool. If `null`, the name of the tool is displayed. */
  title: string | null
  /** The URL of an image that clients can display with the call. `null` if there is none. */
  imageUrl: string | null
  /** Whether each call must be approved before it runs. */
  approvalRequired: boolean
  /**
   * Who can approve or reject calls of the tool. `client`: the client of the realtime session, or the API key
   * that asked the question. `staff`: members and API keys with the scope `approval:decide`. `either`: both of
   * them.
   */
  approvedBy: 'client' | 'staff' | 'either'
  /** The timeout of a call in seconds. */
  timeoutSeconds: number
  /** A button that clients can display with the result. `null` if there is none. */
  button: {
    /** The label of the button. */
    label: string
    /** The URL that the button opens. */
    link: string
  } | null
  /** The kind of the tool. */
  kind: 'builtin'
  /** The description that the model sees. If `null`, the built-in description is used. */
  description: string | null
  /** The name of the built-in tool. */
  builtin: 'current_time' | 'create_task' | 'search_files'
}

/** A tool of an agent. The values of its headers are never returned. */
export type AgentTool = HttpAgentTool | McpAgentTool | BuiltinAgentTool

export interface HttpAgentToolInput {
  /** The name of the tool, as the model sees it. */
  name: string
  /** The display name of the tool. If `null`, the name of the tool is displayed. */
  title?: string | null | undefined
  /** The URL of an image that clients can display with the call. `null` if there is none. */
  imageUrl?: string | null | undefined
  /** Whether each call must be approved before it runs. Default: `false`. */
  approvalRequired?: boolean | undefined
  /**
   * Who can approve or reject calls of the tool. `client`: the client of the realtime session, or the API key
   * that asked the question. `staff`: members and API keys with the scope `approval:decide`. `either`: both of
   * them. Default: `"either"`.
   */
  approvedBy?: 'client' | 'staff' | 'either' | undefined
  /** The timeout of a call in seconds. Default: `30`. */
  timeoutSeconds?: number | undefined
  /** A button that clients can display with the result. `null` if there is none. */
  button?: {
    /** The label of the button. */
    label: string
    /** The URL that the button opens. */
    link: string
  } | null | undefined
  /** The kind of the tool. */
  kind: 'http'
  /** A description of what the tool does. The model uses it to decide when to call the tool. */
  description: string
  /**
   * The JSON schema of the arguments. Its `type` must be `object`. Default:
   * `{"type":"object","properties":{}}`.
   */
  parameters?: {
    type: 'object'
    properties?: Record<string, unknown> | undefined
    [field: string]: unknown
  } | undefined
  /** The HTTP request of the tool. */
  request: {
    /** The HTTP method. */
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
    /** The URL. It can contain `{name}` placeholders in path segments and query values. */
    url: string
    /** The query parameters. Their values can contain `{name}` placeholders. Default: `{}`. */
    query?: Record<string, string> | undefined
    /**
     * The JSON body. Its strings can contain `{name}` placeholders. If `null`, the arguments are sent as the
     * body.
     */
    body?: unknown
    /**
     * The HTTP headers. Write-only. If a header is omitted, its stored value is kept. If its value is `null`,
     * the header is deleted.
     */
    headers?: Record<string, string | null> | undefined
  }
}

export interface McpAgentToolInput {
  /** The name of the tool, as the model sees it. */
  name: string
  /** The display name of the tool. If `null`, the name of the tool is displayed. */
  title?: string | null | undefined
  /** The URL of an image that clients can display with the call. `null` if there is none. */
  imageUrl?: string | null | undefined
  /** Whether each call must be approved before it runs. Default: `false`. */
  approvalRequired?: boolean | undefined
  /**
   * Who can approve or reject calls of the tool. `client`: the client of the realtime session, or the API key
   * that asked the question. `staff`: members and API keys with the scope `approval:decide`. `either`: both of
   * them. Default: `"either"`.
   */
  approvedBy?: 'client' | 'staff' | 'either' | undefined
  /** The timeout of a call in seconds. Default: `30`. */
  timeoutSeconds?: number | undefined
  /** A button that clients can display with the result. `null` if there is none. */
  button?: {
    /** The label of the button. */
    label: string
    /** The URL that the button opens. */
    link: string
  } | null | undefined
  /** The kind of the tool. */
  kind: 'mcp'
  /**
   * A note about the server. It is not sent to the model, because the server describes its own tools. `null`
   * if there is none.
   */
  description?: string | null | undefined
  /** The names of the server tools that the agent can use. If `null`, the agent can use all of them. */
  allowedTools?: string[] | null | undefined
  /**
   * Whether calls of destructive tools require approval. A tool is considered destructive unless it declares
   * `readOnlyHint: true` or `destructiveHint: false`. Default: `false`.
   */
  destructiveApprovalRequired?: boolean | undefined
  /** The MCP server. */
  server: {
    /** The URL of a server that supports streamable HTTP. Set either `url` or `name`. */
    url?: string | null | undefined
    /** The name of a server that the operator has configured. Set either `url` or `name`. */
    name?: string | null | undefined
    /**
     * The HTTP headers. Write-only. If a header is omitted, its stored value is kept. If its value is `null`,
     * the header is deleted.
     */
    headers?: Record<string, string | null> | undefined
  }
}

export interface BuiltinAgentToolInput {
  /** The name of the tool, as the model sees it. */
  name: string
  /** The display name of the tool. If `null`, the name of the tool is displayed. */
  title?: string | null | undefined
  /** The URL of an image that clients can display with the call. `null` if there is none. */
  imageUrl?: string | null | undefined
  /** Whether each call must be approved before it runs. Default: `false`. */
  approvalRequired?: boolean | undefined
  /**
   * Who can approve or reject calls of the tool. `client`: the client of the realtime session, or the API key
   * that asked the question. `staff`: members and API keys with the scope `approval:decide`. `either`: both of
   * them. Default: `"either"`.
   */
  approvedBy?: 'client' | 'staff' | 'either' | undefined
  /** The timeout of a call in seconds. Default: `30`. */
  timeoutSeconds?: number | undefined
  /** A button that clients can display with the result. `null` if there is none. */
  button?: {
    /** The label of the button. */
    label: string
    /** The URL that the button opens. */
    link: string
  } | null | undefined
  /** The kind of the tool. */
  kind: 'builtin'
  /** The description that the model sees. If `null`, the built-in description is used. */
  description?: string | null | undefined
  /** The name of the built-in tool. */
  builtin: 'current_time' | 'create_task' | 'search_files'
}

/** The configuration of an agent tool in a request. */
export type AgentToolInput = HttpAgentToolInput | McpAgentToolInput | BuiltinAgentToolInput
