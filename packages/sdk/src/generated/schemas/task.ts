// Generated from the contract by `npm run generate`. Do not edit.

import type { Metadata, ResponseSchema } from '../schemas/question.js'
import type { Variables } from '../schemas/tool-trial.js'
import type { Page } from '../../rest/page.js'

/** One page of a list of `Task` objects. */
export type TaskPage = Page<Task>

/** A unit of work, for a user or an agent. */
export interface Task {
  /** The ID of the resource (UUID v7). */
  id: string
  /** When the resource was created (UTC). */
  createdAt: string
  /** When the resource was last updated (UTC). */
  updatedAt: string
  /** The title of the task. */
  title: string
  /** The full description of the task. */
  description: string | null
  /** The status of the task. */
  status: 'open' | 'in_progress' | 'done' | 'failed' | 'cancelled'
  /** The ID of the agent that the task is assigned to. `null` if it is not assigned to an agent. */
  agentId: string | null
  /** The priority of the task. */
  priority: 'low' | 'normal' | 'high' | 'urgent'
  /** The result of the task. `null` if there is none yet. */
  result: string | null
  /**
   * The schedule of recurring runs, as a cron expression with five fields (minute, hour, day of month, month,
   * day of week), for example `0 9 * * MON-FRI`. `null` if the task does not recur.
   */
  schedule: string | null
  /** The IANA time zone of the schedule, for example `Europe/Berlin`. */
  timeZone: string
  /**
   * A JSON Schema for the answer. `output` then contains a value that matches it, or the request fails with
   * `ResponseSchemaNotMet`. `null` if the answer is text.
   */
  responseSchema: ResponseSchema | null
  /** Your own ID of the end user. The first use creates the end user. `null` if the end user is anonymous. */
  externalUserId: string | null
  /** Metadata of the conversation. Later requests merge theirs into it. */
  metadata: Metadata
  /**
   * Values for `{{name}}` in the agent's instructions, first message and HTTP tools. The conversation keeps
   * them for later requests.
   */
  variables: Variables
  /**
   * How the agent works on the task: in text (`text`), or in an outgoing telephone call (`telephone`). A task
   * with `telephone` requires the scope `call:make`.
   */
  channel: 'text' | 'telephone'
  /**
   * The telephone number to call. If `null`, `externalUserId`, which must then be a telephone number. Only for
   * `telephone`.
   */
  to: string | null
  /**
   * The telephone number to call from. It must be a phone number of the organization. Required for
   * `telephone`.
   */
  from: string | null
  /** The maximum number of attempts per run. */
  maxAttempts: number
  /**
   * The ID of the resource in an external system. It must be unique within the organization. `null` if there
   * is none.
   */
  externalId: string | null
  /** When the task is due (UTC). `null` if it has no due date. */
  dueAt: string | null
  /** When the agent starts the task (UTC), as requested. `nextRunAt` is the actual time of the next run. */
  runAt: string | null
  /** The deadline of the current run (UTC). `null` if no run is active and no deadline was set. */
  runDeadlineAt: string | null
  /**
   * The ID of the conversation of the latest run. Before the first run, the ID of the conversation in which an
   * agent created the task, or `null` if no agent created it.
   */
  conversationId: string | null
  /** The ID of the conversation in which an agent created the task. `null` if no agent created it. */
  sourceConversationId: string | null
  /**
   * The ID of the turn of the latest attempt. You can follow it like the turn of a question. `null` if there
   * was no attempt.
   */
  turnId: string | null
  /** The ID of the telephone call of the latest attempt. `null` if there was no call. */
  phoneCallId: string | null
  /** The answer as a value that matches `responseSchema`. `null` if there is none. */
  output: Record<string, unknown> | null
  /** The number of attempts of the latest run. */
  attempts: number
  /** A description of the progress of the run, or of its result. `null` if there is nothing to report. */
  statusDetail: string | null
  /**
   * When the current run started (UTC). A run includes the pauses between its attempts. `null` if no run is
   * active.
   */
  runStartedAt: string | null
  /** When the next run or attempt starts (UTC). `null` if none is planned, or while an attempt is running. */
  nextRunAt: string | null
  /**
   * The number of scheduled runs that were skipped, either before the latest run or because it was still
   * active.
   */
  missedRuns: number
}

