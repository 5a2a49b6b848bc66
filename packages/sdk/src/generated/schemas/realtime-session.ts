// Generated from the contract by `npm run generate`. What is changed here is lost.

import type { Cost, Rehearsal } from '../schemas/question.js'
import type { Page } from '../../rest/page.js'

/** What a realtime session should be like. */
export interface RealtimeSessionRequest {
  /** Existing conversation id; omitted or null creates a new conversation for the agent. */
  conversationId?: string | null | undefined
  /**
   * Requested input audio format, one of those that the deployment takes: `pcm16` alone, unless it says
   * otherwise. Default: `"pcm16"`.
   */
  inputAudioFormat?: string | undefined
  /**
   * Requested output audio format, one of those that the deployment sends: `pcm16` alone, unless it says
   * otherwise. Default: `"pcm16"`.
   */
  outputAudioFormat?: string | undefined
  /** Provider voice for output audio. Default: the agent's `voice`, else `alloy`. */
  voice?: string | undefined
  /** Extra instructions appended after the agent system message for this session. */
  additionalInstructions?: string | null | undefined
  /** Tools executed by the client. Default: `[]`. */
  clientTools?: ClientTool[] | undefined
  /**
   * Who may decide on calls in this session. It narrows what each tool allows, and never widens it. Send
   * `staff` for sessions of the public. `client`: the user, over the session's socket, or the key that asked
   * the question. `staff`: people and keys with `approval:decide`. `either`: both. Default: `"either"`.
   */
  approvedBy?: 'client' | 'staff' | 'either' | undefined
  /** Makes it a rehearsal. A conversation that began as a rehearsal goes on as one, and no other becomes one. */
  rehearsal?: Rehearsal | null | undefined
}

/** A one-time way into a realtime session. Give only webSocketPath to a browser. */
export interface RealtimeSessionTicket {
  /** One-time token used to connect the WebSocket. */
  sessionId: string
  /** Conversation used by the session. */
  conversationId: string
  /** Deadline for opening the WebSocket (UTC): 60 seconds from now, unless the deployment says otherwise. */
  expiresAt: string
  /** Relative WebSocket path including conversationId and sessionId query parameters. */
  webSocketPath: string
  /** Input formats supported by the deployment. */
  supportedInputAudioFormats: string[]
  /** Output formats supported by the deployment. */
  supportedOutputAudioFormats: string[]
  /** Maximum session duration: 1800, unless the deployment says otherwise. */
  maxSessionSeconds: number
  /** Idle timeout: 60, unless the deployment says otherwise. */
  idleTimeoutSeconds: number
  /**
   * Realtime model name of the provider: the agent's `realtimeModel`, else the first of its connection, else
   * the deployment's.
   */
  providerModelName: string
}

/** One page of a list of RealtimeSession items. */
export type RealtimeSessionPage = Page<RealtimeSession>

/** A realtime session. Its id is not the token. */
export interface RealtimeSession {
  /** The resource id (UUID v7). */
  id: string
  /** When it was created (UTC). */
  createdAt: string
  /** When it last changed (UTC). */
  updatedAt: string
  /** The agent. */
  agentId: string
  /** The conversation. */
  conversationId: string
  /**
   * What became of its one-time token. A session that runs is consumed, and stays so when it has ended:
   * endedAt tells which.
   */
  state: 'issued' | 'consumed' | 'expired'
  /** When the WebSocket was accepted. */
  startedAt: string | null
  /** When the session ended. */
  endedAt: string | null
  /** Why it ended. */
  endReason: 'client_left' | 'message_too_big' | 'internal' | 'draining' | 'max_duration' | 'idle_timeout' | 'provider_unavailable' | 'provider_closed' | 'slow_consumer' | 'terminated' | 'budget_exceeded' | 'client_lost' | 'instance_lost' | 'refused' | null
  usage: RealtimeUsage
  /** What it cost so far, its sub-agents included. */
  cost: Cost
  /** How soon it answered; null until an exchange is over. */
  latency: RealtimeLatency | null
  /** Whether it is a rehearsal: its tools are stubs. */
  rehearsal: boolean
}

/** The sessions of some time, summed up. */
export interface RealtimeStatistics {
  /** The beginning of the time that is summed up. */
  from: string
  /** Its end. */
  to: string
  /** All of it together. */
  total: {
    /** How many sessions started. */
    sessions: number
    /** How many of these sessions have ended, by reason; those that still run are not among them. */
    ends: {
      /** Why they ended. */
      reason: 'client_left' | 'message_too_big' | 'internal' | 'draining' | 'max_duration' | 'idle_timeout' | 'provider_unavailable' | 'provider_closed' | 'slow_consumer' | 'terminated' | 'budget_exceeded' | 'client_lost' | 'instance_lost' | 'refused'
      /** How many of them. */
      sessions: number
    }[]
    /** How long they lasted, all together; those that run, until now. */
    seconds: number
    usage: RealtimeUsage
    /** How many exchanges they had: something said or typed, and the answer to it. */
    exchanges: number
    /**
     * Within how many milliseconds after the end of the user's speech the answer was heard half of the times,
     * to a tenth; null where nothing was.
     */
    firstAudioP50Ms: number | null
    /**
     * Within how many milliseconds after the end of the user's speech the answer was heard 19 times out of 20,
     * to a tenth; null where nothing was.
     */
    firstAudioP95Ms: number | null
  }
  /** Its hours or days in order, empty ones included. */
  buckets: RealtimeStatisticsBucket[]
}

