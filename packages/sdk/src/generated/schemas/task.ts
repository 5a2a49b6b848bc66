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
  /** The task in one line. */
  title: string
  /** The full description. */
  description: string | null
  /** The state of the task. */
  status: 'open' | 'in_progress' | 'done' | 'failed' | 'cancelled'
  /** The agent it is assigned to. */
  agentId: string | null
  /** The priority. */
  priority: 'low' | 'normal' | 'high' | 'urgent'
  /** The result. */
  result: string | null
  /**
   * The schedule of repeated runs: five cron fields (minute, hour, day of month, month, day of week), for
   * example `0 9 * * MON-FRI`. Null: no schedule.
   */
  schedule: string | null
  /** The IANA time zone of the schedule, for example `Europe/Berlin`. */
  timeZone: string
  /** The maximum number of attempts of a run. */
  maxAttempts: number
  /** The id in another system, unique in the organization. */
  externalId: string | null
  /** The due date (UTC). */
  dueAt: string | null
  /** When the agent starts (UTC). `nextRunAt` has the next run. */
  runAt: string | null
  /** The deadline of the current run (UTC). Null: no run is active and none was set. */
  runDeadlineAt: string | null
  /**
   * The conversation of the newest run. Before the first run: the conversation in which an agent created the
   * task, or null.
   */
  conversationId: string | null
  /** The conversation in which an agent created the task. Null: created otherwise. */
  sourceConversationId: string | null
  /** The turn of the newest attempt. It can be followed like a question's. */
  turnId: string | null
  /** The number of attempts of the newest run. */
  attempts: number
  /** What the run is doing or waiting for, or how it ended. */
  statusDetail: string | null
  /** When the current run began, including pauses between attempts. Null: no run is active. */
  runStartedAt: string | null
  /** When the next run or attempt begins. Null: none is planned, or an attempt is running. */
  nextRunAt: string | null
  /** The number of scheduled runs skipped before or because of the newest one. */
  missedRuns: number
}

/** The body that creates or replaces a task. */
export interface TaskInput {
  /** The task in one line. */
  title: string
  /** The full description. */
  description?: string | null | undefined
  /** The state of the task. Default: `"open"`. */
  status?: 'open' | 'in_progress' | 'done' | 'failed' | 'cancelled' | undefined
  /** The agent it is assigned to. */
  agentId?: string | null | undefined
  /** The priority. Default: `"normal"`. */
  priority?: 'low' | 'normal' | 'high' | 'urgent' | undefined
  /** The result. */
  result?: string | null | undefined
  /**
   * The schedule of repeated runs: five cron fields (minute, hour, day of month, month, day of week), for
   * example `0 9 * * MON-FRI`. Null: no schedule.
   */
  schedule?: string | null | undefined
  /** The IANA time zone of the schedule, for example `Europe/Berlin`. Default: `"UTC"`. */
  timeZone?: string | undefined
  /** The maximum number of attempts of a run. Default: `3`. */
  maxAttempts?: number | undefined
  /** The due date. */
  dueAt?: string | null | undefined
  /** When the agent starts. Null: on request, or by the schedule. */
  runAt?: string | null | undefined
  /**
   * The deadline of the current run, within the operator's maximum after its start. Null: that maximum.
   * Cleared when the run ends.
   */
  runDeadlineAt?: string | null | undefined
  /** The id in another system, unique in the organization. */
  externalId?: string | null | undefined
}

/** A merge patch of a task. */
export interface TaskPatch {
  /** The task in one line. */
  title?: string | undefined
  /** The full description. */
  description?: string | null | undefined
  /** The state of the task. */
  status?: 'open' | 'in_progress' | 'done' | 'failed' | 'cancelled' | undefined
  /** The agent it is assigned to. */
  agentId?: string | null | undefined
  /** The priority. */
  priority?: 'low' | 'normal' | 'high' | 'urgent' | undefined
  /** The result. */
  result?: string | null | undefined
  /**
   * The schedule of repeated runs: five cron fields (minute, hour, day of month, month, day of week), for
   * example `0 9 * * MON-FRI`. Null: no schedule.
   */
  schedule?: string | null | undefined
  /** The IANA time zone of the schedule, for example `Europe/Berlin`. */
  timeZone?: string | undefined
  /** The maximum number of attempts of a run. */
  maxAttempts?: number | undefined
  /** The due date. */
  dueAt?: string | null | undefined
  /** When the agent starts. Null: on request, or by the schedule. */
  runAt?: string | null | undefined
  /**
   * The deadline of the current run, within the operator's maximum after its start. Null: that maximum.
   * Cleared when the run ends.
   */
  runDeadlineAt?: string | null | undefined
  /** The id in another system, unique in the organization. */
  externalId?: string | null | undefined
}

/** The body that creates or replaces a task by its external id. The id is in the path. */
export interface TaskUpsert {
  /** The task in one line. */
  title: string
  /** The full description. */
  description?: string | null | undefined
  /** The state of the task. Default: `"open"`. */
  status?: 'open' | 'in_progress' | 'done' | 'failed' | 'cancelled' | undefined
  /** The agent it is assigned to. */
  agentId?: string | null | undefined
  /** The priority. Default: `"normal"`. */
  priority?: 'low' | 'normal' | 'high' | 'urgent' | undefined
  /** The result. */
  result?: string | null | undefined
  /**
   * The schedule of repeated runs: five cron fields (minute, hour, day of month, month, day of week), for
   * example `0 9 * * MON-FRI`. Null: no schedule.
   */
  schedule?: string | null | undefined
  /** The IANA time zone of the schedule, for example `Europe/Berlin`. Default: `"UTC"`. */
  timeZone?: string | undefined
  /** The maximum number of attempts of a run. Default: `3`. */
  maxAttempts?: number | undefined
  /** The due date. */
  dueAt?: string | null | undefined
  /** When the agent starts. Null: on request, or by the schedule. */
  runAt?: string | null | undefined
  /**
   * The deadline of the current run, within the operator's maximum after its start. Null: that maximum.
   * Cleared when the run ends.
   */
  runDeadlineAt?: string | null | undefined
}
