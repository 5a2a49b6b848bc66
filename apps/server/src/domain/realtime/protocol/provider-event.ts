import type { RealtimeUsage } from '@parley/contract'

/*
 * The provider's events that the service handles. Wire names with the same meaning share one type; see the
 * table in provider-frame.ts. Many providers omit ids, which are null in that case.
 */
export type ProviderEvent =
  | { readonly type: 'session.updated' }
  | ProviderErrorEvent
  /** The duration of the session so far, for providers that charge by it. */
  | { readonly type: 'session.usage'; readonly seconds: number | null }
  /** Audio of a response. */
  | { readonly type: 'audio.delta' }
  /** The user has begun to speak. Sent only if the provider detects speech itself. */
  | { readonly type: 'speech.started' }
  /** The user stopped speaking. The transcript follows with the same item id. */
  | ({ readonly type: 'speech.committed' } & SegmentIds)
  | UserDeltaEvent
  | UserPartialEvent
  | UserDoneEvent
  | UserFailedEvent
  | AssistantDeltaEvent
  | AssistantDoneEvent
  /** The client, the service or the provider has added an item to the conversation. */
  | { readonly type: 'item.echoed'; readonly item: EchoedItem }
  | { readonly type: 'item.truncated'; readonly itemId: string | null }
  | ResponseCreatedEvent
  | ResponseDoneEvent
  | {
      readonly type: 'output-item.added' | 'output-item.done'
      readonly responseId: string | null
      readonly item: OutputItem
    }
  | CallArgumentsEvent

export interface ProviderErrorEvent {
  readonly type: 'error'
  /** The event of the service or the client that caused the error. */
  readonly eventId: string | null
  readonly code: string | null
  readonly param: string | null
  readonly message: string | null
}

/** The id of a transcript segment. */
interface SegmentIds {
  readonly itemId: string | null
  /** 0 if the provider omits it. */
  readonly contentIndex: number
}

export interface UserDeltaEvent extends SegmentIds {
  readonly type: 'user.delta'
  readonly delta: string | null
}

/** The transcript so far, which replaces all earlier text of the segment. */
export interface UserPartialEvent extends SegmentIds {
  readonly type: 'user.partial'
  readonly text: string
}

export interface UserDoneEvent extends SegmentIds {
  readonly type: 'user.done'
  /** The wire name of the event. A provider may send one transcript under several names. */
  readonly wireName: string
  /** Null if the text is blank. */
  readonly text: string | null
  /** Null if the provider does not report it. */
  readonly usage: TranscriptionUsage | null
}

export interface UserFailedEvent extends SegmentIds {
  readonly type: 'user.failed'
  readonly message: string | null
}

export interface AssistantDeltaEvent extends SegmentIds {
  readonly type: 'assistant.delta'
  readonly responseId: string | null
  readonly delta: string | null
}

export interface AssistantDoneEvent extends SegmentIds {
  readonly type: 'assistant.done'
  /** The wire name of the event. A provider may send one answer under several names. */
  readonly wireName: string
  readonly responseId: string | null
  /** Null if the text is blank. The deltas may have contained more text. */
  readonly text: string | null
}

export type EchoedItem =
  | { readonly kind: 'user-message'; readonly itemId: string; readonly parts: readonly UserPart[] }
  | { readonly kind: 'call-output'; readonly callId: string }
  | { readonly kind: 'other' }

/**
 * A part of a user's message that becomes a transcript segment. All typed parts of a message form one
 * segment.
 */
export type UserPart =
  | { readonly kind: 'audio'; readonly contentIndex: number }
  | { readonly kind: 'typed'; readonly contentIndex: number; readonly text: string }

export interface ResponseCreatedEvent {
  readonly type: 'response.created'
  readonly responseId: string | null
  /** Whether the response is out of band: it neither reads nor blocks the conversation. */
  readonly isOutOfBand: boolean
  readonly isTextOnly: boolean
}

export interface ResponseDoneEvent {
  readonly type: 'response.done'
  readonly responseId: string | null
  /** completed, cancelled, incomplete, failed, or a provider-specific value. */
  readonly status: string | null
  /** Whether the response was cut off because the connection to the provider was lost. */
  readonly isCutOff: boolean
  readonly output: readonly OutputItem[]
  /** Null if the provider does not report it. */
  readonly usage: ResponseUsage | null
}

/** The usage of one response. Counts that are not reported are 0. */
export type ResponseUsage = Omit<Readonly<RealtimeUsage>, 'responses'> & {
  readonly cachedImageTokens: number
  /** The seconds of audio that xAI charges instead of tokens. */
  readonly billableAudioSeconds: number
}

/** The usage of a transcription: tokens, or the duration in seconds. */
export type TranscriptionUsage =
  | { readonly type: 'tokens'; readonly tokens: ResponseUsage }
  | { readonly type: 'duration'; readonly seconds: number }

export type OutputItem = CallItem | (ItemFields & { readonly kind: 'message' | 'other' })

export interface CallItem extends ItemFields {
  readonly kind: 'call'
  readonly callId: string | null
  readonly name: string | null
  /** Empty if the provider omits them. */
  readonly argumentsText: string
}

interface ItemFields {
  readonly itemId: string | null
  readonly status: string | null
}

export interface CallArgumentsEvent {
  readonly type: 'call.arguments'
  readonly responseId: string | null
  readonly itemId: string | null
  readonly callId: string | null
  readonly name: string | null
  /** Empty if the provider omits them. */
  readonly argumentsText: string
}