/** What a session's time went into. */
export interface RealtimeSessionTimeline {
  /** The session. */
  realtimeSessionId: string
  /** When the session started, which offsets count from; null where it has not. */
  startedAt: string | null
  /** When the session ended; null while it runs. */
  endedAt: string | null
  /** The exchanges that are over, in the order they began; of a long session the last 500. */
  exchanges: RealtimeExchange[]
}

/** A tool that the client runs itself. */
export interface ClientTool {
  /** Tool name, case-sensitive. */
  name: string
  /** Tool description. */
  description: string
  /**
   * JSON schema of the arguments; an empty object schema where left out. Default:
   * `{"type":"object","properties":{}}`.
   */
  parameters?: Record<string, unknown> | undefined
}

/** What a session used, by modality. */
export interface RealtimeUsage {
  /** How many responses the provider finished. */
  responses: number
  /** Tokens of all kinds. */
  totalTokens: number
  /** Tokens of everything the model read. */
  inputTokens: number
  /** Tokens of text the model read. */
  inputTextTokens: number
  /** Tokens of audio the model heard. */
  inputAudioTokens: number
  /** Tokens of pictures the model saw. */
  inputImageTokens: number
  /** Tokens of what it read from the cache, a part of the input. */
  cachedTokens: number
  /** Tokens of text from the cache. */
  cachedTextTokens: number
  /** Tokens of audio from the cache. */
  cachedAudioTokens: number
  /** Tokens of everything the model said. */
  outputTokens: number
  /** Tokens of text the model wrote. */
  outputTextTokens: number
  /** Tokens of audio the model spoke. */
  outputAudioTokens: number
}

/** How soon a session answered, over its last 500 exchanges. */
export interface RealtimeLatency {
  /** How many exchanges are over. */
  exchanges: number
  /**
   * Milliseconds from the end of the user's speech to the first audio of the answer: half of them took no
   * longer. Null where there were none.
   */
  firstAudioP50Ms: number | null
  /** The same: 19 of 20 took no longer. */
  firstAudioP95Ms: number | null
}

/** The sessions that started in an hour or a day, each with all that became of it. */
export interface RealtimeStatisticsBucket {
  /** When the bucket begins. */
  from: string
  /** When it ends; the first and the last are cut by the time asked for. */
  to: string
  /** How many sessions started. */
  sessions: number
  /** How many of these sessions have ended, by reason; those that still run are not among them. */
  ends: {
    /** Why they ended. */
    reason: 'client_left' | 'message_too_big' | 'internal' | 'draining' | 'max_duration' | 'idle_timeout' | 'provider_unavailable' | 'provider_closed' | 'slow_consumer' | 'terminated' | 'budget_exceeded' | 'client_lost' | 'instance_lost' | 'refused'
    /** How many of them. */
    sessions: number
  }[]
  /** How long they lasted, all together; those that run, until now. */
  seconds: number
  usage: RealtimeUsage
  /** How many exchanges they had: something said or typed, and the answer to it. */
  exchanges: number
  /**
   * Within how many milliseconds after the end of the user's speech the answer was heard half of the times, to
   * a tenth; null where nothing was.
   */
  firstAudioP50Ms: number | null
  /**
   * Within how many milliseconds after the end of the user's speech the answer was heard 19 times out of 20,
   * to a tenth; null where nothing was.
   */
  firstAudioP95Ms: number | null
}

/** What somebody said or typed, and the answer to it, with the tools that it took. */
export interface RealtimeExchange {
  /** Which one of the session it is; the first is 1. */
  number: number
  speechStoppedAt: number | null
  typedAt: number | null
  responseCreatedAt: number | null
  firstTokenAt: number | null
  firstAudioAt: number | null
  /** The tool calls of the answer, at most the first 32. */
  tools: RealtimeExchangeTool[]
  /** When the exchange was over, in milliseconds since the session's start. */
  doneAt: number
  /**
   * Whether the answer was finished, interrupted (by the user, by a new answer or by the end of the session),
   * or failed.
   */
  status: 'completed' | 'interrupted' | 'failed'
}

/** A tool call of an exchange. */
export interface RealtimeExchangeTool {
  /** The model's id of the call; a long one is cut. */
  callId: string
  /** The name of the tool; a long one is cut. */
  name: string
  /** Who runs it: the service, or the client of the session. */
  runBy: 'service' | 'client'
  /** When the model had made the call, in milliseconds since the session's start. */
  startedAt: number
  endedAt: number | null
  /** How much of that time was spent waiting for a person's decision. */
  waitedForApprovalMs: number
}
