import type { RealtimeUsage } from '@parley/contract'

/*
 * What a provider says, as far as the service acts on it. Several wire names of one meaning are one type here; the
 * table in provider-frame.ts says which. Ids are null where the provider leaves them out, as many do.
 */
export type ProviderEvent =
  | { readonly type: 'session.updated' }
  | ProviderErrorEvent
  /** Audio of an answer. */
  | { readonly type: 'audio.delta' }
  /** The user's speech has ended; its words come later, under the same id. */
  | ({ readonly type: 'speech.committed' } & SegmentIds)
  | UserDeltaEvent
  | UserDoneEvent
  | UserFailedEvent
  | AssistantDeltaEvent
  | AssistantDoneEvent
  /** An item was added to the conversation, by whomever. */
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
  /** The event of the service or the client that it is about. */
  readonly eventId: string | null
  readonly code: string | null
  readonly param: string | null
  readonly message: string | null
}

/** The id of a transcript segment. */
interface SegmentIds {
  readonly itemId: string | null
  /** 0 where it is left out. */
  readonly contentIndex: number
}

export interface UserDeltaEvent extends SegmentIds {
  readonly type: 'user.delta'
  readonly delta: string | null
}

export interface UserDoneEvent extends SegmentIds {
  readonly type: 'user.done'
  /** The event's name on the wire: one transcript may come under several. */
  readonly wireName: string
  /** Null where there is nothing but white space. */
  readonly text: string | null
  /** Null: the provider did not say. */
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
  /** The event's name on the wire: one answer may come under several. */
  readonly wireName: string
  readonly responseId: string | null
  /** Null where there is nothing but white space; the deltas may have had more. */
  readonly text: string | null
}

export type EchoedItem =
  | { readonly kind: 'user-message'; readonly itemId: string; readonly parts: readonly UserPart[] }
  | { readonly kind: 'call-output'; readonly callId: string }
  | { readonly kind: 'other' }

/** A part of a user's message that becomes a transcript segment. What was typed is one part, however many it came in. */
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
  /** completed, cancelled, incomplete, failed, or another value of a provider. */
  readonly status: string | null
  readonly output: readonly OutputItem[]
  /** Null: the provider did not say. */
  readonly usage: ResponseUsage | null
}

/** Tokens of one response, 0 where nothing is said of them. */
export type ResponseUsage = Omit<Readonly<RealtimeUsage>, 'responses'> & {
  readonly cachedImageTokens: number
}

/** The usage of a transcription: tokens, or the time in seconds. */
export type TranscriptionUsage =
  | { readonly type: 'tokens'; readonly tokens: ResponseUsage }
  | { readonly type: 'duration'; readonly seconds: number }

/** Something that a response has put out. */
export type OutputItem = CallItem | (ItemFields & { readonly kind: 'message' | 'other' })

export interface CallItem extends ItemFields {
  readonly kind: 'call'
  readonly callId: string | null
  readonly name: string | null
  /** Empty where they are left out. */
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
  /** Empty where they are left out. */
  readonly argumentsText: string
}
