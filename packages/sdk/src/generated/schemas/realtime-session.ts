// Generated from the contract by `npm run generate`. Do not edit.

import type { Cost, Metadata, Rehearsal } from '../schemas/question.js'
import type { Variables } from '../schemas/tool-trial.js'
import type { Page } from '../../rest/page.js'

/** The parameters for creating a realtime session. */
export interface RealtimeSessionRequest {
  /** The ID of an existing conversation of the agent. If omitted or `null`, a new conversation is created. */
  conversationId?: string | null | undefined
  /**
   * The input audio format. The deployment must support it. By default, deployments support only `pcm16`.
   * Default: `"pcm16"`.
   */
  inputAudioFormat?: string | undefined
  /**
   * The output audio format. The deployment must support it. By default, deployments support only `pcm16`.
   * Default: `"pcm16"`.
   */
  outputAudioFormat?: string | undefined
  /**
   * The voice of the provider for output audio. If omitted, the `voice` of the agent, or `alloy` if the agent
   * has none.
   */
  voice?: string | undefined
  /** Additional instructions for this session. They are appended to the system message of the agent. */
  additionalInstructions?: string | null | undefined
  /** The tools that the client runs. Default: `[]`. */
  clientTools?: ClientTool[] | undefined
  /**
   * Who can approve or reject tool calls in this session. This can only restrict the setting of each tool. Use
   * `staff` for sessions with anonymous users. `client`: the client of the realtime session, or the API key
   * that asked the question. `staff`: members and API keys with the scope `approval:decide`. `either`: both of
   * them. Default: `"either"`.
   */
  approvedBy?: 'client' | 'staff' | 'either' | undefined
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

/** A one-time ticket for a realtime session. Only pass `webSocketPath` to browsers. */
export interface RealtimeSessionTicket {
  /** The one-time token for opening the WebSocket. */
  sessionId: string
  /** The ID of the conversation of the session. */
  conversationId: string
  /** When the token expires (UTC). The WebSocket must be opened before, by default within 60 seconds. */
  expiresAt: string
  /** The relative path of the WebSocket, including the query parameters `conversationId` and `sessionId`. */
  webSocketPath: string
  /** The input audio formats that the deployment supports. */
  supportedInputAudioFormats: string[]
  /** The output audio formats that the deployment supports. */
  supportedOutputAudioFormats: string[]
  /** The maximum duration of the session in seconds. The default is 1800. */
  maxSessionSeconds: number
  /** The idle timeout of the session in seconds. The default is 60. */
  idleTimeoutSeconds: number
  /**
   * The name of the realtime model at the provider. It is the `realtimeModel` of the agent, or the first
   * realtime model of its connection, or the default of the deployment.
   */
  providerModelName: string
}

/** One page of a list of `RealtimeSession` objects. */
export type RealtimeSessionPage = Page<RealtimeSession>

/** A realtime session. Its `id` is not the one-time token. */
export interface RealtimeSession {
  /** The ID of the resource (UUID v7). */
  id: string
  /** When the resource was created (UTC). */
  createdAt: string
  /** When the resource was last updated (UTC). */
  updatedAt: string
  /** The ID of the agent. */
  agentId: string
  /** The ID of the conversation. */
  conversationId: string
  /**
   * The state of the one-time token. It is `consumed` once the session has started. Use `endedAt` to
   * distinguish active from ended sessions.
   */
  state: 'issued' | 'consumed' | 'expired'
  /** When the WebSocket was opened (UTC). `null` if the session has not started. */
  startedAt: string | null
  /** When the session ended (UTC). `null` if it has not ended. */
  endedAt: string | null
  /** Why the session ended. `null` if it has not ended. */
  endReason: 'client_left' | 'message_too_big' | 'internal' | 'draining' | 'max_duration' | 'idle_timeout' | 'provider_unavailable' | 'provider_closed' | 'slow_consumer' | 'terminated' | 'budget_exceeded' | 'client_lost' | 'instance_lost' | 'refused' | null
  usage: RealtimeUsage
  /** The cost so far, including the cost of sub-agents. */
  cost: Cost
  /** The response latency. `null` until an exchange is completed. */
  latency: RealtimeLatency | null
  /** Whether the session is a rehearsal (test mode), in which stubs replace the tools. */
  rehearsal: boolean
}

/** Statistics of the sessions in a period. */
export interface RealtimeStatistics {
  /** The start of the covered period (UTC). */
  from: string
  /** The end of the covered period (UTC). */
  to: string
  /** The totals for the whole period. */
  total: {
    /** The number of sessions that started. */
    sessions: number
    /** The number of ended sessions by end reason. Active sessions are not included. */
    ends: {
      /** The end reason of the sessions. */
      reason: 'client_left' | 'message_too_big' | 'internal' | 'draining' | 'max_duration' | 'idle_timeout' | 'provider_unavailable' | 'provider_closed' | 'slow_consumer' | 'terminated' | 'budget_exceeded' | 'client_lost' | 'instance_lost' | 'refused'
      /** The number of sessions. */
      sessions: number
    }[]
    /** The total duration of the sessions in seconds. Active sessions are included with their duration so far. */
    seconds: number
    usage: RealtimeUsage
    /** The number of exchanges. An exchange is a message of the user and the response to it. */
    exchanges: number
    /**
     * The median of the time from the end of the user's speech to the first audio of the response, in
     * milliseconds. The value is accurate to 10%. `null` if there was no exchange.
     */
    firstAudioP50Ms: number | null
    /**
     * The 95th percentile of the time from the end of the user's speech to the first audio of the response, in
     * milliseconds. The value is accurate to 10%. `null` if there was no exchange.
     */
    firstAudioP95Ms: number | null
  }
  /** The hours or days in chronological order, including those without sessions. */
  buckets: RealtimeStatisticsBucket[]
}

/** The timeline of a realtime session. */
export interface RealtimeSessionTimeline {
  /** The ID of the realtime session. */
  realtimeSessionId: string
  /**
   * When the session started (UTC). All offsets are relative to this time. `null` if the session has not
   * started.
   */
  startedAt: string | null
  /** When the session ended (UTC). `null` if it has not ended. */
  endedAt: string | null
  /** The completed exchanges, in order. If there are more than 500, only the last 500. */
  exchanges: RealtimeExchange[]
}

/** A tool that the client runs. */
export interface ClientTool {
  /** The name of the tool. It is case-sensitive, and must be unique among the tools of the session. */
  name: string
  /** The description of the tool, which the model uses to decide when to call it. */
  description: string
  /**
   * The JSON schema of the arguments. If omitted, an empty object schema. Default:
   * `{"type":"object","properties":{}}`.
   */
  parameters?: Record<string, unknown> | undefined
}

/** The token usage of a session, by modality. */
export interface RealtimeUsage {
  /** The number of responses that the provider completed. */
  responses: number
  /** The number of tokens of all kinds. */
  totalTokens: number
  /** The number of input tokens. */
  inputTokens: number
  /** The number of text input tokens. */
  inputTextTokens: number
  /** The number of audio input tokens. */
  inputAudioTokens: number
  /** The number of image input tokens. */
  inputImageTokens: number
  /** The number of cached input tokens, which are included in the input tokens. */
  cachedTokens: number
  /** The number of cached text input tokens. */
  cachedTextTokens: number
  /** The number of cached audio input tokens. */
  cachedAudioTokens: number
  /** The number of output tokens. */
  outputTokens: number
  /** The number of text output tokens. */
  outputTextTokens: number
  /** The number of audio output tokens. */
  outputAudioTokens: number
}

/** The latency of the last 500 exchanges of a session. */
export interface RealtimeLatency {
  /** The number of completed exchanges. An exchange is a message of the user and the response to it. */
  exchanges: number
  /**
   * The median time from the end of the user's speech to the first audio of the response, in milliseconds.
   * `null` if there was no exchange.
   */
  firstAudioP50Ms: number | null
  /** The 95th percentile of this time, in milliseconds. `null` if there was no exchange. */
  firstAudioP95Ms: number | null
}

/** Statistics of the sessions that started in an hour or a day. */
export interface RealtimeStatisticsBucket {
  /** The start of the bucket (UTC). */
  from: string
  /**
   * The end of the bucket (UTC). The first and the last bucket can be shorter, because they are limited to the
   * requested period.
   */
  to: string
  /** The number of sessions that started. */
  sessions: number
  /** The number of ended sessions by end reason. Active sessions are not included. */
  ends: {
    /** The end reason of the sessions. */
    reason: 'client_left' | 'message_too_big' | 'internal' | 'draining' | 'max_duration' | 'idle_timeout' | 'provider_unavailable' | 'provider_closed' | 'slow_consumer' | 'terminated' | 'budget_exceeded' | 'client_lost' | 'instance_lost' | 'refused'
    /** The number of sessions. */
    sessions: number
  }[]
  /** The total duration of the sessions in seconds. Active sessions are included with their duration so far. */
  seconds: number
  usage: RealtimeUsage
  /** The number of exchanges. An exchange is a message of the user and the response to it. */
  exchanges: number
  /**
   * The median of the time from the end of the user's speech to the first audio of the response, in
   * milliseconds. The value is accurate to 10%. `null` if there was no exchange.
   */
  firstAudioP50Ms: number | null
  /**
   * The 95th percentile of the time from the end of the user's speech to the first audio of the response, in
   * milliseconds. The value is accurate to 10%. `null` if there was no exchange.
   */
  firstAudioP95Ms: number | null
}

/** An exchange: a message of the user and the response to it, including tool calls. */
export interface RealtimeExchange {
  /** The number of the exchange. The exchanges of a session are numbered from 1. */
  number: number
  /**
   * When the user's speech ended according to the provider, in milliseconds since the start of the session.
   * `null` if the user did not speak.
   */
  speechStoppedAt: number | null
  /**
   * When a text message of the user arrived, in milliseconds since the start of the session. `null` if the
   * user did not send text.
   */
  typedAt: number | null
  /**
   * When the model started to respond, in milliseconds since the start of the session. `null` if it did not
   * respond.
   */
  responseCreatedAt: number | null
  /**
   * When the first text of the response arrived, as text or transcript, in milliseconds since the start of the
   * session. `null` if there was no text.
   */
  firstTokenAt: number | null
  /**
   * When the first audio of the response arrived, in milliseconds since the start of the session. `null` if
   * there was no audio.
   */
  firstAudioAt: number | null
  /** The tool calls of the exchange. If there are more than 32, only the first 32. */
  tools: RealtimeExchangeTool[]
  /** When the exchange ended, in milliseconds since the start of the session. */
  doneAt: number
  /**
   * The status of the response. `completed`: it is complete. `interrupted`: it was interrupted by the user, by
   * a new response or by the end of the session. `failed`: it failed.
   */
  status: 'completed' | 'interrupted' | 'failed'
}

/** A tool call in an exchange. */
export interface RealtimeExchangeTool {
  /** The ID that the model assigned to the call. Long IDs are truncated. */
  callId: string
  /** The name of the tool. Long names are truncated. */
  name: string
  /** Whether the service or the client runs the tool. */
  runBy: 'service' | 'client'
  /** When the model completed the call, in milliseconds since the start of the session. */
  startedAt: number
  /**
   * When the output was sent to the model, in milliseconds since the start of the session. `null` if it was
   * not sent.
   */
  endedAt: number | null
  /** The time that the call waited for approval, in milliseconds. */
  waitedForApprovalMs: number
}
