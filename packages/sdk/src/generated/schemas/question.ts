// Generated from the contract by `npm run generate`. What is changed here is lost.

/** A question to an agent. */
export interface QuestionInput {
  /** What the user asks. */
  question: string
  /** Existing conversation id; omitted or null creates a new conversation for the agent. */
  conversationId?: string | null | undefined
  /**
   * Temporary files that the question is about; later questions of the conversation know them too. Default:
   * `[]`.
   */
  fileIds?: string[] | undefined
  /** Extra instructions appended after the agent system message for this question. */
  additionalInstructions?: string | null | undefined
  /** Makes it a rehearsal. A conversation that began as a rehearsal goes on as one, and no other becomes one. */
  rehearsal?: Rehearsal | null | undefined
}

/** A question to an agent and how far its answer is. */
export interface QuestionAnswer {
  /** The conversation; give it with the next question to go on. */
  conversationId: string
  /** The turn, to follow it or to stop it. */
  turnId: string
  /** The id of the stored answer; null while there is none. */
  messageId: string | null
  /** The answer, or what there is of it; null while there is none. */
  answer: string | null
  /** How far the answer is. */
  status: 'queued' | 'running' | 'waiting_for_approval' | 'completed' | 'failed' | 'stopped'
  /** Why there is no answer, or not all of it. */
  failure: string | null
  /** The tools that were called, in order. */
  toolInvocations: ToolInvocation[]
  /** Calls that wait for a person. */
  approvals: WaitingApproval[]
  /** What the answer took so far. */
  usage: {
    /** Tokens that the model read. */
    inputTokens: number
    /** Tokens that the model wrote. */
    outputTokens: number
    /** Those of inputTokens that came from a cache. */
    cachedInputTokens: number
  }
  /** What the answer cost so far, its sub-agents included. */
  cost: Cost
}

/**
 * Marks a question or session as a rehearsal: no tool is really called and no webhook is told. A tool that has
 * no stub fails, client tools and those that only read the conversation go on as always, and sub-agents take
 * part with the same stubs.
 */
export interface Rehearsal {
  /** What stands in for tools. Of several for one tool the first that fits a call answers it. Default: `[]`. */
  tools?: ToolStub[] | undefined
}

/** A tool that was called for an answer. */
export interface ToolInvocation {
  /** The id of the stored tool message. */
  id: string
  /** The model's id of the call. */
  callId: string | null
  /** The name of the tool or sub-agent. */
  name: string | null
  /** The arguments, JSON text. What runs has exactly these. */
  arguments: string | null
  /** What came of it. */
  content: string
  /** 0 pending, 1 success, 2 failed, 3 pending approval. */
  status: number | null
  /** How long the tool ran. */
  executionTimeSeconds: number | null
}

/** A call that waits for a person. */
export interface WaitingApproval {
  /** The model's id of the call, to decide on it. */
  callId: string
  /** The id of the stored tool message. */
  messageId: string
  /** The name of the tool. */
  tool: string
  /** What it would be called with, JSON text. */
  arguments: string
  /**
   * Who may decide on it. `client`: the user, over the session's socket, or the key that asked the question.
   * `staff`: people and keys with `approval:decide`. `either`: both.
   */
  approvedBy: 'client' | 'staff' | 'either'
  /** Until when it can be decided (UTC). */
  deadline: string
}

/**
 * What something cost. It is the whole cost where the three figures behind the currency are 0; otherwise at
 * least this.
 */
export interface Cost {
  /** What has a price came to this; null where there was something, and none of it has a price. */
  amount: number | null
  /** The currency. */
  currency: 'USD'
  /** Tokens that have no price, and are not in the amount. */
  unpricedTokens: number
  /** Seconds of sound, paid for by the time, that have no price, and are not in the amount. */
  unpricedSeconds: number
  /** Responses of which the provider did not say what they took: they are in no figure. */
  unknownResponses: number
}

/** What stands in for a tool in a rehearsal. */
export interface ToolStub {
  /** The name by which the model calls the tool; a tool of an MCP server's has `<tool>__` before its own. */
  name: string
  /** What the tool answers. Exactly one of `output` and `error` is given. */
  output?: string | undefined
  /** What the tool fails with, in place of an answer. */
  error?: string | undefined
  /** How long the tool takes; a tool's own timeout counts as always. Default: `0`. */
  delayMilliseconds?: number | undefined
  /**
   * Answers only calls whose arguments contain all of these, with equal values, to any depth; empty: every
   * call. Default: `{}`.
   */
  arguments?: Record<string, unknown> | undefined
}
