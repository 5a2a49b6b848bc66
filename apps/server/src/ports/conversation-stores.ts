import type {
  Conversation,
  Cost,
  Message,
  QuestionAnswer,
  Rehearsal,
  ResponseSchema,
  TemporaryFile,
  TemporaryFileType,
  Variables,
} from '@parley/contract'
import type { ConversationContextFilter } from './end-user-store.js'
import type { PageRequest, RecordPage, ResourceRecord, ResourceStore } from './resource-store.js'

export interface ConversationRecord extends Readonly<Conversation>, ResourceRecord {
  /** The values for templates of the agent, merged from all requests. */
  readonly variables: Readonly<Variables>
  readonly deletedAt: string | null
  /** When retention or an erasure requested that all rows of the conversation are removed. */
  readonly removalRequestedAt: string | null
}

export interface ConversationFilter extends ConversationContextFilter {
  readonly agentId?: string | undefined
  readonly search?: string | undefined
  readonly rehearsal?: boolean | undefined
}

export interface MessageRecord extends Readonly<Message> {
  readonly organizationId: string
  /** The realtime session or text turn that the message belongs to. */
  readonly originId: string | null
  /** The provider's id. Together with the session and the content index it identifies a message. */
  readonly itemId: string
  readonly contentIndex: number
  /** The position in the conversation: microseconds since 1970, then a counter. */
  readonly positionMicroseconds: number
  readonly positionCounter: number
}

/** The end user of a conversation. Both ids are null if the end user is anonymous. */
export type ConversationEndUser = Pick<ConversationRecord, 'endUserId' | 'externalUserId'>

/** A position in a conversation: microseconds since 1970, then a counter. */
export interface MessagePosition {
  readonly microseconds: number
  readonly counter: number
}

/** A summary of the older part of a conversation. */
export interface ConversationSummary {
  readonly content: string
  /** The last message that the summary covers. */
  readonly through: MessagePosition
}

/** The fields of a tool message that change while its call runs. */
export interface ToolMessageFields {
  /** 0 pending, 1 success, 2 failed, 3 pending approval. */
  readonly status: 0 | 1 | 2 | 3
  readonly content?: string
  readonly failure?: string | null
  readonly executionTimeSeconds?: number | null
}

export interface ConversationStore extends ResourceStore<ConversationRecord, ConversationFilter> {
  /**
   * Inserts a conversation with a new id, so conflicts are impossible. A transaction need not wait for the
   * result.
   */
  add(record: ConversationRecord): Promise<void>
  /** Stores the end user, metadata and variables of a locked conversation. */
  updateContext(
    id: string,
    context: Pick<ConversationRecord, 'endUserId' | 'externalUserId' | 'metadata' | 'variables'>,
    at: string,
  ): Promise<void>
  /** Returns the end users of conversations by conversation id, including deleted conversations. */
  endUsersOf(ids: readonly string[]): Promise<ReadonlyMap<string, ConversationEndUser>>
  /** Returns one page of the messages in conversation order. */
  listMessages(
    organizationId: string,
    conversationId: string,
    page: PageRequest,
  ): Promise<RecordPage<MessageRecord>>
  /**
   * Returns the most recent messages, oldest first. If `after` is given, returns only messages after this
   * position.
   */
  recentMessages(
    conversationId: string,
    limit: number,
    after?: MessagePosition,
  ): Promise<readonly MessageRecord[]>
  /**
   * Locks the conversation until the transaction ends, so that no other transaction adds messages or deletes
   * it. Returns false if the conversation does not exist.
   */
  lock(conversationId: string): Promise<boolean>
  /** Returns the tool calls of a session or turn, in order. */
  callsOf(originId: string): Promise<readonly MessageRecord[]>
  /**
   * Marks the running calls of a session or turn as failed, because the process that ran them is gone. Calls
   * that wait for approval stay unchanged.
   */
  failRunningCalls(originId: string, failure: string, at: string): Promise<void>
  /**
   * Returns the arguments of this tool's calls that have an unknown outcome and have not succeeded since
   * then. Newest first, up to a few hundred.
   */
  unknownCalls(conversationId: string, name: string): Promise<readonly string[]>
  /**
   * Returns the number of calls that are running or have an unknown outcome, and have not succeeded since
   * then.
   */
  countUnknownCalls(conversationId: string): Promise<number>
  findSummary(conversationId: string): Promise<ConversationSummary | null>
  /** Stores a summary, unless the stored one covers more messages. */
  saveSummary(conversationId: string, summary: ConversationSummary, at: string): Promise<void>
  /**
   * Adds a message and counts it in the conversation, unless it is stored already. Returns the id of the
   * stored message, or null if the conversation does not exist.
   */
  addMessage(message: MessageRecord): Promise<string | null>
  /** Removes all messages of a conversation and the data derived from them. */
  removeMessages(conversationId: string): Promise<void>
  /** Returns the message, or null if it was deleted with its conversation. */
  findMessage(id: string): Promise<MessageRecord | null>
  /**
   * Updates the status of a call in its message. The first outcome is final: a call that has succeeded or
   * failed is not changed.
   */
  updateToolMessage(id: string, fields: ToolMessageFields, at: string): Promise<void>
  /** Marks the messages of a provider item as cut off. */
  markInterrupted(originId: string, itemId: string, at: string): Promise<void>
}

