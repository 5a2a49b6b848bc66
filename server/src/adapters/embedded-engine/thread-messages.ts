import type {
  ChatCall,
  ChatMessage,
  ChatStepRequest,
  ChatTool,
  ChatToolChoice,
  ChatUsage,
} from '../../ports/chat-model.js'

/** What the engine's thread is told. */
export type ThreadRequest =
  | {
      readonly type: 'think'
      readonly id: number
      readonly messages: readonly ChatMessage[]
      readonly tools: readonly ChatTool[]
    }
  /** A piece of what the model says that was asked for. */
  | { readonly type: 'voiced-text'; readonly id: number; readonly delta: string }
  /** The end of it; nothing of this id comes any more. */
  | { readonly type: 'voiced-answer'; readonly id: number; readonly answer: VoicedAnswer }
  | { readonly type: 'close' }

export interface Thought {
  readonly text: string
  readonly calls: readonly ChatCall[]
}

/** A session wants its own text model to answer; the ticket says which that is, and nothing else of it. */
export interface VoicedQuestion extends Pick<ChatStepRequest, 'messages' | 'tools' | 'maxOutputTokens'> {
  readonly ticket: string
  readonly toolChoice: ChatToolChoice
}

export type VoicedAnswer =
  | {
      readonly outcome: 'answered'
      readonly calls: readonly ChatCall[]
      readonly usage: ChatUsage
      readonly isCutOff: boolean
    }
  | { readonly outcome: 'failed'; readonly message: string }

/** What it tells. */
export type ThreadReply =
  | { readonly type: 'listening'; readonly url: string }
  | { readonly type: 'log'; readonly line: string }
  | { readonly type: 'thought'; readonly id: number; readonly thought: Thought }
  | { readonly type: 'failed'; readonly id: number; readonly message: string }
  | { readonly type: 'voiced-question'; readonly id: number; readonly question: VoicedQuestion }
  /** Nobody waits for that answer any more. */
  | { readonly type: 'voiced-cancel'; readonly id: number }

/** The header of a handshake that names the session's text model. */
export const ticketHeader = 'x-parley-text-model'
