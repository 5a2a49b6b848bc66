// Generated from the contract by `npm run generate`. What is changed here is lost.

export interface HttpAgentTool {
  /** The name the model calls the tool by. */
  name: string
  /** The name shown to people. Null: the tool name. */
  title: string | null
  /** A picture that clients can show beside the call. */
  imageUrl: string | null
  /** Whether a person must approve each call. */
  approvalRequired: boolean
  /**
   * Who may decide on calls that need approval. `client`: the user over the session's socket, or the key that
   * asked the question. `staff`: people and keys with `approval:decide`. `either`: both.
   */
  approvedBy: 'client' | 'staff' | 'either'
  /** The maximum duration of one call. */
  timeoutSeconds: number
  /** A button that clients can show with the result. */
  button: {
    /** The label of the button. */
    label: string
    /** The address that the button opens. */
    link: string
  } | null
  kind: 'http'
  /** What the tool does. The model chooses the tool by this text. */
  description: string
  /** The JSON schema of the arguments. Its type is object. */
  parameters: {
    type: 'object'
    properties?: Record<string, unknown> | undefined
    [field: string]: unknown
  }
  request: {
    /** The HTTP method. */
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
    /** The address. `{name}` placeholders are allowed in path segments and query values only. */
    url: string
    /** Query parameters. Values may contain placeholders. */
    query: Record<string, string>
    /** A JSON body whose strings may contain placeholders. Null: the arguments are the body. */
    body: unknown
    /** The names of the stored headers. Their values are never shown. */
    headerNames: string[]
  }
}

export interface McpAgentTool {
  /** The name the model calls the tool by. */
  name: string
  /** The name shown to people. Null: the tool name. */
  title: string | null
  /** A picture that clients can show beside the call. */
  imageUrl: string | null
  /** Whether a person must approve each call. */
  approvalRequired: boolean
  /**
   * Who may decide on calls that need approval. `client`: the user over the session's socket, or the key that
   * asked the question. `staff`: people and keys with `approval:decide`. `either`: both.
   */
  approvedBy: 'client' | 'staff' | 'either'
  /** The maximum duration of one call. */
  timeoutSeconds: number
  /** A button that clients can show with the result. */
  button: {
    /** The label of the button. */
    label: string
    /** The address that the button opens. */
    link: string
  } | null
  kind: 'mcp'
  /** A note for people. The server describes its own tools. */
  description: string | null
  /** The server's tools that the agent may use. Null: all of them. */
  allowedTools: string[] | null
  /**
   * Whether destructive tools of the server need approval. A tool is destructive unless it declares
   * `readOnlyHint` true or `destructiveHint` false.
   */
  destructiveApprovalRequired: boolean
  server: {
    /** The address of a streamable HTTP server. */
    url: string | null
    /** The name of a server on the operator's list. */
    name: string | null
    /** The names of the stored headers. Their values are never shown. */
    headerNames: string[]
  }
}

export interface BuiltinAgentTool {
  /** The name the model calls the tool by. */
  name: string
  /** The name shown to people. Null: the tool name. */
  title: string | null
  /** A picture that clients can show beside the call. */
  imageUrl: string | null
  /** Whether a person must approve each call. */
  approvalRequired: boolean
  /**
   * Who may decide on calls that need approval. `client`: the user over the session's socket, or the key that
   * asked the question. `staff`: people and keys with `approval:decide`. `either`: both.
   */
  approvedBy: 'client' | 'staff' | 'either'
  /** The maximum duration of one call. */
  timeoutSeconds: number
  /** A button that clients can show with the result. */
  button: {
    /** The label of the button. */
    label: string
    /** The address that the button opens. */
    link: string
  } | null
  kind: 'builtin'
  /** Replaces the tool's own description for the model. */
  description: string | null
  /** The name of the built-in tool. */
  builtin: 'current_time' | 'create_task' | 'search_files'
}

/** A tool of an agent. Header values are never shown. */
export type AgentTool = HttpAgentTool | McpAgentTool | BuiltinAgentTool

