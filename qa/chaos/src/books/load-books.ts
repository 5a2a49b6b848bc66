/*
 * What the load was told: each line is something that the service has acknowledged, and must now hold. Moments are
 * milliseconds of this machine's time.
 */

/** Words whose storage the service has announced. */
export interface AnnouncedTurn {
  readonly messageId: string
  readonly role: 'user' | 'assistant'
  /** Of a user's words, which the event carries. */
  readonly content: string | null
  readonly at: number
}

/** One socket, from its opening to its close. */
export interface SessionEntry {
  /** `u3s2`: the second session of the third user. */
  readonly key: string
  readonly tenant: number
  readonly conversationId: string
  readonly openedAt: number
  readonly turns: readonly AnnouncedTurn[]
  readonly closedAt: number | null
  readonly closeCode: number | null
  /** Whether the user ended it, and not the service. */
  readonly isLeft: boolean
}

export interface DecisionEntry {
  readonly tenant: number
  readonly conversationId: string
  readonly callId: string
  readonly decision: 'approve' | 'reject'
  readonly by: 'socket' | 'http'
  /** Null where nobody said that it counts. */
  readonly acknowledgedAt: number | null
  /** Until when the call was said to wait; null where that is not known. */
  readonly deadlineAt: number | null
  /** When it was refused because nothing waits; null where it was not. */
  readonly refusedAt: number | null
}

export interface QuestionEntry {
  readonly key: string
  readonly tenant: number
  readonly conversationId: string
  readonly turnId: string
  readonly startedAt: number
  /** The words that came, in the order they came. */
  readonly text: string
  /** How its last event called it; null where it never came. */
  readonly end: 'completed' | 'error' | null
  readonly endedAt: number | null
  /** Events that were missing, repeated or out of order. */
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

/** An answer that nothing excuses: a server error that is none of an outage, or a refusal of what is right. */
export interface StrangeAnswer {
  readonly what: string
  readonly at: number
}

export interface LoadBooks {
  readonly sessions: readonly SessionEntry[]
  readonly decisions: readonly DecisionEntry[]
  readonly questions: readonly QuestionEntry[]
  readonly files: readonly FileEntry[]
  readonly tasks: readonly TaskEntry[]
  readonly strange: readonly StrangeAnswer[]
  /** How often what was answered or happened to calls: a status, or the code of an error. */
  readonly answers: Readonly<Record<string, number>>
}