/** Queued, running, or the outcome. */
export type TurnState = 'queued' | 'running' | 'completed' | 'failed' | 'stopped'

/** A question that was asked in text, and the state of its answer. */
export interface TurnRecord extends ResourceRecord {
  readonly conversationId: string
  readonly agentId: string
  /** The order of the turns in a conversation. */
  readonly position: number
  readonly state: TurnState
  readonly question: string
  readonly fileIds: readonly string[]
  readonly additionalInstructions: string | null
  /** The JSON schema of the answer, or null if the answer is free text. */
  readonly responseSchema: ResponseSchema | null
  /** The ids of the question and answer messages, which may not be stored yet. */
  readonly questionMessageId: string
  readonly answerMessageId: string
  /** The instance that answers the question. */
  readonly instanceId: string
  /** The idempotency key of the question. The key can be used again if the question was not answered. */
  readonly idempotencyKey: string | null
  readonly stopRequestedAt: string | null
  readonly startedAt: string | null
  readonly endedAt: string | null
  readonly answer: string | null
  /** Why there is no answer or only a part of it, as text for the caller. */
  readonly failure: string | null
  readonly usage: QuestionAnswer['usage']
  readonly cost: Cost
  /** The API key that the question came with, or null if a user asked it. */
  readonly apiKeyId: string | null
  /** The end user of the conversation when the question was asked, or null. */
  readonly endUserId: string | null
  /** The task, if this turn is an attempt at one. The attempt ends with the turn. Null for a question. */
  readonly taskId: string | null
  /** The stubs that replace the tools, or null if this is not a rehearsal. */
  readonly rehearsal: Rehearsal | null
}

export interface TurnEnd {
  readonly state: 'completed' | 'failed' | 'stopped'
  readonly answer: string | null
  readonly failure: string | null
  readonly usage: QuestionAnswer['usage']
  readonly cost: Cost
}

/** One event of a turn, as text that is sent to its followers unchanged. */
export interface StoredTurnEvent {
  readonly sequence: number
  readonly event: string
}

/** The questions of an end user to an agent after a time. */
export interface AskedSince {
  readonly agentId: string
  readonly endUserId: string
  readonly since: string
  readonly count: number
}

/** A session or turn whose end was requested. */
export interface RequestedEnd {
  readonly id: string
  /** Whether its conversation is removed by an erasure. */
  readonly isErased: boolean
}

