// Generated from the contract by `npm run generate`. What is changed here is lost.

import type { Page } from '../../rest/page.js'

/** One page of a list of Conversation items. */
export type ConversationPage = Page<Conversation>

/** What was said between a user and an agent, spoken or typed. */
export interface Conversation {
  /** The resource id (UUID v7). */
  id: string
  /** When it was created (UTC). */
  createdAt: string
  /** When it last changed (UTC). */
  updatedAt: string
  /** The agent it belongs to. */
  agentId: string
  /** The first words of the user. */
  title: string | null
  /** How many messages it has. */
  messageCount: number
  /** When the last message was added. */
  lastMessageAt: string | null
  /** Whether it is a rehearsal: its tools were stubs. */
  rehearsal: boolean
}

/** One page of the messages of a conversation. */
export type MessagePage = Page<Message>

/** One message of a conversation. */
export interface Message {
  /** The resource id (UUID v7). */
  id: string
  /** The conversation it belongs to. */
  conversationId: string
  /** When it was created (UTC). */
  createdAt: string
  /** When it last changed (UTC). */
  updatedAt: string
  /** Whose message it is. */
  role: 'user' | 'assistant' | 'tool' | 'subagent'
  /** The words; what was heard of them where it was interrupted. */
  content: string
  /** Whether it was typed or spoken in a session. */
  channel: 'text' | 'realtime'
  /** The turn that it came out of, or the session; null where that is not known any more. */
  originId: string | null
  /** Whether it was cut off. */
  interrupted: boolean
  /** Why the content is missing or incomplete, if it is. */
  failure: string | null
  /** The provider's id of the tool call. */
  callId: string | null
  /** The name of the tool or sub-agent. */
  name: string | null
  /** The arguments of the tool call, JSON text. */
  arguments: string | null
  /** 0 pending, 1 success, 2 failed, 3 pending approval. */
  status: number | null
  /** How long the tool ran. */
  executionTimeSeconds: number | null
}
