import type { AgentTool, ApprovedBy, ToolHints, ToolStub } from '@parley/contract'

export type HttpTool = Extract<AgentTool, { kind: 'http' }>
export type McpTool = Extract<AgentTool, { kind: 'mcp' }>
export type BuiltinTool = Extract<AgentTool, { kind: 'builtin' }>

/** In whose name and in which conversation a tool is called. */
export interface ToolCaller {
  readonly organizationId: string
  readonly agentId: string
  readonly agentName: string
  readonly conversationId: string | null
}

/** What came of a call: `output` is what the model reads, and what a person is shown, shortened. */
export interface ToolOutcome {
  readonly ok: boolean
  readonly output: string
  /** Nobody knows whether the call had its effect: it was sent, and no answer came, or none that could be read. */
  readonly isUnknown?: true
  /** An MCP server wants to know who calls, and has done nothing. */
  readonly isUnauthorized?: true | undefined
}

/** One call of a tool, its arguments checked against the schema. */
export interface ToolInvocation {
  readonly arguments: Readonly<Record<string, unknown>>
  /** The schema that they were checked against: servers may want some of them in headers too. */
  readonly parameters?: Readonly<Record<string, unknown>> | undefined
  /** The header values, opened; they are shown to nobody but the address they go to. */
  readonly headers: Readonly<Record<string, string>>
  /** The same for every try of the same call. */
  readonly idempotencyKey: string
  readonly timeoutMilliseconds: number
  /** Aborting ends the call at once; the outcome then does not matter any more. */
  readonly signal: AbortSignal
  /** Called when the call may have reached whoever acts on it: from then on it may have its effect. */
  readonly onSent: () => void
}

/** What a call of an http tool sends, apart from its headers. */
export interface HttpToolRequest {
  readonly method: string
  readonly url: string
  readonly body: string | null
}

export type HttpPreview =
  | { readonly ok: true; readonly request: HttpToolRequest }
  | { readonly ok: false; readonly problem: string }

/** Runs http tools. Never rejects: a failure is an outcome. */
export interface HttpToolExecutor {
  /** What would be sent with these arguments, or why nothing would. Sends nothing. */
  preview(tool: HttpTool, given: Readonly<Record<string, unknown>>): HttpPreview
  run(tool: HttpTool, invocation: ToolInvocation): Promise<ToolOutcome>
}

/** Where an MCP server is: an address, or a name on the operator's list. */
export interface McpServerTarget {
  /** Whose it is: what a server remembers of one organization is none of another's business. */
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
  /** The server says that a call changes nothing. */
  readonly isReadOnly?: boolean | undefined
  /** All that it says of a call; left out where it says nothing. */
  readonly hints?: ToolHints | undefined
}

export type McpListing =
  | { readonly ok: true; readonly tools: readonly McpToolDescription[]; readonly isUnauthorized?: never }
  | {
      readonly ok: false
      readonly detail: string
      /** The server wants to know who asks. */
      readonly isUnauthorized?: true | undefined
    }

/** Speaks to MCP servers. Never rejects: a failure is an outcome. */
export interface McpToolExecutor {
  /** Asks a server for its tools. */
  list(target: McpServerTarget, signal: AbortSignal): Promise<McpListing>
  /** Calls one of them. */
  run(target: McpServerTarget, toolName: string, invocation: ToolInvocation): Promise<ToolOutcome>
  /** Ends every connection and every process it started. */
  close(): Promise<void>
}

/** A tool as it can be called: how the model sees it, what people are shown, and what is done. */
export interface CallableTool<Action extends ToolAction = ToolAction> {
  /** The name the model calls it by. */
  readonly name: string
  readonly description: string
  /** JSON schema of the arguments. */
  readonly parameters: Readonly<Record<string, unknown>>
  readonly title: string
  readonly imageUrl: string | null
  readonly button: { readonly label: string; readonly link: string } | null
  readonly approvalRequired: boolean
  /** Left out where it was stored before there was a choice: either. */
  readonly approvedBy?: ApprovedBy | undefined
  readonly timeoutSeconds: number
  readonly action: Action
}

/** In a rehearsal nothing is done: of the stubs of its tool, the first that fits a call answers it. */
export interface StubAction {
  readonly kind: 'stub'
  readonly stubs: readonly ToolStub[]
  /** Whether the tool itself may change something: its calls are taken as seriously as they would be. */
  readonly mayHaveEffect: boolean
}

export type ToolAction = RealAction | StubAction

/** What is done. Header values are not part of it: they are opened when the tool runs. */
export type RealAction =
  | { readonly kind: 'http'; readonly tool: HttpTool }
  | {
      readonly kind: 'mcp'
      readonly tool: McpTool
      readonly serverTool: string
      /** The server says that a call changes nothing. */
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

/** The arguments of a call that fit its tool's schema, or a description of the problem that lets a model correct it. */
export type CheckedArguments =
  | {
      readonly ok: true
      readonly arguments: Readonly<Record<string, unknown>>
      /** The one text of the arguments: it is stored, shown to people, and parsed when the tool runs. */
      readonly text: string
    }
  | { readonly ok: false; readonly problem: string }

/** How many characters the arguments of a call may have, and those of all calls of a chat model's step together. */
export const maxArgumentsCharacters = 1024 * 1024

/** Stands in place of longer arguments, which are not kept. It is not JSON, so no call runs with it. */
export const omittedArguments = `[Omitted: the arguments are longer than ${maxArgumentsCharacters} characters.]`

/** What a model gave, and what the tool takes. */
export interface GivenArguments {
  /** Whose call it is: no organization keeps the others waiting. */
  readonly organizationId: string
  /** A JSON schema, whoever wrote it. */
  readonly schema: Readonly<Record<string, unknown>>
  readonly argumentsText: string
}

/** Checks arguments against schemas of strangers, in bounded time and beside everything else. */
export interface ArgumentChecker {
  /** Never rejects. */
  check(given: GivenArguments): Promise<CheckedArguments>
  close(): Promise<void>
}
