import type { ChatCall, ChatMessage, ChatTool } from '../../ports/chat-model.js'

/** What the engine's thread is asked to do. */
export type ThreadRequest =
  | {
      readonly type: 'think'
      readonly id: number
      readonly messages: readonly ChatMessage[]
      readonly tools: readonly ChatTool[]
    }
  | { readonly type: 'close' }

export interface Thought {
  readonly text: string
  readonly calls: readonly ChatCall[]
}

/** What it tells. */
export type ThreadReply =
  | { readonly type: 'listening'; readonly url: string }
  | { readonly type: 'log'; readonly line: string }
  | { readonly type: 'thought'; readonly id: number; readonly thought: Thought }
  | { readonly type: 'failed'; readonly id: number; readonly message: string }
