/*
 * The load's record of what the service acknowledged. The service must now hold all of it. Times are
 * milliseconds of this machine's clock.
 */

/** A turn that the service has announced as stored. */
export interface AnnouncedTurn {
  readonly messageId: string
  readonly role: 'user' | 'assistant'
  /** The words of the user, which the event carries, or null for the assistant. */
  readonly content: string | null
  readonly at: number
}

/** One socket from open to close. */
export interface SessionEntry {
  /** `u3s2`: the second session of the third user. */
  readonly key: string
  readonly tenant: number
  readonly conversationId: string
  readonly openedAt: number
  readonly turns: readonly AnnouncedTurn[]
  readonly closedAt: number | null
  readonly closeCode: number | null
  /** Whether the user ended the session, and not the service. */
  readonly isLeft: boolean
}

export interface DecisionEntry {
  readonly tenant: number
  readonly conversationId: string
  readonly callId: string
  readonly decision: 'approve' | 'reject'
  readonly by: 'socket' | 'http'
  /** Null if the decision was not acknowledged. */
  readonly acknowledgedAt: number | null
  /** The announced deadline of the call, or null if it is unknown. */
  readonly deadlineAt: number | null
  /** When the decision was rejected because no call waits, or null. */
  readonly rejectedAt: number | null
}

export interface QuestionEntry {
  readonly key: string
  readonly tenant: number
  readonly conversationId: string
  readonly turnId: string
  readonly startedAt: number
  /** The received words, in order. */
  readonly text: string
  /** The type of the last event, or null if it did not arrive. */
  readonly end: 'completed' | 'error' | null
  readonly endedAt: number | null
  /** Missing, repeated or disordered events. */
  readonly faults: readonly string[]
}

export interface FileEntry {
  readonly tenant: number
  readonly id: string
  readonly hash: string
  readonly acceptedAt: number
}

export interface TaskEntry {
  readonly tenant: number
  readonly id: string
  readonly key: string
  readonly acceptedAt: number
}

/** An answer without an excuse: a server error outside an outage, or the rejection of a valid request. */
export interface UnexpectedResponse {
  readonly what: string
  readonly at: number
}

export interface ClientRecords {
  readonly sessions: readonly SessionEntry[]
  readonly decisions: readonly DecisionEntry[]
  readonly questions: readonly QuestionEntry[]
  readonly files: readonly FileEntry[]
  readonly tasks: readonly TaskEntry[]
  readonly strange: readonly UnexpectedResponse[]
  /** Counts of the answers to calls, by status or error code. */
  readonly answers: Readonly<Record<string, number>>
}
