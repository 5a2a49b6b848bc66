// Generated from the contract by `npm run generate`. What is changed here is lost.

import type { Cost, Rehearsal } from '../schemas/question.js'
import type { Page } from '../../rest/page.js'

/** The settings of a realtime session. */
export interface RealtimeSessionRequest {
  /** Existing conversation id; omitted or null creates a new conversation for the agent. */
  conversationId?: string | null | undefined
  /** Requested input audio format, one that the deployment supports. Default: only `pcm16`. Default: `"pcm16"`. */
  inputAudioFormat?: string | undefined
  /**
   * Requested output audio format, one that the deployment supports. Default: only `pcm16`. Default:
   * `"pcm16"`.
   */
  outputAudioFormat?: string | undefined
  /** Provider voice for output audio. Default: the agent's `voice`, else `alloy`. */
  voice?: string | undefined
  /** Extra instructions appended after the agent system message for this session. */
  additionalInstructions?: string | null | undefined
  /** Tools executed by the client. Default: `[]`. */
  clientTools?: ClientTool[] | undefined
  /**
   * Who may decide on calls in this session. It can only narrow what each tool allows. Send `staff` for
   * sessions of the public. `client`: the user over the session's socket, or the key that asked the question.
   * `staff`: people and keys with `approval:decide`. `either`: both. Default: `"either"`.
   */
  approvedBy?: 'client' | 'staff' | 'either' | undefined
  /** Makes it a rehearsal. A rehearsal conversation stays one, and no other conversation becomes one. */
  rehearsal?: Rehearsal | null | undefined
}

/** A one-time ticket for a realtime session. Give only webSocketPath to a browser. */
export interface RealtimeSessionTicket {
  /** One-time token used to connect the WebSocket. */
  sessionId: string
  /** Conversation used by the session. */
  conversationId: string
  /** Deadline for opening the WebSocket (UTC). Default: in 60 seconds. */
  expiresAt: string
  /** Relative WebSocket path including conversationId and sessionId query parameters. */
  webSocketPath: string
  /** Input formats supported by the deployment. */
  supportedInputAudioFormats: string[]
  /** Output formats supported by the deployment. */
  supportedOutputAudioFormats: string[]
  /** Maximum session duration. Default: 1800. */
  maxSessionSeconds: number
  /** Idle timeout. Default: 60. */
  idleTimeoutSeconds: number
  /**
   * Realtime model name of the provider: the agent's `realtimeModel`, else the first of its connection, else
   * the deployment's.
   */
  providerModelName: string
}

/** One page of a list of RealtimeSession items. */
export type RealtimeSessionPage = Page<RealtimeSession>

/** A realtime session. Its id differs from the token. */
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
  /** The state of the one-time token. A running or ended session is `consumed`; `endedAt` tells which. */
  state: 'issued' | 'consumed' | 'expired'
  /** When the WebSocket was accepted. */
  startedAt: string | null
  /** When the session ended. */
  endedAt: string | null
  /** The end reason. */
  endReason: 'client_left' | 'message_too_big' | 'internal' | 'draining' | 'max_duration' | 'idle_timeout' | 'provider_unavailable' | 'provider_closed' | 'slow_consumer' | 'terminated' | 'budget_exceeded' | 'client_lost' | 'instance_lost' | 'refused' | null
  usage: RealtimeUsage
  /** The cost so far, including sub-agents. */
  cost: Cost
  /** The latency. Null until an exchange is over. */
  latency: RealtimeLatency | null
  /** Whether the session is a rehearsal, in which stubs replace the tools. */
  rehearsal: boolean
}

/** Statistics of the sessions of a time span. */
export interface RealtimeStatistics {
  /** The beginning of the covered time. */
  from: string
  /** Its end. */
  to: string
  /** The sums of the whole time. */
  total: {
    /** The number of sessions that started. */
    sessions: number
    /** The number of ended sessions by reason. Running sessions are not included. */
    ends: {
      /** The end reason. */
      reason: 'client_left' | 'message_too_big' | 'internal' | 'draining' | 'max_duration' | 'idle_timeout' | 'provider_unavailable' | 'provider_closed' | 'slow_consumer' | 'terminated' | 'budget_exceeded' | 'client_lost' | 'instance_lost' | 'refused'
      /** The number of sessions. */
      sessions: number
    }[]
    /** The total duration. Running sessions count until now. */
    seconds: number
    usage: RealtimeUsage
    /** The number of exchanges: a message of the user and the answer to it. */
    exchanges: number
    /**
     * The time in milliseconds from the end of the user's speech to the first audio, for half of the
     * exchanges, accurate to a tenth. Null: no exchange.
     */
    firstAudioP50Ms: number | null
    /**
     * The time in milliseconds from the end of the user's speech to the first audio, for 95 % of the
     * exchanges, accurate to a tenth. Null: no exchange.
     */
    firstAudioP95Ms: number | null
  }
  /** The hours or days in order, including empty ones. */
  buckets: RealtimeStatisticsBucket[]
}

