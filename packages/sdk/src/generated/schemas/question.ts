// Generated from the contract by `npm run generate`. What is changed here is lost.

/** A question to an agent. */
export interface QuestionInput {
  /** The user's question. */
  question: string
  /** Existing conversation id; omitted or null creates a new conversation for the agent. */
  conversationId?: string | null | undefined
  /** Temporary files for the question. Later questions of the conversation can use them too. Default: `[]`. */
  fileIds?: string[] | undefined
  /** Extra instructions appended after the agent system message for this question. */
  additionalInstructions?: string | null | undefined
  /** Makes it a rehearsal. A rehearsal conversation stays one, and no other conversation becomes one. */
  rehearsal?: Rehearsal | null | undefined
}

/** A question to an agent and the state of its answer. */
export interface QuestionAnswer {
  /** The conversation. Send it with the next question to continue. */
  conversationId: string
  /** The id of the turn, to follow or stop it. */
  turnId: string
  /** The id of the stored answer. Null: not stored yet. */
  messageId: string | null
  /** The answer so far. Null: none yet. */
  answer: string | null
  /** The state of the answer. */
  status: 'queued' | 'running' | 'waiting_for_approval' | 'completed' | 'failed' | 'stopped'
  /** Why the answer is missing or incomplete. */
  failure: string | null
  /** The tool calls, in order. */
  toolInvocations: ToolInvocation[]
  /** Calls that wait for approval. */
  approvals: WaitingApproval[]
  /** The token usage so far. */
  usage: {
    /** Input tokens. */
    inputTokens: number
    /** Output tokens. */
    outputTokens: number
    /** Input tokens read from a cache. */
    cachedInputTokens: number
  }
  /** The cost so far, including sub-agents. */
  cost: Cost
}

/**
 * Marks a question or session as a rehearsal: no tool is really called and no webhook is sent. A tool without
 * a stub fails. Client tools and tools that only read the conversation work as usual. Sub-agents use the same
 * stubs.
 */
export interface Rehearsal {
  /** The stubs. The first stub that matches a call answers it. Default: `[]`. */
  tools?: ToolStub[] | undefined
}

/** A tool call of an answer. */
export interface ToolInvocation {
  /** The id of the stored tool message. */
  id: string
  /** The model's id of the call. */
  callId: string | null
  /** The name of the tool or sub-agent. */
  name: string | null
  /** The arguments as JSON text. The call runs with exactly these. */
  arguments: string | null
  /** The result of the call. */
  content: string
  /** 0 pending, 1 success, 2 failed, 3 pending approval. */
  status: number | null
  /** How long the tool ran. */
  executionTimeSeconds: number | null
}

/** A call that waits for approval. */
export interface WaitingApproval {
  /** The model's id of the call. A decision refers to it. */
  callId: string
  /** The id of the stored tool message. */
  messageId: string
  /** The name of the tool. */
  tool: string
  /** The arguments as JSON text. */
  arguments: string
  /**
   * Who may decide on it. `client`: the user over the session's socket, or the key that asked the question.
   * `staff`: people and keys with `approval:decide`. `either`: both.
   */
  approvedBy: 'client' | 'staff' | 'either'
  /** The deadline of the decision (UTC). */
  deadline: string
}

/** A cost. It is complete if the three figures after the currency are 0. Otherwise it is a minimum. */
export interface Cost {
  /** The cost of the usage that has a price. Null: there was usage, but none of it has a price. */
  amount: number | null
  /** The currency. */
  currency: 'USD'
  /** Tokens without a price. The amount does not include them. */
  unpricedTokens: number
  /** Seconds of audio billed by time, without a price. The amount does not include them. */
  unpricedSeconds: number
  /** Responses for which the provider reported no usage. No figure includes them. */
  unknownResponses: number
}

/** A stub that replaces a tool in a rehearsal. */
export interface ToolStub {
  /** The tool name that the model uses. A tool of an MCP server has the prefix `<tool>__`. */
  name: string
  /** The output of the tool. Give either `output` or `error`. */
  output?: string | undefined
  /** The error that the tool fails with, instead of an output. */
  error?: string | undefined
  /** How long the call takes. The tool's timeout still applies. Default: `0`. */
  delayMilliseconds?: number | undefined
  /**
   * Answers only calls whose arguments contain all of these values, at any depth. Empty: every call. Default:
   * `{}`.
   */
  arguments?: Record<string, unknown> | undefined
}
