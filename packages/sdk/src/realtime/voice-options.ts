import type { Approval, ApprovalAnswer } from './approvals.js'
import type { ClientTools } from './client-tools.js'
import type { ErrorEvent, RawEvent } from './session-event.js'
import type { TicketSource } from './ticket.js'
import type { ToolCall } from './tool-calls.js'
import type { TranscriptItem } from './transcript.js'
import type { Levels, SpeechChunk } from './voice-audio.js'
import type { VoiceEnd } from './voice-end.js'

export interface VoiceOptions {
  readonly ticket: TicketSource
  /** Where the service is; the page's own origin where left out. */
  readonly url?: string
  /** A conversation to go on with. */
  readonly conversationId?: string
  readonly tools?: ClientTools
  /** Decides, by what it returns or with the approval's own functions. */
  readonly onApproval?: (
    approval: Approval,
  ) => ApprovalAnswer | undefined | Promise<ApprovalAnswer | undefined>
  /** How often in a row to ask for another session after one was lost: 6; 0 for never. */
  readonly maxReconnects?: number
  /** The largest message that the service takes, where the deployment has changed it: 65536. */
  readonly maxMessageBytes?: number
}

export interface VoiceEvents {
  /** An item of the transcript began, grew or ended. */
  readonly message: TranscriptItem
  /** A tool call began or changed. */
  readonly call: ToolCall
  readonly approval: Approval
  /** A piece of an answer's sound, 24 000 samples a second. It is not kept. */
  readonly audio: SpeechChunk
  readonly levels: Levels
  /** Something was refused, and the session goes on. */
  readonly error: ErrorEvent
  readonly ready: { readonly conversationId: string | null }
  readonly reconnecting: { readonly attempt: number; readonly end: VoiceEnd }
  readonly end: VoiceEnd
  /** Every event as it came. */
  readonly raw: RawEvent
  /** Every message as it goes out, the microphone's sound among them. */
  readonly sent: object
}
