import type { Conversation, Message } from '@parley/contract'
import type { PageRequest, RecordPage, ResourceRecord, ResourceStore } from './resource-store.js'

export interface ConversationRecord extends Readonly<Conversation>, ResourceRecord {
  readonly deletedAt: string | null
}

export interface ConversationFilter {
  readonly agentId?: string | undefined
  readonly search?: string | undefined
  readonly rehearsal?: boolean | undefined
}

export interface MessageRecord extends Readonly<Message> {
  readonly organizationId: string
  /** The session it was said in, or the turn of the text channel. */
  readonly originId: string | null
  /** What the provider calls it; with the session and the content index it names a turn once and for all. */
  readonly itemId: string
  readonly contentIndex: number
  /** Its place in the conversation: microseconds since 1970, then a counter. */
  readonly positionMicroseconds: number
  readonly positionCounter: number
}

/** A place in a conversation: microseconds since 1970, then a counter. */
export interface MessagePosition {
  readonly microseconds: number
  readonly counter: number
}

/** The older part of a conversation in few words. */
export interface ConversationSummary {
  readonly content: string
  /** The last message it tells of. */
  readonly through: MessagePosition
}

/** What is written into a tool's message while its call goes on. */
export interface ToolMessageFields {
  /** 0 pending, 1 success, 2 failed, 3 pending approval. */
  readonly status: 0 | 1 | 2 | 3
  readonly content?: string
  readonly failure?: string | null
  readonly executionTimeSeconds?: number | null
}

export interface ConversationStore extends ResourceStore<ConversationRecord, ConversationFilter> {
  /** Adds one whose id is new, so that nothing can be in its way; a transaction need not wait for it. */
  add(record: ConversationRecord): Promise<void>
  /** One page of the messages, in the order they were said. */
  listMessages(
    organizationId: string,
    conversationId: string,
    page: PageRequest,
  ): Promise<RecordPage<MessageRecord>>
  /** The last messages that were said, oldest first; with `after` only those behind that place. */
  recentMessages(
    conversationId: string,
    limit: number,
    after?: MessagePosition,
  ): Promise<readonly MessageRecord[]>
  /** Locks the conversation until the transaction ends: nobody adds to it or deletes it. False where it is gone. */
  lock(conversationId: string): Promise<boolean>
  /** The tool calls of a session or turn, in order. */
  callsOf(originId: string): Promise<readonly MessageRecord[]>
  /** The calls of a session or turn that nobody handles any more have failed. Those that wait for a person wait on. */
  failRunningCalls(originId: string, failure: string, at: string): Promise<void>
  /**
   * With which arguments a tool was called here in calls whose outcome is unknown, and that have not succeeded since. Newest
   * first, and not more than a few hundred.
   */
  unknownCalls(conversationId: string, name: string): Promise<readonly string[]>
  /** How many calls of it have an unknown outcome, or run on, and have not succeeded since. */
  countUnknownCalls(conversationId: string): Promise<number>
  findSummary(conversationId: string): Promise<ConversationSummary | null>
  /** Keeps a summary, unless there is one that tells of more. */
  saveSummary(conversationId: string, summary: ConversationSummary, at: string): Promise<void>
  /**
   * Adds a message unless its turn is stored already, and counts it in the conversation. Returns the id under which the
   * turn is stored, or null where the conversation is gone.
   */
  addMessage(message: MessageRecord): Promise<string | null>
  /** Removes all messages of a conversation, and what was kept of them. */
  removeMessages(conversationId: string): Promise<void>
  /** The message, or null where it is gone with its conversation. */
  findMessage(id: string): Promise<MessageRecord | null>
  /** Writes how a call stands into its message. The first outcome stays: one that has succeeded or failed is not changed. */
  updateToolMessage(id: string, fields: ToolMessageFields, at: string): Promise<void>
  /** Marks the messages of a turn as cut off. */
  markInterrupted(originId: string, itemId: string, at: string): Promise<void>
}