export interface TurnStore {
  /** Adds a turn after all others of its conversation, which must be locked. Returns its position. */
  insert(record: Omit<TurnRecord, 'position'>): Promise<number>
  find(organizationId: string, conversationId: string, id: string): Promise<TurnRecord | null>
  /**
   * Starts the turn if all earlier turns of its conversation have ended. Returns the database's time in
   * microseconds since 1970, which is the base for the positions of its messages. Returns null if the turn
   * must wait or has ended.
   */
  start(id: string, at: string): Promise<number | null>
  /** Returns when the `count`-th last question was asked, or null if there were fewer. Ignores task runs and rehearsals. */
  askedBefore(asked: AskedSince): Promise<string | null>
  /** Ends the turn. Returns false if it has ended already. Its last events must be added before. */
  end(id: string, end: TurnEnd, at: string): Promise<boolean>
  /** Requests the instance that runs the turn to stop it. Returns false if the turn has ended. */
  requestStop(id: string, at: string): Promise<boolean>
  /** Returns those of the turns for which a stop was requested. */
  stopRequested(ids: readonly string[]): Promise<readonly RequestedEnd[]>
  /** Adds events, each once. Returns false if the turn has ended. */
  addEvents(id: string, events: readonly StoredTurnEvent[]): Promise<boolean>
  /**
   * Locks the turn until the transaction ends, so that no other transaction ends it. Returns the database's
   * time in microseconds since 1970, or null if the turn has ended.
   */
  lockOpen(id: string): Promise<number | null>
  /** Returns events after `sequence`, in order. The first event has sequence 1. */
  eventsAfter(id: string, sequence: number, limit: number): Promise<readonly StoredTurnEvent[]>
  /**
   * Returns turns that have not ended and whose instance has not renewed its lease for `leaseSeconds`.
   * Oldest first.
   */
  lost(leaseSeconds: number, limit: number): Promise<readonly TurnRecord[]>
  /**
   * Locks such a turn until the transaction ends, so that nothing is added to it. Returns the database's time
   * in microseconds since 1970, or null if the turn has ended or its instance has renewed its lease.
   */
  lockLost(id: string, leaseSeconds: number): Promise<number | null>
  /**
   * Called when a conversation is deleted. Ends its queued turns, requests the running ones to stop, and
   * erases their texts.
   */
  forgetConversation(conversationId: string, at: string): Promise<void>
}

/** How a model receives the file: as text or as an image. */
export type FileKind = 'text' | 'image'

export interface FileRecord extends Readonly<TemporaryFile>, ResourceRecord {
  readonly contentType: TemporaryFileType
  readonly kind: FileKind
  /** The length of its text in characters, or 0 for an image. */
  readonly characterCount: number
  /** When its upload was complete. Incomplete files are hidden. */
  readonly completedAt: string | null
}

export interface FileFilter {
  readonly search?: string | undefined
  readonly conversationId?: string | undefined
  /** The current time. Files that expired before it are hidden. */
  readonly at: string
}

/** A part of a file's text that can be searched and quoted. All passages in order form the whole text. */
export interface Passage {
  readonly position: number
  /** The location as users know it, for example "page 12". Null if there is none. */
  readonly label: string | null
  readonly content: string
}

export interface FoundPassage extends Passage {
  readonly fileId: string
}

/** Files that callers uploaded as context. Expired files are hidden even if they were not removed yet. */
export interface FileStore {
  insert(record: FileRecord): Promise<void>
  /** Adds a chunk of the contents. Positions start at 0. */
  addChunk(fileId: string, position: number, content: Buffer): Promise<void>
  addPassages(fileId: string, passages: readonly Passage[]): Promise<void>
  /** Marks the contents as complete. */
  complete(record: FileRecord): Promise<void>
  /** Returns one page of complete, unexpired files, newest first, and the count of all that match. */
  list(organizationId: string, filter: FileFilter, page: PageRequest): Promise<RecordPage<FileRecord>>
  /** Returns a complete, unexpired file, or null if there is none. */
  find(organizationId: string, id: string, at: string): Promise<FileRecord | null>
  /** Returns complete, unexpired files in the order of the ids. Files that are not found are skipped. */
  findMany(organizationId: string, ids: readonly string[], at: string): Promise<readonly FileRecord[]>
  chunk(fileId: string, position: number): Promise<Buffer | null>
  /** Returns passages in order, starting at position `from`. */
  passages(fileId: string, from: number, limit: number): Promise<readonly Passage[]>
  /**
   * Returns the passages of these files that best match a question, best first. Rare words have more weight
   * than common ones.
   */
  searchPassages(
    fileIds: readonly string[],
    question: string,
    limit: number,
  ): Promise<readonly FoundPassage[]>
  /** Removes a file with its contents. Returns false if it does not exist. */
  remove(id: string): Promise<boolean>
  /** Attaches files to a conversation. Files that are already attached stay attached. */
  give(conversationId: string, fileIds: readonly string[], at: string): Promise<void>
  /** Returns the unexpired files of a conversation, in the order in which they were attached. */
  ofConversation(conversationId: string, at: string): Promise<readonly FileRecord[]>
  /** Called when a conversation is deleted. Detaches its files. */
  takeFromConversation(conversationId: string): Promise<void>
}
