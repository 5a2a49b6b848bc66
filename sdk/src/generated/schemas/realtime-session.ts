// Generated from the contract by `npm run generate`. What is changed here is lost.

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
  endReason: 'client_left' | 'message_too_big' | 'internal' | 'draining' | 'max_duration' | 'idle_timeout' | 'provider_unavailable' | 'provider_closed' | 'slow_consumer' | 'terminated' | 'client_lost' | 'instance_lost' | 'refused' | null
  usage: RealtimeUsage
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