/** The parameters for creating or replacing a task. */
export interface TaskInput {
  /** The title of the task. */
  title: string
  /** The full description of the task. */
  description?: string | null | undefined
  /** The status of the task. Default: `"open"`. */
  status?: 'open' | 'in_progress' | 'done' | 'failed' | 'cancelled' | undefined
  /** The ID of the agent that the task is assigned to. `null` if it is not assigned to an agent. */
  agentId?: string | null | undefined
  /** The priority of the task. Default: `"normal"`. */
  priority?: 'low' | 'normal' | 'high' | 'urgent' | undefined
  /** The result of the task. `null` if there is none yet. */
  result?: string | null | undefined
  /**
   * The schedule of recurring runs, as a cron expression with five fields (minute, hour, day of month, month,
   * day of week), for example `0 9 * * MON-FRI`. `null` if the task does not recur.
   */
  schedule?: string | null | undefined
  /** The IANA time zone of the schedule, for example `Europe/Berlin`. Default: `"UTC"`. */
  timeZone?: string | undefined
  /**
   * A JSON Schema for the answer. `output` then contains a value that matches it, or the request fails with
   * `ResponseSchemaNotMet`. `null` if the answer is text.
   */
  responseSchema?: ResponseSchema | null | undefined
  /** Your own ID of the end user. The first use creates the end user. `null` if the end user is anonymous. */
  externalUserId?: string | null | undefined
  /** Metadata of the conversation. Later requests merge theirs into it. Default: `{}`. */
  metadata?: Metadata | undefined
  /**
   * Values for `{{name}}` in the agent's instructions, first message and HTTP tools. The conversation keeps
   * them for later requests. Default: `{}`.
   */
  variables?: Variables | undefined
  /**
   * How the agent works on the task: in text (`text`), or in an outgoing telephone call (`telephone`). A task
   * with `telephone` requires the scope `call:make`. Default: `"text"`.
   */
  channel?: 'text' | 'telephone' | undefined
  /**
   * The telephone number to call. If `null`, `externalUserId`, which must then be a telephone number. Only for
   * `telephone`.
   */
  to?: string | null | undefined
  /**
   * The telephone number to call from. It must be a phone number of the organization. Required for
   * `telephone`.
   */
  from?: string | null | undefined
  /** The maximum number of attempts per run. Default: `3`. */
  maxAttempts?: number | undefined
  /** When the task is due. `null` if it has no due date. */
  dueAt?: string | null | undefined
  /** When the agent starts the task. If `null`, the task runs on request or on its schedule. */
  runAt?: string | null | undefined
  /**
   * The deadline of the current run. It cannot exceed the maximum run duration of the deployment, which also
   * applies if this is `null`. It is reset to `null` when the run ends.
   */
  runDeadlineAt?: string | null | undefined
  /**
   * The ID of the resource in an external system. It must be unique within the organization. `null` if there
   * is none.
   */
  externalId?: string | null | undefined
}

