// Generated from the contract by `npm run generate`. Do not edit.

/** A variable of an agent. */
export interface AgentVariable {
  /** The name, as in `{{name}}`. */
  name: string
  /** What the value means. `null` if there is no description. */
  description?: string | null | undefined
  /** The value if the caller sends none. `null` if there is no default. */
  default?: string | null | undefined
  /** Whether a request without a value is rejected. If `false`, the value is empty. Default: `true`. */
  required?: boolean | undefined
}

/** A variable of an agent. */
export interface AgentVariableOutput {
  /** The name, as in `{{name}}`. */
  name: string
  /** What the value means. `null` if there is no description. */
  description: string | null
  /** The value if the caller sends none. `null` if there is no default. */
  default: string | null
  /** Whether a request without a value is rejected. If `false`, the value is empty. */
  required: boolean
}

/** A realtime model that is used if another one fails. */
export interface RealtimeFallback {
  /** The ID of the connection. */
  connectionId: string
  /** The realtime model. If `null`, the first realtime model of the connection is used. */
  model?: string | null | undefined
  /** The voice. If `null`, the voice of the session is used. */
  voice?: string | null | undefined
  /**
   * The message with which the agent starts a new conversation if this fallback answers. If `null`, the first
   * message of the agent is used.
   */
  firstMessage?: string | null | undefined
}

/** A realtime model that is used if another one fails. */
export interface RealtimeFallbackOutput {
  /** The ID of the connection. */
  connectionId: string
  /** The realtime model. If `null`, the first realtime model of the connection is used. */
  model: string | null
  /** The voice. If `null`, the voice of the session is used. */
  voice: string | null
  /**
   * The message with which the agent starts a new conversation if this fallback answers. If `null`, the first
   * message of the agent is used.
   */
  firstMessage: string | null
}

/** The limits of each end user of an agent. An omitted limit, or `null`, means that there is no limit. */
export interface EndUserLimits {
  /** The maximum number of questions in any 60 seconds. Realtime sessions and task runs are not counted. */
  questionsPerMinute?: number | null | undefined
  /** The maximum number of running realtime sessions. */
  concurrentSessions?: number | null | undefined
  /** The maximum number of tokens on a calendar day (UTC), including those of sub-agents. */
  tokensPerDay?: number | null | undefined
  /**
   * The maximum cost on a calendar day (UTC) in US dollars, including that of sub-agents. Usage without a
   * price is not counted.
   */
  costPerDay?: number | null | undefined
}
