// Generated from the contract by `npm run generate`. What is changed here is lost.

export interface HttpAgentTool {
  /** The name the model calls the tool by. */
  name: string
  /** What people see; the name where null. */
  title: string | null
  /** A picture that clients can show beside the call. */
  imageUrl: string | null
  /** Whether a person must approve each call. */
  approvalRequired: boolean
  /**
   * Who may decide on its calls that need approval. `client`: the user, over the session's socket, or the key
   * that asked the question. `staff`: people and keys with `approval:decide`. `either`: both.
   */
  approvedBy: 'client' | 'staff' | 'either'
  /** How long one call may take. */
  timeoutSeconds: number
  /** A button that clients can show with the result. */
  button: {
    /** The text on the button. */
    label: string
    /** Where the button leads. */
    link: string
  } | null
  kind: 'http'
  /** What the tool does, for the model to choose by. */
  description: string
  /** JSON schema of the arguments; its type is object. */
  parameters: {
    type: 'object'
    properties?: Record<string, unknown> | undefined
    [field: string]: unknown
  }
  request: {
    /** The HTTP method. */
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
    /** The address. `{name}` placeholders may stand in path segments and query values only. */
    url: string
    /** Query parameters; values may hold placeholders. */
    query: Record<string, string>
    /** A JSON body whose strings may hold placeholders; null: the arguments. */
    body: unknown
    /** Names of the headers that are set; their values are never shown. */
    headerNames: string[]
  }
}

export interface McpAgentTool {
  /** The name the model calls the tool by. */
  name: string
  /** What people see; the name where null. */
  title: string | null
  /** A picture that clients can show beside the call. */
  imageUrl: string | null
  /** Whether a person must approve each call. */
  approvalRequired: boolean
  /**
   * Who may decide on its calls that need approval. `client`: the user, over the session's socket, or the key
   * that asked the question. `staff`: people and keys with `approval:decide`. `either`: both.
   */
  approvedBy: 'client' | 'staff' | 'either'
  /** How long one call may take. */
  timeoutSeconds: number
  /** A button that clients can show with the result. */
  button: {
    /** The text on the button. */
    label: string
    /** Where the button leads. */
    link: string
  } | null
  kind: 'mcp'
  /** A note for people; the server describes its own tools. */
  description: string | null
  /** Which of the server's tools the agent may use; all where null. */
  allowedTools: string[] | null
  /**
   * Whether a person must approve each call of those of the server's tools that may destroy something: all but
   * those that say `readOnlyHint` true or `destructiveHint` false.
   */
  destructiveApprovalRequired: boolean
  server: {
    /** The address of a streamable HTTP server. */
    url: string | null
    /** The name of a server on the operator's list. */
    name: string | null
    /** Names of the headers that are set; their values are never shown. */
    headerNames: string[]
  }
}

export interface BuiltinAgentTool {
  /** The name the model calls the tool by. */
  name: string
  /** What people see; the name where null. */
  title: string | null
  /** A picture that clients can show beside the call. */
  imageUrl: string | null
  /** Whether a person must approve each call. */
  approvalRequired: boolean
  /**
   * Who may decide on its calls that need approval. `client`: the user, over the session's socket, or the key
   * that asked the question. `staff`: people and keys with `approval:decide`. `either`: both.
   */
  approvedBy: 'client' | 'staff' | 'either'
  /** How long one call may take. */
  timeoutSeconds: number
  /** A button that clients can show with the result. */
  button: {
    /** The text on the button. */
    label: string
    /** Where the button leads. */
    link: string
  } | null
  kind: 'builtin'
  /** Overrides the tool's own description for the model. */
  description: string | null
  /** Which of the shipped tools it is. */
  builtin: 'current_time' | 'create_task' | 'search_files'
}

/** A tool of an agent. Header values are never shown. */
export type AgentTool = HttpAgentTool | McpAgentTool | BuiltinAgentTool

