// Generated from the contract by `npm run generate`. What is changed here is lost.

import type { Cost } from '../schemas/question.js'

/** What an organization used in some time. */
export interface Usage {
  /** The beginning of the time that is summed up. */
  from: string
  /** Its end. */
  to: string
  /** The groups that used something, sorted by what was asked for. */
  items: UsageItem[]
  totals: UsageFigures
  /** The names of the agents, keys and connections in the groups, by their ids; of those that still have one. */
  names: Record<string, string>
}

/** What one group used. */
export interface UsageItem {
  /** What these figures are of: just what was asked for. */
  group: {
    /** The day, in UTC. */
    day?: string | undefined
    /** The agent; sub-agents stand for themselves. */
    agentId?: string | undefined
    /** The key that began it; null: a person did. */
    apiKeyId?: string | null | undefined
    /** The model. */
    model?: string | undefined
    /** The connection. */
    connectionId?: string | undefined
    /** How it was used: in text, or in a session. */
    channel?: 'text' | 'realtime' | undefined
    /** Whether it was used in rehearsals. */
    rehearsal?: boolean | undefined
  }
  /** How many realtime sessions began. */
  sessions: number
  /** How many questions in text a model began to answer. */
  turns: number
  /**
   * How many times a model worked: responses of sessions, steps of turns, and each time it wrote down what was
   * said.
   */
  responses: number
  /** How long the models worked on it. */
  seconds: number
  /** Seconds of sound that is paid for by the time. */
  audioSeconds: number
  /** How many tools the models called. */
  toolCalls: number
  tokens: UsageTokens
  cost: Cost
}

/** What was used, summed up. */
export interface UsageFigures {
  /** How many realtime sessions began. */
  sessions: number
  /** How many questions in text a model began to answer. */
  turns: number
  /**
   * How many times a model worked: responses of sessions, steps of turns, and each time it wrote down what was
   * said.
   */
  responses: number
  /** How long the models worked on it. */
  seconds: number
  /** Seconds of sound that is paid for by the time. */
  audioSeconds: number
  /** How many tools the models called. */
  toolCalls: number
  tokens: UsageTokens
  cost: Cost
}

/** Tokens by modality; those of caches are a part of the input. */
export interface UsageTokens {
  /** Tokens of text that models read. */
  textInput: number
  /** Tokens of text that models wrote. */
  textOutput: number
  /** Tokens of sound that models heard. */
  audioInput: number
  /** Tokens of sound that models spoke. */
  audioOutput: number
  /** Tokens of pictures that models saw. */
  imageInput: number
  /** Tokens of text that came from a cache, a part of textInput. */
  cachedTextInput: number
  /** Tokens of sound that came from a cache, a part of audioInput. */
  cachedAudioInput: number
  /** Tokens of pictures that came from a cache, a part of imageInput. */
  cachedImageInput: number
  /** Tokens of text that was put into a cache, a part of textInput. */
  cacheWriteTextInput: number
}
