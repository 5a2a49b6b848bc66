import type { ChatCall, ChatStepRequest, ChatToolChoice, ChatUsage } from '../../ports/chat-model.js'
import type { DemoStep, DemoStepRequest } from '../../ports/embedded-engine.js'

/** Messages from the service to the engine's thread. */
export type ThreadRequest =
  | ({ readonly type: 'demo-step'; readonly id: number } & DemoStepRequest)
  /** A piece of a voiced model's text, in the step with this id. */
  | { readonly type: 'voiced-text'; readonly id: number; readonly delta: string }
  /** The end of that step. No more messages with this id follow. */
  | { readonly type: 'voiced-result'; readonly id: number; readonly result: VoicedStepResult }
  | { readonly type: 'speak'; readonly id: number; readonly text: string }
  | { readonly type: 'close' }

/** Messages from the engine's thread to the service. */
export type ThreadReply =
  | { readonly type: 'listening'; readonly url: string }
  | { readonly type: 'log'; readonly line: string }
  /** Speech recognition is ready. */
  | { readonly type: 'hearing' }
  | { readonly type: 'demo-result'; readonly id: number; readonly step: DemoStep }
  | { readonly type: 'demo-failure'; readonly id: number; readonly message: string }
  /** The sentence as samples at 8000 Hz. */
  | { readonly type: 'speech'; readonly id: number; readonly samples: Int16Array }
  | { readonly type: 'speech-failure'; readonly id: number; readonly message: string }
  | { readonly type: 'voiced-step'; readonly id: number; readonly request: VoicedStepRequest }
  /** The result of that step is no longer needed. */
  | { readonly type: 'voiced-cancel'; readonly id: number }

/**
 * A step of a session's voiced model. The token identifies the model without revealing anything else about
 * it.
 */
export interface VoicedStepRequest extends Pick<ChatStepRequest, 'messages' | 'tools' | 'maxOutputTokens'> {
  readonly token: string
  readonly toolChoice: ChatToolChoice
}

export type VoicedStepResult =
  | {
      readonly ok: true
      readonly calls: readonly ChatCall[]
      readonly usage: ChatUsage | null
      readonly isCutOff: boolean
    }
  | { readonly ok: false; readonly message: string }

/** The handshake header with the organization. The engine's threads serve organizations round-robin. */
export const ownerHeader = 'x-parley-owner'

/** The handshake header with the token of the session's voiced model. */
export const voicedModelHeader = 'x-parley-voiced-model'
