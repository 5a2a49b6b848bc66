// Generated from the contract by `npm run generate`. Do not edit.

import type { Cost } from '../schemas/question.js'

/** The usage of an organization in a period. */
export interface Usage {
  /** The start of the covered period (UTC). */
  from: string
  /** The end of the covered period (UTC). */
  to: string
  /** The groups that have usage, sorted by the requested dimensions. */
  items: UsageItem[]
  totals: UsageFigures
  /**
   * The names of the agents, API keys, connections and phone connections in the groups, by ID. Deleted
   * resources are not included.
   */
  names: Record<string, string>
}

/** The usage of a group. */
export interface UsageItem {
  /** The values of the requested dimensions. */
  group: {
    /** The day (UTC). */
    day?: string | undefined
    /** The ID of the agent. Sub-agents are listed under their own ID. */
    agentId?: string | undefined
    /** The ID of the API key that started the usage. `null` if a user started it. */
    apiKeyId?: string | null | undefined
    /** The name of the model. For telephone calls, the kind of the phone connection. */
    model?: string | undefined
    /** The ID of the connection. For telephone calls, the ID of the phone connection. */
    connectionId?: string | undefined
    /**
     * The channel: text turns (`text`), realtime sessions (`realtime`) or the minutes of telephone calls
     * (`telephone`).
     */
    channel?: 'text' | 'realtime' | 'telephone' | undefined
    /** Whether the usage belongs to rehearsals (test mode). */
    rehearsal?: boolean | undefined
    /** The ID of the end user. `null` if the end user is anonymous. */
    endUserId?: string | null | undefined
  }
  /** The number of realtime sessions that were started. */
  sessions: number
  /** The number of text turns that a model started to answer. */
  turns: number
  /** The number of model calls: responses in realtime sessions, steps of text turns, and transcriptions. */
  responses: number
  /** The total duration of the model calls in seconds. */
  seconds: number
  /** The duration of the audio and the telephone calls that are billed by time, in seconds. */
  audioSeconds: number
  /** The number of tool calls. */
  toolCalls: number
  tokens: UsageTokens
  cost: Cost
}

/** Usage totals. */
export interface UsageFigures {
  /** The number of realtime sessions that were started. */
  sessions: number
  /** The number of text turns that a model started to answer. */
  turns: number
  /** The number of model calls: responses in realtime sessions, steps of text turns, and transcriptions. */
  responses: number
  /** The total duration of the model calls in seconds. */
  seconds: number
  /** The duration of the audio and the telephone calls that are billed by time, in seconds. */
  audioSeconds: number
  /** The number of tool calls. */
  toolCalls: number
  tokens: UsageTokens
  cost: Cost
}

/** The number of tokens by modality. Cached tokens are included in the input tokens. */
export interface UsageTokens {
  /** The number of text input tokens. */
  textInput: number
  /** The number of text output tokens. */
  textOutput: number
  /** The number of audio input tokens. */
  audioInput: number
  /** The number of audio output tokens. */
  audioOutput: number
  /** The number of image input tokens. */
  imageInput: number
  /** The number of cached text input tokens, which are included in `textInput`. */
  cachedTextInput: number
  /** The number of cached audio input tokens, which are included in `audioInput`. */
  cachedAudioInput: number
  /** The number of cached image input tokens, which are included in `imageInput`. */
  cachedImageInput: number
  /** The number of text input tokens written to a cache, which are included in `textInput`. */
  cacheWriteTextInput: number
}
