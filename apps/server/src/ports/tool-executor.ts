import type { AgentTool, ApprovedBy, TemplateVariable, ToolHints, ToolStub } from '@parley/contract'

export type HttpTool = Extract<AgentTool, { kind: 'http' }>
export type McpTool = Extract<AgentTool, { kind: 'mcp' }>
export type BuiltinTool = Extract<AgentTool, { kind: 'builtin' }>

/** The organization, agent and conversation of a tool call. */
export interface ToolCaller {
  readonly organizationId: string
  readonly agentId: string
  readonly agentName: string
  readonly conversationId: string | null
  /** Null if the end user is anonymous. */
  readonly endUserId: string | null
}

/** The outcome of a call. `output` is the text for the model. Users see a shortened version. */
export interface ToolOutcome {
  readonly ok: boolean
  readonly output: string
  /** The call was sent, but no readable response arrived. It is unknown whether the call took effect. */
  readonly isUnknown?: true
  /** The MCP server requires authorization and did not process the call. */
  readonly isUnauthorized?: true | undefined
}

/** Returns the value of a variable in a template. */
export type VariableValues = (variable: TemplateVariable) => string

/** One call of a tool. Its arguments are valid against the schema. */
export interface ToolInvocation {
  readonly arguments: Readonly<Record<string, unknown>>
  /** The variables of the conversation. */
  readonly variables: VariableValues
  /** The schema of the arguments. Servers may require some of them in headers too. */
  readonly parameters?: Readonly<Record<string, unknown>> | undefined
  /** The decrypted header values, which must be sent only to the tool's address. */
  readonly headers: Readonly<Record<string, string>>
  /** The same id for every retry of the same call. */
  readonly idempotencyKey: string
  /** Null if the end user is anonymous. */
  readonly endUserId: string | null
  readonly timeoutMilliseconds: number
  /** Aborting ends the call immediately. Its outcome must then be ignored. */
  readonly signal: AbortSignal
  /** Called when the call may have reached its target. From then on, it may have an effect. */
  readonly onSent: () => void
}

/** The request of an http tool, without its headers. */
export interface HttpToolRequest {
  readonly method: string
  readonly url: string
  readonly body: string | null
}

export type HttpPreview =
  | { readonly ok: true; readonly request: HttpToolRequest }
  | { readonly ok: false; readonly problem: string }

/** Runs http tools. Never rejects: a failure is returned as an outcome. */
export interface HttpToolExecutor {
  /** Returns the request for these arguments, or why they cannot be sent. Sends nothing. */
  preview(tool: HttpTool, given: Pick<ToolInvocation, 'arguments' | 'variables'>): HttpPreview
  run(tool: HttpTool, invocation: ToolInvocation): Promise<ToolOutcome>
}

/** An MCP server: an address, or a name on the operator's list. */
export interface McpServerTarget {
  /** The organization. Data about a server is never shared between organizations. */
  readonly organizationId: string
  readonly url: string | null
  readonly name: string | null
  readonly headers: Readonly<Record<string, string>>
}

/** A tool as an MCP server describes it. */
export interface McpToolDescription {
  readonly name: string
  readonly description: string
  readonly parameters: Readonly<Record<string, unknown>>
  /** Whether the server declares the tool as read-only. */
  readonly isReadOnly?: boolean | undefined
  /** All hints of the server about the tool, or absent if it gives none. */
  readonly hints?: ToolHints | undefined
}

export type McpListing =
  | { readonly ok: true; readonly tools: readonly McpToolDescription[]; readonly isUnauthorized?: never }
  | {
      readonly ok: false
      readonly detail: string
      /** Whether the server requires authorization. */
      readonly isUnauthorized?: true | undefined
    }

/** Calls MCP servers. Never rejects: a failure is returned as an outcome. */
export interface McpToolExecutor {
  /** Requests the list of tools from a server. */
  list(target: McpServerTarget, signal: AbortSignal): Promise<McpListing>
  run(target: McpServerTarget, toolName: string, invocation: ToolInvocation): Promise<ToolOutcome>
  /** Closes every connection and ends every process that the executor started. */
  close(): Promise<void>
}

/** A tool that can be called: its schema for the model, its display data for users, and its action. */
export interface CallableTool<Action extends ToolAction = ToolAction> {
  /** The name that the model uses. */
  readonly name: string
  readonly description: string
  /** The JSON schema of the arguments. */
  readonly parameters: Readonly<Record<string, unknown>>
  readonly title: string
  readonly imageUrl: string | null
  readonly button: { readonly label: string; readonly link: string } | null
  readonly approvalRequired: boolean
  /** Absent in older records. Then both the client and a user may approve. */
  readonly approvedBy?: ApprovedBy | undefined
  readonly timeoutSeconds: number
  readonly action: Action
}

/** A rehearsal. No real action runs. The first stub that matches the call provides the output. */
export interface StubAction {
  readonly kind: 'stub'
  readonly stubs: readonly ToolStub[]
  /** Whether the replaced tool may have an effect. Its calls are handled with the same care as real ones. */
  readonly mayHaveEffect: boolean
}

export type ToolAction = RealAction | StubAction

/** The action of a tool. Header values are not included. They are decrypted when the tool runs. */
export type RealAction =
  | { readonly kind: 'http'; readonly tool: HttpTool }
  | {
      readonly kind: 'mcp'
      readonly tool: McpTool
      readonly serverTool: string
      /** Whether the server declares the tool as read-only. */
      readonly isReadOnly?: boolean | undefined
      readonly hints?: ToolHints | undefined
    }
  | { readonly kind: 'builtin'; readonly tool: BuiltinTool }
  | {
      readonly kind: 'subagent'
      readonly agentId: string
      readonly agentName: string
      readonly icon: string | null
      readonly iconColor: string | null
    }

/**
 * Arguments that are valid against their tool's schema, or a problem description that lets a model correct
 * them.
 */
export type CheckedArguments =
  | {
      readonly ok: true
      readonly arguments: Readonly<Record<string, unknown>>
      /** The arguments as text. This exact text is stored, shown to users, and parsed when the tool runs. */
      readonly text: string
    }
  | { readonly ok: false; readonly problem: string }

/**
 * The maximum length of a call's arguments in characters, and of all arguments in one chat model step
 * together.
 */
export const maxArgumentsCharacters = 1024 * 1024

/** Replaces arguments that are too long to be stored. It is not JSON, so no call can run with it. */
export const omittedArguments = `[Omitted: the arguments are longer than ${maxArgumentsCharacters} characters.]`

/** A model's arguments and the schema of the tool. */
export interface GivenArguments {
  /** The organization. Organizations do not delay each other. */
  readonly organizationId: string
  /** A JSON schema from any source. */
  readonly schema: Readonly<Record<string, unknown>>
  readonly argumentsText: string
}

/** Checks arguments against untrusted schemas, in bounded time and outside the main thread. */
export interface ArgumentChecker {
  /** Never rejects. */
  check(given: GivenArguments): Promise<CheckedArguments>
  close(): Promise<void>
}