export interface HttpAgentToolInput {
  /** The name the model calls the tool by. */
  name: string
  /** The name shown to people. Null: the tool name. */
  title?: string | null | undefined
  /** A picture that clients can show beside the call. */
  imageUrl?: string | null | undefined
  /** Whether a person must approve each call. Default: `false`. */
  approvalRequired?: boolean | undefined
  /**
   * Who may decide on calls that need approval. `client`: the user over the session's socket, or the key that
   * asked the question. `staff`: people and keys with `approval:decide`. `either`: both. Default: `"either"`.
   */
  approvedBy?: 'client' | 'staff' | 'either' | undefined
  /** The maximum duration of one call. Default: `30`. */
  timeoutSeconds?: number | undefined
  /** A button that clients can show with the result. */
  button?: {
    /** The label of the button. */
    label: string
    /** The address that the button opens. */
    link: string
  } | null | undefined
  kind: 'http'
  /** What the tool does. The model chooses the tool by this text. */
  description: string
  /** The JSON schema of the arguments. Its type is object. Default: `{"type":"object","properties":{}}`. */
  parameters?: {
    type: 'object'
    properties?: Record<string, unknown> | undefined
    [field: string]: unknown
  } | undefined
  request: {
    /** The HTTP method. */
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
    /** The address. `{name}` placeholders are allowed in path segments and query values only. */
    url: string
    /** Query parameters. Values may contain placeholders. Default: `{}`. */
    query?: Record<string, string> | undefined
    /** A JSON body whose strings may contain placeholders. Null: the arguments are the body. */
    body?: unknown
    /** Headers with their values. Write-only. A header left out keeps its value, null deletes it. */
    headers?: Record<string, string | null> | undefined
  }
}

export interface McpAgentToolInput {
  /** The name the model calls the tool by. */
  name: string
  /** The name shown to people. Null: the tool name. */
  title?: string | null | undefined
  /** A picture that clients can show beside the call. */
  imageUrl?: string | null | undefined
  /** Whether a person must approve each call. Default: `false`. */
  approvalRequired?: boolean | undefined
  /**
   * Who may decide on calls that need approval. `client`: the user over the session's socket, or the key that
   * asked the question. `staff`: people and keys with `approval:decide`. `either`: both. Default: `"either"`.
   */
  approvedBy?: 'client' | 'staff' | 'either' | undefined
  /** The maximum duration of one call. Default: `30`. */
  timeoutSeconds?: number | undefined
  /** A button that clients can show with the result. */
  button?: {
    /** The label of the button. */
    label: string
    /** The address that the button opens. */
    link: string
  } | null | undefined
  kind: 'mcp'
  /** A note for people. The server describes its own tools. */
  description?: string | null | undefined
  /** The server's tools that the agent may use. Null: all of them. */
  allowedTools?: string[] | null | undefined
  /**
   * Whether destructive tools of the server need approval. A tool is destructive unless it declares
   * `readOnlyHint` true or `destructiveHint` false. Default: `false`.
   */
  destructiveApprovalRequired?: boolean | undefined
  server: {
    /** The address of a streamable HTTP server. */
    url?: string | null | undefined
    /** The name of a server on the operator's list. */
    name?: string | null | undefined
    /** Headers with their values. Write-only. A header left out keeps its value, null deletes it. */
    headers?: Record<string, string | null> | undefined
  }
}

export interface BuiltinAgentToolInput {
  /** The name the model calls the tool by. */
  name: string
  /** The name shown to people. Null: the tool name. */
  title?: string | null | undefined
  /** A picture that clients can show beside the call. */
  imageUrl?: string | null | undefined
  /** Whether a person must approve each call. Default: `false`. */
  approvalRequired?: boolean | undefined
  /**
   * Who may decide on calls that need approval. `client`: the user over the session's socket, or the key that
   * asked the question. `staff`: people and keys with `approval:decide`. `either`: both. Default: `"either"`.
   */
  approvedBy?: 'client' | 'staff' | 'either' | undefined
  /** The maximum duration of one call. Default: `30`. */
  timeoutSeconds?: number | undefined
  /** A button that clients can show with the result. */
  button?: {
    /** The label of the button. */
    label: string
    /** The address that the button opens. */
    link: string
  } | null | undefined
  kind: 'builtin'
  /** Replaces the tool's own description for the model. */
  description?: string | null | undefined
  /** The name of the built-in tool. */
  builtin: 'current_time' | 'create_task' | 'search_files'
}

/** A tool of an agent, as it is sent. */
export type AgentToolInput = HttpAgentToolInput | McpAgentToolInput | BuiltinAgentToolInput
