import type { ChatCall, ChatStepRequest, ChatToolChoice, ChatUsage } from '../../ports/chat-model.js'
import type { DemoStep, DemoStepRequest } from '../../ports/embedded-engine.js'

/** What the service sends to the engine's thread. */
export type ThreadRequest =
  | ({ readonly type: 'demo-step'; readonly id: number } & DemoStepRequest)
  /** A piece of what a voiced model says in the step of this id. */
  | { readonly type: 'voiced-text'; readonly id: number; readonly delta: string }
  /** The end of that step; nothing of this id follows. */
  | { readonly type: 'voiced-result'; readonly id: number; readonly result: VoicedStepResult }
  | { readonly type: 'close' }

/** What the engine's thread sends to the service. */
export type ThreadReply =
  | { readonly type: 'listening'; readonly url: string }
  | { readonly type: 'log'; readonly line: string }
  /** It can hear from now on. */
  | { readonly type: 'hearing' }
  | { readonly type: 'demo-result'; readonly id: number; readonly step: DemoStep }
  | { readonly type: 'demo-failure'; readonly id: number; readonly message: string }
  | { readonly type: 'voiced-step'; readonly id: number; readonly request: VoicedStepRequest }
  /** Nobody waits for that step any more. */
  | { readonly type: 'voiced-cancel'; readonly id: number }

/** A step that a session wants its voiced model to take; the token says which model that is, and nothing else of it. */
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

/** The header of a handshake that names the organization: those share the engine's threads in turn. */
export const ownerHeader = 'x-parley-owner'

/** The header of a handshake that names the session's voiced model. */
export const voicedModelHeader = 'x-parley-voiced-model'
