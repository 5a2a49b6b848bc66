// Generated from the contract by `npm run generate`. What is changed here is lost.

import type { Page } from '../../rest/page.js'

/** One page of a list of Conversation items. */
export type ConversationPage = Page<Conversation>

/** A spoken or typed conversation between a user and an agent. */
export interface Conversation {
  /** The resource id (UUID v7). */
  id: string
  /** When it was created (UTC). */
  createdAt: string
  /** When it last changed (UTC). */
  updatedAt: string
  /** The agent of the conversation. */
  agentId: string
  /** The user's first words. */
  title: string | null
  /** The number of messages. */
  messageCount: number
  /** When the last message was added. */
  lastMessageAt: string | null
  /** Whether the conversation is a rehearsal, in which stubs replace the tools. */
  rehearsal: boolean
}

/** One page of the messages of a conversation. */
export type MessagePage = Page<Message>

/** One message of a conversation. */
export interface Message {
  /** The resource id (UUID v7). */
  id: string
  /** The conversation of the message. */
  conversationId: string
  /** When it was created (UTC). */
  createdAt: string
  /** When it last changed (UTC). */
  updatedAt: string
  /** Who wrote or spoke the message. */
  role: 'user' | 'assistant' | 'tool' | 'subagent'
  /** The text. For an interrupted answer, the part that was heard. */
  content: string
  /** Whether the message was typed or spoken in a session. */
  channel: 'text' | 'realtime'
  /** The turn or session that the message comes from. Null: not known any more. */
  originId: string | null
  /** Whether the message was interrupted. */
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
