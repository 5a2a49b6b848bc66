import type {
  Conversation,
  Cost,
  Message,
  QuestionAnswer,
  Rehearsal,
  TemporaryFile,
  TemporaryFileType,
} from '@parley/contract'
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

/** Waiting for its turn, being answered, or how it ended. */
export type TurnState = 'queued' | 'running' | 'completed' | 'failed' | 'stopped'

/** A question that was asked in text, and how far its answer is. */
export interface TurnRecord extends ResourceRecord {
  readonly conversationId: string
  readonly agentId: string
  /** The order of the questions of a conversation. */
  readonly position: number
  readonly state: TurnState
  readonly question: string
  readonly fileIds: readonly string[]
  readonly additionalInstructions: string | null
  /** The ids under which question and answer are stored, once they are. */
  readonly questionMessageId: string
  readonly answerMessageId: string
  /** The instance that answers it. */
  readonly instanceId: string
  /** The key the question came with: it may be used again where the question got no answer. */
  readonly idempotencyKey: string | null
  readonly stopRequestedAt: string | null
  readonly startedAt: string | null
  readonly endedAt: string | null
  readonly answer: string | null
  /** Why there is no answer, or not all of it; fit for the caller. */
  readonly failure: string | null
  readonly usage: QuestionAnswer['usage']
  readonly cost: Cost
  /** The key that the question came with; null: a person's. */
  readonly apiKeyId: string | null
  /** The task that it is an attempt at: its end is the attempt's. Null where it is a question. */
  readonly taskId: string | null
  /** What stands in for its tools; null where it is no rehearsal. */
  readonly rehearsal: Rehearsal | null
}

export interface TurnEnd {
  readonly state: 'completed' | 'failed' | 'stopped'
  readonly answer: string | null
  readonly failure: string | null
  readonly usage: QuestionAnswer['usage']
  readonly cost: Cost
}

/** One event of a turn, as text that goes to its followers unchanged. */
export interface StoredTurnEvent {
  readonly sequence: number
  readonly event: string
}

export interface TurnStore {
  /** Adds a turn behind all others of its conversation, which must be locked. Returns its position. */
  insert(record: Omit<TurnRecord, 'position'>): Promise<number>
  find(organizationId: string, conversationId: string, id: string): Promise<TurnRecord | null>
  /**
   * Starts the turn if all earlier ones of its conversation have ended. Returns the database's time in microseconds
   * since 1970, from which the positions of its messages are counted; null where it must wait, or has ended.
   */
  start(id: string, at: string): Promise<number | null>
  /** Ends the turn, once. False where it has ended already. Its last events are added before. */
  end(id: string, end: TurnEnd, at: string): Promise<boolean>
  /** Asks whoever runs the turn to stop. False where it has ended. */
  requestStop(id: string, at: string): Promise<boolean>
  /** Those of the turns that somebody asked to stop. */
  stopRequested(ids: readonly string[]): Promise<readonly string[]>
  /** Adds events, each once. False where the turn has ended: nothing happens in it any more. */
  addEvents(id: string, events: readonly StoredTurnEvent[]): Promise<boolean>
  /**
   * Locks the turn until the transaction ends: nobody ends it. Returns the database's time in microseconds since 1970;
   * null where it has ended.
   */
  lockOpen(id: string): Promise<number | null>
  /** Events after that one, in order; the first has sequence 1. */
  eventsAfter(id: string, sequence: number, limit: number): Promise<readonly StoredTurnEvent[]>
  /** Turns that have not ended and whose instance has not renewed its lease for that long. Oldest first. */
  lost(leaseSeconds: number, limit: number): Promise<readonly TurnRecord[]>
  /**
   * Locks such a turn until the transaction ends: nothing is added to it. Returns the database's time in microseconds
   * since 1970; null where it has ended by now, or its instance is back.
   */
  lockLost(id: string, leaseSeconds: number): Promise<number | null>
  /** Of a conversation that is deleted: its turns have ended, what runs is to stop, and no words are kept. */
  forgetConversation(conversationId: string, at: string): Promise<void>
}

/** What a file is to a model: text, or a picture. */
export type FileKind = 'text' | 'image'

export interface FileRecord extends Readonly<TemporaryFile>, ResourceRecord {
  readonly contentType: TemporaryFileType
  readonly kind: FileKind
  /** How many characters its text has; 0 for a picture. */
  readonly characterCount: number
  /** When its contents were all in; until then nobody sees it. */
  readonly completedAt: string | null
}

export interface FileFilter {
  readonly search?: string | undefined
  readonly conversationId?: string | undefined
  /** The moment at which they are seen. */
  readonly at: string
}

/** A part of a file's text that can be found and quoted. Together, in order, they are the whole text. */
export interface Passage {
  readonly position: number
  /** Where a person would look for it: "page 12"; null where there is no such place. */
  readonly label: string | null
  readonly content: string
}

export interface FoundPassage extends Passage {
  readonly fileId: string
}

/** Files that callers gave as context, for a while. What has expired is not seen any more, removed or not. */
export interface FileStore {
  insert(record: FileRecord): Promise<void>
  /** Adds contents; positions count from 0. */
  addChunk(fileId: string, position: number, content: Buffer): Promise<void>
  addPassages(fileId: string, passages: readonly Passage[]): Promise<void>
  /** Its contents are all in. */
  complete(record: FileRecord): Promise<void>
  /** One page of the complete files that have not expired, newest first, and the count of all that match. */
  list(organizationId: string, filter: FileFilter, page: PageRequest): Promise<RecordPage<FileRecord>>
  /** A complete file that has not expired. */
  find(organizationId: string, id: string, at: string): Promise<FileRecord | null>
  /** The same of several, in the order of the ids; those that are not found are left out. */
  findMany(organizationId: string, ids: readonly string[], at: string): Promise<readonly FileRecord[]>
  chunk(fileId: string, position: number): Promise<Buffer | null>
  /** Passages in their order, from a position on. */
  passages(fileId: string, from: number, limit: number): Promise<readonly Passage[]>
  /**
   * The passages of these files that answer a question best, best first: rare words that they share with it count
   * more than common ones.
   */
  searchPassages(
    fileIds: readonly string[],
    question: string,
    limit: number,
  ): Promise<readonly FoundPassage[]>
  /** Removes a file with its contents; false where it was not there any more. */
  remove(id: string): Promise<boolean>
  /** Gives files to a conversation; what it has already stays. */
  give(conversationId: string, fileIds: readonly string[], at: string): Promise<void>
  /** The files that a conversation was given and that have not expired, in the order they were given. */
  ofConversation(conversationId: string, at: string): Promise<readonly FileRecord[]>
  /** Of a conversation that is deleted. */
  takeFromConversation(conversationId: string): Promise<void>
}