/** A merge patch for a task. */
export interface TaskPatch {
  /** The title of the task. */
  title?: string | undefined
  /** The full description of the task. */
  description?: string | null | undefined
  /** The status of the task. */
  status?: 'open' | 'in_progress' | 'done' | 'failed' | 'cancelled' | undefined
  /** The ID of the agent that the task is assigned to. `null` if it is not assigned to an agent. */
  agentId?: string | null | undefined
  /** The priority of the task. */
  priority?: 'low' | 'normal' | 'high' | 'urgent' | undefined
  /** The result of the task. `null` if there is none yet. */
  result?: string | null | undefined
  /**
   * The schedule of recurring runs, as a cron expression with five fields (minute, hour, day of month, month,
   * day of week), for example `0 9 * * MON-FRI`. `null` if the task does not recur.
   */
  schedule?: string | null | undefined
  /** The IANA time zone of the schedule, for example `Europe/Berlin`. */
  timeZone?: string | undefined
  /**
   * A JSON Schema for the answer. `output` then contains a value that matches it, or the request fails with
   * `ResponseSchemaNotMet`. `null` if the answer is text.
   */
  responseSchema?: ResponseSchema | null | undefined
  /** Your own ID of the end user. The first use creates the end user. `null` if the end user is anonymous. */
  externalUserId?: string | null | undefined
  /** Metadata of the conversation. Later requests merge theirs into it. */
  metadata?: Metadata | undefined
  /**
   * Values for `{{name}}` in the agent's instructions, first message and HTTP tools. The conversation keeps
   * them for later requests.
   */
  variables?: Variables | undefined
  /**
   * How the agent works on the task: in text (`text`), or in an outgoing telephone call (`telephone`). A task
   * with `telephone` requires the scope `call:make`.
   */
  channel?: 'text' | 'telephone' | undefined
  /**
   * The telephone number to call. If `null`, `externalUserId`, which must then be a telephone number. Only for
   * `telephone`.
   */
  to?: string | null | undefined
  /**
   * The telephone number to call from. It must be a phone number of the organization. Required for
   * `telephone`.
   */
  from?: string | null | undefined
  /** The maximum number of attempts per run. */
  maxAttempts?: number | undefined
  /** When the task is due. `null` if it has no due date. */
  dueAt?: string | null | undefined
  /** When the agent starts the task. If `null`, the task runs on request or on its schedule. */
  runAt?: string | null | undefined
  /**
   * The deadline of the current run. It cannot exceed the maximum run duration of the deployment, which also
   * applies if this is `null`. It is reset to `null` when the run ends.
   */
  runDeadlineAt?: string | null | undefined
  /**
   * The ID of the resource in an external system. It must be unique within the organization. `null` if there
   * is none.
   */
  externalId?: string | null | undefined
}

/** The parameters for creating or replacing a task by its external ID, which is part of the path. */
export interface TaskUpsert {
  /** The title of the task. */
  title: string
  /** The full description of the task. */
  description?: string | null | undefined
  /** The status of the task. Default: `"open"`. */
  status?: 'open' | 'in_progress' | 'done' | 'failed' | 'cancelled' | undefined
  /** The ID of the agent that the task is assigned to. `null` if it is not assigned to an agent. */
  agentId?: string | null | undefined
  /** The priority of the task. Default: `"normal"`. */
  priority?: 'low' | 'normal' | 'high' | 'urgent' | undefined
  /** The result of the task. `null` if there is none yet. */
  result?: string | null | undefined
  /**
   * The schedule of recurring runs, as a cron expression with five fields (minute, hour, day of month, month,
   * day of week), for example `0 9 * * MON-FRI`. `null` if the task does not recur.
   */
  schedule?: string | null | undefined
  /** The IANA time zone of the schedule, for example `Europe/Berlin`. Default: `"UTC"`. */
  timeZone?: string | undefined
  /**
   * A JSON Schema for the answer. `output` then contains a value that matches it, or the request fails with
   * `ResponseSchemaNotMet`. `null` if the answer is text.
   */
  responseSchema?: ResponseSchema | null | undefined
  /** Your own ID of the end user. The first use creates the end user. `null` if the end user is anonymous. */
  externalUserId?: string | null | undefined
  /** Metadata of the conversation. Later requests merge theirs into it. Default: `{}`. */
  metadata?: Metadata | undefined
  /**
   * Values for `{{name}}` in the agent's instructions, first message and HTTP tools. The conversation keeps
   * them for later requests. Default: `{}`.
   */
  variables?: Variables | undefined
  /**
   * How the agent works on the task: in text (`text`), or in an outgoing telephone call (`telephone`). A task
   * with `telephone` requires the scope `call:make`. Default: `"text"`.
   */
  channel?: 'text' | 'telephone' | undefined
  /**
   * The telephone number to call. If `null`, `externalUserId`, which must then be a telephone number. Only for
   * `telephone`.
   */
  to?: string | null | undefined
  /**
   * The telephone number to call from. It must be a phone number of the organization. Required for
   * `telephone`.
   */
  from?: string | null | undefined
  /** The maximum number of attempts per run. Default: `3`. */
  maxAttempts?: number | undefined
  /** When the task is due. `null` if it has no due date. */
  dueAt?: string | null | undefined
  /** When the agent starts the task. If `null`, the task runs on request or on its schedule. */
  runAt?: string | null | undefined
  /**
   * The deadline of the current run. It cannot exceed the maximum run duration of the deployment, which also
   * applies if this is `null`. It is reset to `null` when the run ends.
   */
  runDeadlineAt?: string | null | undefined
}
