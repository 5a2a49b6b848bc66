import { z } from 'zod'
import { endUserFields } from './end-user.js'
import { id, nonBlankText, resourceFields, text, timestamp, timestampInput } from './field.js'
import { externalIdField } from './managed-fields.js'
import { pageOf, pageQuery } from './page.js'
import { e164 } from './phone-connection.js'
import { outputField, responseSchemaField } from './response-schema.js'
import { patchable, writable } from './writable.js'

export const TaskStatus = z
  .enum(['open', 'in_progress', 'done', 'failed', 'cancelled'])
  .describe('The status of the task.')

export type TaskStatus = z.output<typeof TaskStatus>

/** The allowed status transitions. Keeping the current status is always allowed. */
export const taskStatusSuccessors: Readonly<Record<TaskStatus, readonly TaskStatus[]>> = {
  open: ['in_progress', 'done', 'cancelled'],
  in_progress: ['open', 'done', 'failed', 'cancelled'],
  done: ['open'],
  failed: ['open', 'in_progress', 'cancelled'],
  cancelled: ['open'],
}

const priority = z.enum(['low', 'normal', 'high', 'urgent']).describe('The priority of the task.')

/** The maximum length of a stored result. The conversation contains the complete answer. */
export const maxResultCharacters = 100_000

const sharedFields = {
  title: nonBlankText(500).describe('The title of the task.'),
  description: text(20_000).nullable().default(null).describe('The full description of the task.'),
  status: TaskStatus.default('open'),
  agentId: id()
    .nullable()
    .default(null)
    .describe('The ID of the agent that the task is assigned to. `null` if it is not assigned to an agent.'),
  priority: priority.default('normal'),
  result: text(maxResultCharacters)
    .nullable()
    .default(null)
    .describe('The result of the task. `null` if there is none yet.'),
  schedule: nonBlankText(100)
    .nullable()
    .default(null)
    .describe(
      'The schedule of recurring runs, as a cron expression with five fields (minute, hour, day of month, month, day of week), for example `0 9 * * MON-FRI`. `null` if the task does not recur.',
    ),
  timeZone: nonBlankText(64)
    .default('UTC')
    .describe('The IANA time zone of the schedule, for example `Europe/Berlin`.'),
  responseSchema: responseSchemaField,
  ...endUserFields,
  channel: z
    .enum(['text', 'telephone'])
    .default('text')
    .describe(
      'How the agent works on the task: in text (`text`), or in an outgoing telephone call (`telephone`). A task with `telephone` requires the scope `call:make`.',
    ),
  to: e164()
    .nullable()
    .default(null)
    .describe(
      'The telephone number to call. If `null`, `externalUserId`, which must then be a telephone number. Only for `telephone`.',
    ),
  from: e164()
    .nullable()
    .default(null)
    .describe(
      'The telephone number to call from. It must be a phone number of the organization. Required for `telephone`.',
    ),
  maxAttempts: z.int().min(1).max(20).default(3).describe('The maximum number of attempts per run.'),
}

const upsertFields = {
  ...sharedFields,
  dueAt: timestampInput()
    .nullable()
    .default(null)
    .describe('When the task is due. `null` if it has no due date.'),
  runAt: timestampInput()
    .nullable()
    .default(null)
    .describe('When the agent starts the task. If `null`, the task runs on request or on its schedule.'),
  runDeadlineAt: timestampInput()
    .nullable()
    .default(null)
    .describe(
      'The deadline of the current run. It cannot exceed the maximum run duration of the deployment, which also applies if this is `null`. It is reset to `null` when the run ends.',
    ),
}

const inputFields = { ...upsertFields, externalId: externalIdField() }

/** The read-only fields of a task that describe its runs. */
const runFields = {
  conversationId: id()
    .nullable()
    .describe(
      'The ID of the conversation of the latest run. Before the first run, the ID of the conversation in which an agent created the task, or `null` if no agent created it.',
    ),
  sourceConversationId: id()
    .nullable()
    .describe(
      'The ID of the conversation in which an agent created the task. `null` if no agent created it.',
    ),
  turnId: id()
    .nullable()
    .describe(
      'The ID of the turn of the latest attempt. You can follow it like the turn of a question. `null` if there was no attempt.',
    ),
  phoneCallId: id()
    .nullable()
    .describe('The ID of the telephone call of the latest attempt. `null` if there was no call.'),
  output: outputField,
  attempts: z.int().min(0).describe('The number of attempts of the latest run.'),
  statusDetail: z
    .string()
    .nullable()
    .describe(
      'A description of the progress of the run, or of its result. `null` if there is nothing to report.',
    ),
  runStartedAt: timestamp()
    .nullable()
    .describe(
      'When the current run started (UTC). A run includes the pauses between its attempts. `null` if no run is active.',
    ),
  nextRunAt: timestamp()
    .nullable()
    .describe(
      'When the next run or attempt starts (UTC). `null` if none is planned, or while an attempt is running.',
    ),
  missedRuns: z
    .int()
    .min(0)
    .describe(
      'The number of scheduled runs that were skipped, either before the latest run or because it was still active.',
    ),
}

const readOnlyFields = [...Object.keys(resourceFields), ...Object.keys(runFields)]

const example = { title: 'Call the visitor back', priority: 'high', dueAt: '2030-01-31T09:00:00Z' }

export const Task = z
  .object({
    ...resourceFields,
    ...sharedFields,
    externalId: externalIdField(),
    dueAt: timestamp().nullable().describe('When the task is due (UTC). `null` if it has no due date.'),
    runAt: timestamp()
      .nullable()
      .describe(
        'When the agent starts the task (UTC), as requested. `nextRunAt` is the actual time of the next run.',
      ),
    runDeadlineAt: timestamp()
      .nullable()
      .describe('The deadline of the current run (UTC). `null` if no run is active and no deadline was set.'),
    ...runFields,
  })
  .meta({ id: 'Task', description: 'A unit of work, for a user or an agent.' })

export const TaskInput = writable(inputFields, readOnlyFields).meta({
  id: 'TaskInput',
  description: 'The parameters for creating or replacing a task.',
  examples: [example],
})

export const TaskUpsert = writable(upsertFields, [...readOnlyFields, 'externalId']).meta({
  id: 'TaskUpsert',
  description:
    'The parameters for creating or replacing a task by its external ID, which is part of the path.',
  examples: [{ ...example, status: 'in_progress' }],
})

export const TaskPatch = patchable(inputFields, readOnlyFields).meta({
  id: 'TaskPatch',
  description: 'A merge patch for a task.',
  examples: [{ status: 'in_progress' }],
})

export const TaskPage = pageOf(Task, 'Task')

export const TaskListQuery = z.strictObject({
  ...pageQuery,
  Status: TaskStatus.optional().describe('Only return tasks with this status.'),
  AgentId: id().optional().describe('Only return tasks of this agent.'),
  Search: text(200).optional().describe('Only return tasks whose title or description contains this text.'),
  DueBefore: timestampInput().optional().describe('Only return tasks due before this time.'),
})

export type Task = z.output<typeof Task>
export type TaskInput = z.output<typeof TaskInput>
export type TaskUpsert = z.output<typeof TaskUpsert>
export type TaskPatch = z.output<typeof TaskPatch>
export type TaskListQuery = z.output<typeof TaskListQuery>
