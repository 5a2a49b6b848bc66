// Generated from the contract by `npm run generate`. Do not edit.

import type { Variables } from '../schemas/tool-trial.js'

/** The parameters for asking an agent a question. */
export interface QuestionInput {
  /** The user's question. */
  question: string
  /** The ID of an existing conversation of the agent. If omitted or `null`, a new conversation is created. */
  conversationId?: string | null | undefined
  /**
   * The IDs of temporary files to use as context. Later questions in the conversation can use them as well.
   * Default: `[]`.
   */
  fileIds?: string[] | undefined
  /** Additional instructions for this question. They are appended to the system message of the agent. */
  additionalInstructions?: string | null | undefined
  /**
   * A JSON Schema for the answer. `output` then contains a value that matches it, or the request fails with
   * `ResponseSchemaNotMet`. `null` if the answer is text.
   */
  responseSchema?: ResponseSchema | null | undefined
  /** Your own ID of the end user. The first use creates the end user. `null` if the end user is anonymous. */
  externalUserId?: string | null | undefined
  /** Metadata of the conversation. Later requests merge theirs into it. Default: `{}`. */
  metadata?: Metadata | undefined
  /**
   * Values for `{{name}}` in the agent's instructions, first message and HTTP tools. The conversation keeps
   * them for later requests. Default: `{}`.
   */
  variables?: Variables | undefined
  /**
   * Runs the request as a rehearsal (test mode). Whether a conversation is a rehearsal is set when it is
   * created and cannot be changed later.
   */
  rehearsal?: Rehearsal | null | undefined
}

/** A question to an agent, and its answer so far. */
export interface QuestionAnswer {
  /** The ID of the conversation. Send it with the next question to continue the conversation. */
  conversationId: string
  /** The ID of the turn. Use it to follow or stop the turn. */
  turnId: string
  /** The ID of the stored answer. `null` if it has not been stored yet. */
  messageId: string | null
  /** The answer so far. `null` if there is none yet. */
  answer: string | null
  /** The answer as a value that matches `responseSchema`. `null` if there is none. */
  output: Record<string, unknown> | null
  /** The status of the turn. */
  status: 'queued' | 'running' | 'waiting_for_approval' | 'completed' | 'failed' | 'stopped'
  /** Why the answer is missing or incomplete. `null` if the turn did not fail. */
  failure: string | null
  /** The tool calls of the turn, in order. */
  toolInvocations: ToolInvocation[]
  /** The tool calls that are waiting for approval. */
  approvals: WaitingApproval[]
  /** The token usage so far. */
  usage: {
    /** The number of input tokens. */
    inputTokens: number
    /** The number of output tokens. */
    outputTokens: number
    /** The number of input tokens that were read from a cache. */
    cachedInputTokens: number
  }
  /** The cost so far, including the cost of sub-agents. */
  cost: Cost
}

/**
 * A JSON Schema for the answer. Its `type` is `object`. Supported: `type`, `title`, `description`,
 * `properties`, `required`, `additionalProperties`, `propertyNames`, `items`, `anyOf`, `enum`, `const`,
 * `default`, and the limits of numbers, strings and arrays, `pattern` and `format`. References are not
 * supported. At most 16 KiB, 8 levels and 200 properties.
 */
export type ResponseSchema = Record<string, unknown>

/**
 * Your own data: at most 50 keys with strings, numbers or booleans, and at most 8 KiB as JSON. Lists can be
 * filtered by it.
 */
export type Metadata = Record<string, string | number | boolean>

/**
 * Runs a question or realtime session in test mode. Tools are not called, and webhooks are not sent. Stubs
 * supply the results of the tools, and a call to a tool without a stub fails. Client tools, and tools that
 * only read the conversation, work as usual. Sub-agents use the same stubs.
 */
export interface Rehearsal {
  /** The tool stubs. The first stub that matches a call is used. Default: `[]`. */
  tools?: ToolStub[] | undefined
}

/** A tool call that the agent made while answering. */
export interface ToolInvocation {
  /** The ID of the stored tool message. */
  id: string
  /** The ID that the model assigned to the call. `null` if it is unknown. */
  callId: string | null
  /** The name of the tool or sub-agent. `null` if it is unknown. */
  name: string | null
  /**
   * The arguments as a JSON string. The tool is called with exactly these arguments. `null` if they are
   * unknown.
   */
  arguments: string | null
  /** The result of the call. */
  content: string
  /**
   * The status of the call: 0 (pending), 1 (success), 2 (failed) or 3 (pending approval). `null` if it is
   * unknown.
   */
  status: number | null
  /** The duration of the call in seconds. `null` if the tool has not finished. */
  executionTimeSeconds: number | null
}

/** A tool call that is waiting for approval. */
export interface WaitingApproval {
  /** The ID that the model assigned to the call. Send it with the decision. */
  callId: string
  /** The ID of the stored tool message. */
  messageId: string
  /** The name of the tool. */
  tool: string
  /** The arguments as a JSON string. */
  arguments: string
  /**
   * Who can approve or reject the call. `client`: the client of the realtime session, or the API key that
   * asked the question. `staff`: members and API keys with the scope `approval:decide`. `either`: both of
   * them.
   */
  approvedBy: 'client' | 'staff' | 'either'
  /** When the approval expires (UTC). */
  deadline: string
}

/**
 * The cost of usage. `amount` is complete if `unpricedTokens`, `unpricedSeconds` and `unknownResponses` are 0.
 * Otherwise it is a lower bound.
 */
export interface Cost {
  /** The cost of the usage that has a price. `null` if there was usage, but none of it has a price. */
  amount: number | null
  /** The currency. */
  currency: 'USD'
  /** The number of tokens without a price. They are not included in `amount`. */
  unpricedTokens: number
  /**
   * The duration of the audio that is billed by time but has no price, in seconds. It is not included in
   * `amount`.
   */
  unpricedSeconds: number
  /**
   * The number of responses for which the provider did not report usage. They are not included in any other
   * field.
   */
  unknownResponses: number
}

/** A stub that replaces a tool in a rehearsal (test mode). */
export interface ToolStub {
  /** The name of the tool, as the model sees it. The names of MCP tools start with `<tool>__`. */
  name: string
  /** The output of the tool. Set either `output` or `error`. */
  output?: string | undefined
  /** The error with which the tool fails. Set either `output` or `error`. */
  error?: string | undefined
  /** The simulated duration of the call in milliseconds. The timeout of the tool still applies. Default: `0`. */
  delayMilliseconds?: number | undefined
  /**
   * The arguments that a call must contain for the stub to apply. Nested objects are compared recursively. If
   * empty, the stub applies to every call. Default: `{}`.
   */
  arguments?: Record<string, unknown> | undefined
}