/** The timeline of a session. */
export interface RealtimeSessionTimeline {
  /** The session. */
  realtimeSessionId: string
  /** When the session started. Offsets count from then. Null: not started. */
  startedAt: string | null
  /** When the session ended. Null: it is running. */
  endedAt: string | null
  /** The finished exchanges in order. A long session has the last 500. */
  exchanges: RealtimeExchange[]
}

/** A tool that the client runs itself. */
export interface ClientTool {
  /** Tool name, case-sensitive. */
  name: string
  /** Tool description. */
  description: string
  /**
   * JSON schema of the arguments. Default: an empty object schema. Default:
   * `{"type":"object","properties":{}}`.
   */
  parameters?: Record<string, unknown> | undefined
}

/** The token usage of a session, by modality. */
export interface RealtimeUsage {
  /** The number of responses that the provider finished. */
  responses: number
  /** Tokens of all kinds. */
  totalTokens: number
  /** Tokens of all input. */
  inputTokens: number
  /** Tokens of text input. */
  inputTextTokens: number
  /** Tokens of audio input. */
  inputAudioTokens: number
  /** Tokens of image input. */
  inputImageTokens: number
  /** Tokens of cached input, a part of the input. */
  cachedTokens: number
  /** Tokens of cached text input. */
  cachedTextTokens: number
  /** Tokens of cached audio input. */
  cachedAudioTokens: number
  /** Tokens of all output. */
  outputTokens: number
  /** Tokens of text output. */
  outputTextTokens: number
  /** Tokens of audio output. */
  outputAudioTokens: number
}

/** The latency of the last 500 exchanges of a session. */
export interface RealtimeLatency {
  /** The number of finished exchanges. */
  exchanges: number
  /**
   * The median time in milliseconds from the end of the user's speech to the first audio of the answer. Null:
   * no exchange yet.
   */
  firstAudioP50Ms: number | null
  /** The 95th percentile of the same time. */
  firstAudioP95Ms: number | null
}

/** The sessions that started in an hour or a day. */
export interface RealtimeStatisticsBucket {
  /** When the bucket begins. */
  from: string
  /** When the bucket ends. The requested time may cut the first and the last. */
  to: string
  /** The number of sessions that started. */
  sessions: number
  /** The number of ended sessions by reason. Running sessions are not included. */
  ends: {
    /** The end reason. */
    reason: 'client_left' | 'message_too_big' | 'internal' | 'draining' | 'max_duration' | 'idle_timeout' | 'provider_unavailable' | 'provider_closed' | 'slow_consumer' | 'terminated' | 'budget_exceeded' | 'client_lost' | 'instance_lost' | 'refused'
    /** The number of sessions. */
    sessions: number
  }[]
  /** The total duration. Running sessions count until now. */
  seconds: number
  usage: RealtimeUsage
  /** The number of exchanges: a message of the user and the answer to it. */
  exchanges: number
  /**
   * The time in milliseconds from the end of the user's speech to the first audio, for half of the exchanges,
   * accurate to a tenth. Null: no exchange.
   */
  firstAudioP50Ms: number | null
  /**
   * The time in milliseconds from the end of the user's speech to the first audio, for 95 % of the exchanges,
   * accurate to a tenth. Null: no exchange.
   */
  firstAudioP95Ms: number | null
}

/** A message of the user and the answer to it, with its tool calls. */
export interface RealtimeExchange {
  /** The number of the exchange in the session, from 1. */
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
   * Whether the answer was finished, failed, or was interrupted by the user, a new answer or the end of the
   * session.
   */
  status: 'completed' | 'interrupted' | 'failed'
}

/** A tool call of an exchange. */
export interface RealtimeExchangeTool {
  /** The model's id of the call. Long ids are shortened. */
  callId: string
  /** The name of the tool. Long names are shortened. */
  name: string
  /** Who runs it: the service or the client. */
  runBy: 'service' | 'client'
  /** When the model finished the call, in milliseconds since the session's start. */
  startedAt: number
  endedAt: number | null
  /** The part of that time spent waiting for approval. */
  waitedForApprovalMs: number
}
