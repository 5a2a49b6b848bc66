import type { Approval, ApprovalAnswer } from './approvals.js'
import type { ClientTools } from './client-tools.js'
import type { ErrorEvent, RawEvent } from './session-event.js'
import type { TicketSource } from './ticket.js'
import type { ToolCall } from './tool-calls.js'
import type { TranscriptItem } from './transcript.js'
import type { Levels, SpeechChunk } from './voice-audio.js'
import type { VoiceEnd } from './voice-end.js'
import type { ProviderChange } from './voice-state.js'

export interface VoiceOptions {
  readonly ticket: TicketSource
  /** The address of the service. Default: the page's own origin. */
  readonly url?: string
  /** A conversation to continue. */
  readonly conversationId?: string
  readonly tools?: ClientTools
  /** Decides by its return value or by the approval's own functions. */
  readonly onApproval?: (
    approval: Approval,
  ) => ApprovalAnswer | undefined | Promise<ApprovalAnswer | undefined>
  /** The maximum number of reconnect attempts in a row. Default: 6. 0: never. */
  readonly maxReconnects?: number
  /** The service's maximum message size. Default: 65536. */
  readonly maxMessageBytes?: number
}

export interface VoiceEvents {
  /** A transcript item began, grew or ended. */
  readonly message: TranscriptItem
  /** A tool call began or changed. */
  readonly call: ToolCall
  readonly approval: Approval
  /** A chunk of an answer's audio, 24 000 samples a second. It is not stored. */
  readonly audio: SpeechChunk
  readonly levels: Levels
  /** A message was rejected, and the session continues. */
  readonly error: ErrorEvent
  readonly ready: { readonly conversationId: string | null }
  readonly reconnecting: { readonly attempt: number; readonly end: VoiceEnd }
  /** The service has moved the session to another model. The socket stays open. */
  readonly providerChanged: ProviderChange
  readonly end: VoiceEnd
  /** Every received event, unchanged. */
  readonly raw: RawEvent
  /** Every sent message, including audio. */
  readonly sent: object
}
