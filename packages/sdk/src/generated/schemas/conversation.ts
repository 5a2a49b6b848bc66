// Generated from the contract by `npm run generate`. Do not edit.

import type { Page } from '../../rest/page.js'

/** One page of a list of `Conversation` objects. */
export type ConversationPage = Page<Conversation>

/** A text or voice conversation between a user and an agent. */
export interface Conversation {
  /** The ID of the resource (UUID v7). */
  id: string
  /** When the resource was created (UTC). */
  createdAt: string
  /** When the resource was last updated (UTC). */
  updatedAt: string
  /** The ID of the agent. */
  agentId: string
  /** The title, which is the beginning of the user's first message. `null` if there is none yet. */
  title: string | null
  /** The number of messages in the conversation. */
  messageCount: number
  /** When the last message was added (UTC). `null` if the conversation has no messages. */
  lastMessageAt: string | null
  /** The ID of the end user. `null` if the end user is anonymous. */
  endUserId: string | null
  /** Your own ID of the end user. `null` if the end user is anonymous. */
  externalUserId: string | null
  /** Your own data, merged from the requests of the conversation. */
  metadata: Record<string, string | number | boolean>
  /** Whether the conversation is a rehearsal (test mode), in which stubs replace the tools. */
  rehearsal: boolean
}

/** One page of the messages of a conversation, oldest first. */
export type MessagePage = Page<Message>

/** A message of a conversation. */
export interface Message {
  /** The ID of the resource (UUID v7). */
  id: string
  /** The ID of the conversation. */
  conversationId: string
  /** When the resource was created (UTC). */
  createdAt: string
  /** When the resource was last updated (UTC). */
  updatedAt: string
  /** The author of the message. */
  role: 'user' | 'assistant' | 'tool' | 'subagent'
  /** The text of the message. For an interrupted voice answer, the part that the user heard. */
  content: string
  /** The channel of the message: a text turn (`text`) or a realtime session (`realtime`). */
  channel: 'text' | 'realtime'
  /** The ID of the turn or realtime session of the message. `null` if it is no longer known. */
  originId: string | null
  /** Whether the message was interrupted. */
  interrupted: boolean
  /** Why the content is missing or incomplete. `null` if it is complete. */
  failure: string | null
  /** The ID that the model assigned to the call. `null` if the message is not a tool call. */
  callId: string | null
  /** The name of the tool or sub-agent. `null` if the message is not a call. */
  name: string | null
  /** The arguments of the tool call as a JSON string. `null` if the message is not a tool call. */
  arguments: string | null
  /**
   * The status of the tool call: 0 (pending), 1 (success), 2 (failed) or 3 (pending approval). `null` if the
   * message is not a tool call.
   */
  status: number | null
  /**
   * The duration of the tool call in seconds. `null` if it has not finished, or if the message is not a tool
   * call.
   */
  executionTimeSeconds: number | null
}
