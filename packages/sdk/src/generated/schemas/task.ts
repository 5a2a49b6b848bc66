// Generated from the contract by `npm run generate`. What is changed here is lost.

import type { Page } from '../../rest/page.js'

/** One page of a list of Task items. */
export type TaskPage = Page<Task>

/** A piece of work, for a person or an agent. */
export interface Task {
  /** The resource id (UUID v7). */
  id: string
  /** When it was created (UTC). */
  createdAt: string
  /** When it last changed (UTC). */
  updatedAt: string
  /** What is to be done, in one line. */
  title: string
  /** What is to be done, in full. */
  description: string | null
  /** How far the task has come. */
  status: 'open' | 'in_progress' | 'done' | 'failed' | 'cancelled'
  /** The agent it is assigned to. */
  agentId: string | null
  /** How pressing it is. */
  priority: 'low' | 'normal' | 'high' | 'urgent'
  /** What came of it. */
  result: string | null
  /**
   * When it runs again and again: five fields of cron (minute, hour, day of month, month, day of week), for
   * example `0 9 * * MON-FRI`; null: not by itself.
   */
  schedule: string | null
  /** The IANA time zone that the schedule is meant in, for example `Europe/Berlin`. */
  timeZone: string
  /** How often a run is attempted before it has failed. */
  maxAttempts: number
  /** Its id in another system, unique in the organization. */
  externalId: string | null
  /** When it should be finished (UTC). */
  dueAt: string | null
  /** When its agent was to begin with it (UTC); the next run is at `nextRunAt`. */
  runAt: string | null
  /** By when its run must have ended (UTC); null where none goes on and nobody has said. */
  runDeadlineAt: string | null
  /** The conversation of its newest run; before its first run the one in which an agent made it, or null. */
  conversationId: string | null
  /** The conversation in which an agent made it; null where it was made otherwise. */
  sourceConversationId: string | null
  /** The turn of its newest attempt, which can be followed like that of a question. */
  turnId: string | null
  /** How many attempts of its newest run have begun. */
  attempts: number
  /** What its run is doing or waiting for, or how it ended, in words. */
  statusDetail: string | null
  /** When the run that goes on began, pauses between its attempts included; null where none does. */
  runStartedAt: string | null
  /** When its next run or attempt begins; null where none is planned, or an attempt is under way. */
  nextRunAt: string | null
  /** How many runs of its schedule were left out because of its newest one, or before it. */
  missedRuns: number
}

/** A task as it is created or replaced. */
export interface TaskInput {
  /** What is to be done, in one line. */
  title: string
  /** What is to be done, in full. */
  description?: string | null | undefined
  /** How far the task has come. Default: `"open"`. */
  status?: 'open' | 'in_progress' | 'done' | 'failed' | 'cancelled' | undefined
  /** The agent it is assigned to. */
  agentId?: string | null | undefined
  /** How pressing it is. Default: `"normal"`. */
  priority?: 'low' | 'normal' | 'high' | 'urgent' | undefined
  /** What came of it. */
  result?: string | null | undefined
  /**
   * When it runs again and again: five fields of cron (minute, hour, day of month, month, day of week), for
   * example `0 9 * * MON-FRI`; null: not by itself.
   */
  schedule?: string | null | undefined
  /** The IANA time zone that the schedule is meant in, for example `Europe/Berlin`. Default: `"UTC"`. */
  timeZone?: string | undefined
  /** How often a run is attempted before it has failed. Default: `3`. */
  maxAttempts?: number | undefined
  /** When it should be finished. */
  dueAt?: string | null | undefined
  /** When its agent begins to work it; null: when somebody asks for it, or by its schedule. */
  runAt?: string | null | undefined
  /**
   * By when its run must have ended, at most as long after its start as the operator allows; null: exactly so
   * long. Cleared when the run has ended.
   */
  runDeadlineAt?: string | null | undefined
  /** Its id in another system, unique in the organization. */
  externalId?: string | null | undefined
}

/** A merge patch of a task. */
export interface TaskPatch {
  /** What is to be done, in one line. */
  title?: string | undefined
  /** What is to be done, in full. */
  description?: string | null | undefined
  /** How far the task has come. */
  status?: 'open' | 'in_progress' | 'done' | 'failed' | 'cancelled' | undefined
  /** The agent it is assigned to. */
  agentId?: string | null | undefined
  /** How pressing it is. */
  priority?: 'low' | 'normal' | 'high' | 'urgent' | undefined
  /** What came of it. */
  result?: string | null | undefined
  /**
   * When it runs again and again: five fields of cron (minute, hour, day of month, month, day of week), for
   * example `0 9 * * MON-FRI`; null: not by itself.
   */
  schedule?: string | null | undefined
  /** The IANA time zone that the schedule is meant in, for example `Europe/Berlin`. */
  timeZone?: string | undefined
  /** How often a run is attempted before it has failed. */
  maxAttempts?: number | undefined
  /** When it should be finished. */
  dueAt?: string | null | undefined
  /** When its agent begins to work it; null: when somebody asks for it, or by its schedule. */
  runAt?: string | null | undefined
  /**
   * By when its run must have ended, at most as long after its start as the operator allows; null: exactly so
   * long. Cleared when the run has ended.
   */
  runDeadlineAt?: string | null | undefined
  /** Its id in another system, unique in the organization. */
  externalId?: string | null | undefined
}

/** A task as another system states it; its external id stands in the path. */
export interface TaskUpsert {
  /** What is to be done, in one line. */
  title: string
  /** What is to be done, in full. */
  description?: string | null | undefined
  /** How far the task has come. Default: `"open"`. */
  status?: 'open' | 'in_progress' | 'done' | 'failed' | 'cancelled' | undefined
  /** The agent it is assigned to. */
  agentId?: string | null | undefined
  /** How pressing it is. Default: `"normal"`. */
  priority?: 'low' | 'normal' | 'high' | 'urgent' | undefined
  /** What came of it. */
  result?: string | null | undefined
  /**
   * When it runs again and again: five fields of cron (minute, hour, day of month, month, day of week), for
   * example `0 9 * * MON-FRI`; null: not by itself.
   */
  schedule?: string | null | undefined
  /** The IANA time zone that the schedule is meant in, for example `Europe/Berlin`. Default: `"UTC"`. */
  timeZone?: string | undefined
  /** How often a run is attempted before it has failed. Default: `3`. */
  maxAttempts?: number | undefined
  /** When it should be finished. */
  dueAt?: string | null | undefined
  /** When its agent begins to work it; null: when somebody asks for it, or by its schedule. */
  runAt?: string | null | undefined
  /**
   * By when its run must have ended, at most as long after its start as the operator allows; null: exactly so
   * long. Cleared when the run has ended.
   */
  runDeadlineAt?: string | null | undefined
}
