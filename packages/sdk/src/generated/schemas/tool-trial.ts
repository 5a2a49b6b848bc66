// Generated from the contract by `npm run generate`. Do not edit.

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