export interface HttpAgentToolInput {
  /** The name the model calls the tool by. */
  name: string
  /** What people see; the name where null. */
  title?: string | null | undefined
  /** A picture that clients can show beside the call. */
  imageUrl?: string | null | undefined
  /** Whether a person must approve each call. Default: `false`. */
  approvalRequired?: boolean | undefined
  /**
   * Who may decide on its calls that need approval. `client`: the user, over the session's socket, or the key
   * that asked the question. `staff`: people and keys with `approval:decide`. `either`: both. Default:
   * `"either"`.
   */
  approvedBy?: 'client' | 'staff' | 'either' | undefined
  /** How long one call may take. Default: `30`. */
  timeoutSeconds?: number | undefined
  /** A button that clients can show with the result. */
  button?: {
    /** The text on the button. */
    label: string
    /** Where the button leads. */
    link: string
  } | null | undefined
  kind: 'http'
  /** What the tool does, for the model to choose by. */
  description: string
  /** JSON schema of the arguments; its type is object. Default: `{"type":"object","properties":{}}`. */
  parameters?: {
    type: 'object'
    properties?: Record<string, unknown> | undefined
    [field: string]: unknown
  } | undefined
  request: {
    /** The HTTP method. */
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
    /** The address. `{name}` placeholders may stand in path segments and query values only. */
    url: string
    /** Query parameters; values may hold placeholders. Default: `{}`. */
    query?: Record<string, string> | undefined
    /** A JSON body whose strings may hold placeholders; null: the arguments. */
    body?: unknown
    /** Headers with their values. Write-only: a header left out stays, null clears it. */
    headers?: Record<string, string | null> | undefined
  }
}

export interface McpAgentToolInput {
  /** The name the model calls the tool by. */
  name: string
  /** What people see; the name where null. */
  title?: string | null | undefined
  /** A picture that clients can show beside the call. */
  imageUrl?: string | null | undefined
  /** Whether a person must approve each call. Default: `false`. */
  approvalRequired?: boolean | undefined
  /**
   * Who may decide on its calls that need approval. `client`: the user, over the session's socket, or the key
   * that asked the question. `staff`: people and keys with `approval:decide`. `either`: both. Default:
   * `"either"`.
   */
  approvedBy?: 'client' | 'staff' | 'either' | undefined
  /** How long one call may take. Default: `30`. */
  timeoutSeconds?: number | undefined
  /** A button that clients can show with the result. */
  button?: {
    /** The text on the button. */
    label: string
    /** Where the button leads. */
    link: string
  } | null | undefined
  kind: 'mcp'
  /** A note for people; the server describes its own tools. */
  description?: string | null | undefined
  /** Which of the server's tools the agent may use; all where null. */
  allowedTools?: string[] | null | undefined
  /**
   * Whether a person must approve each call of those of the server's tools that may destroy something: all but
   * those that say `readOnlyHint` true or `destructiveHint` false. Default: `false`.
   */
  destructiveApprovalRequired?: boolean | undefined
  server: {
    /** The address of a streamable HTTP server. */
    url?: string | null | undefined
    /** The name of a server on the operator's list. */
    name?: string | null | undefined
    /** Headers with their values. Write-only: a header left out stays, null clears it. */
    headers?: Record<string, string | null> | undefined
  }
}

export interface BuiltinAgentToolInput {
  /** The name the model calls the tool by. */
  name: string
  /** What people see; the name where null. */
  title?: string | null | undefined
  /** A picture that clients can show beside the call. */
  imageUrl?: string | null | undefined
  /** Whether a person must approve each call. Default: `false`. */
  approvalRequired?: boolean | undefined
  /**
   * Who may decide on its calls that need approval. `client`: the user, over the session's socket, or the key
   * that asked the question. `staff`: people and keys with `approval:decide`. `either`: both. Default:
   * `"either"`.
   */
  approvedBy?: 'client' | 'staff' | 'either' | undefined
  /** How long one call may take. Default: `30`. */
  timeoutSeconds?: number | undefined
  /** A button that clients can show with the result. */
  button?: {
    /** The text on the button. */
    label: string
    /** Where the button leads. */
    link: string
  } | null | undefined
  kind: 'builtin'
  /** Overrides the tool's own description for the model. */
  description?: string | null | undefined
  /** Which of the shipped tools it is. */
  builtin: 'current_time' | 'create_task' | 'search_files'
}

/** A tool of an agent, as it is written. */
export type AgentToolInput = HttpAgentToolInput | McpAgentToolInput | BuiltinAgentToolInput
