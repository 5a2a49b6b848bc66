// Generated from the contract by `npm run generate`. What is changed here is lost.

import type { Cost } from '../schemas/question.js'

/** The usage of an organization in a time span. */
export interface Usage {
  /** The beginning of the covered time. */
  from: string
  /** Its end. */
  to: string
  /** The groups with usage, sorted by the requested fields. */
  items: UsageItem[]
  totals: UsageFigures
  /** The names of the agents, keys and connections in the groups, by id. Deleted ones are missing. */
  names: Record<string, string>
}

/** The usage of one group. */
export interface UsageItem {
  /** The group of these figures, with the requested fields. */
  group: {
    /** The day, in UTC. */
    day?: string | undefined
    /** The agent. Sub-agents are counted under their own id. */
    agentId?: string | undefined
    /** The key that started it. Null: a person did. */
    apiKeyId?: string | null | undefined
    /** The model. */
    model?: string | undefined
    /** The connection. */
    connectionId?: string | undefined
    /** The channel: text or session. */
    channel?: 'text' | 'realtime' | undefined
    /** Whether it was a rehearsal. */
    rehearsal?: boolean | undefined
  }
  /** The number of realtime sessions that began. */
  sessions: number
  /** The number of text questions that a model began to answer. */
  turns: number
  /** The number of model calls: responses of sessions, steps of turns, and transcriptions. */
  responses: number
  /** The total duration of the model calls. */
  seconds: number
  /** Seconds of audio billed by time. */
  audioSeconds: number
  /** The number of tool calls. */
  toolCalls: number
  tokens: UsageTokens
  cost: Cost
}

/** Summed usage. */
export interface UsageFigures {
  /** The number of realtime sessions that began. */
  sessions: number
  /** The number of text questions that a model began to answer. */
  turns: number
  /** The number of model calls: responses of sessions, steps of turns, and transcriptions. */
  responses: number
  /** The total duration of the model calls. */
  seconds: number
  /** Seconds of audio billed by time. */
  audioSeconds: number
  /** The number of tool calls. */
  toolCalls: number
  tokens: UsageTokens
  cost: Cost
}

/** Tokens by modality. Cached tokens are a part of the input. */
export interface UsageTokens {
  /** Tokens of text input. */
  textInput: number
  /** Tokens of text output. */
  textOutput: number
  /** Tokens of audio input. */
  audioInput: number
  /** Tokens of audio output. */
  audioOutput: number
  /** Tokens of image input. */
  imageInput: number
  /** Tokens of cached text input, a part of textInput. */
  cachedTextInput: number
  /** Tokens of cached audio input, a part of audioInput. */
  cachedAudioInput: number
  /** Tokens of cached image input, a part of imageInput. */
  cachedImageInput: number
  /** Tokens of text written to a cache, a part of textInput. */
  cacheWriteTextInput: number
}
