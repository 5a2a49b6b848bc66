import type { Cost, QuestionAnswer, Rehearsal } from '@parley/contract'
import type { ResourceRecord } from './resource-store.js'

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
