import { z } from 'zod'
import { answeredMoment, id, moment, nonBlankText, resourceFields, text } from './field.js'
import { externalIdField } from './kept-in-files.js'
import { pageOf, pageQuery } from './page.js'
import { patchable, writable } from './writable.js'

export const TaskStatus = z
  .enum(['open', 'in_progress', 'done', 'failed', 'cancelled'])
  .describe('The state of the task.')

export type TaskStatus = z.output<typeof TaskStatus>

/** The allowed changes of status. Keeping a status is always allowed. */
export const taskStatusSuccessors: Readonly<Record<TaskStatus, readonly TaskStatus[]>> = {
  open: ['in_progress', 'done', 'cancelled'],
  in_progress: ['open', 'done', 'failed', 'cancelled'],
  done: ['open'],
  failed: ['open', 'in_progress', 'cancelled'],
  cancelled: ['open'],
}

const priority = z.enum(['low', 'normal', 'high', 'urgent']).describe('The priority.')

/** The maximum length of a stored result. The conversation has the whole answer. */
export const maxResultCharacters = 100_000

const sharedFields = {
  title: nonBlankText(500).describe('The task in one line.'),
  description: text(20_000).nullable().default(null).describe('The full description.'),
  status: TaskStatus.default('open'),
  agentId: id().nullable().default(null).describe('The agent it is assigned to.'),
  priority: priority.default('normal'),
  result: text(maxResultCharacters).nullable().default(null).describe('The result.'),
  schedule: nonBlankText(100)
    .nullable()
    .default(null)
    .describe(
      'The schedule of repeated runs: five cron fields (minute, hour, day of month, month, day of week), for example `0 9 * * MON-FRI`. Null: no schedule.',
    ),
  timeZone: nonBlankText(64)
    .default('UTC')
    .describe('The IANA time zone of the schedule, for example `Europe/Berlin`.'),
  maxAttempts: z.int().min(1).max(20).default(3).describe('The maximum number of attempts of a run.'),
}

const upsertFields = {
  ...sharedFields,
  dueAt: moment().nullable().default(null).describe('The due date.'),
  runAt: moment()
    .nullable()
    .default(null)
    .describe('When the agent starts. Null: on request, or by the schedule.'),
  runDeadlineAt: moment()
    .nullable()
    .default(null)
    .describe(
      "The deadline of the current run, within the operator's maximum after its start. Null: that maximum. Cleared when the run ends.",
    ),
}

const inputFields = { ...upsertFields, externalId: externalIdField() }

/** Fields of a task that only the service sets. */
const runFields = {
  conversationId: id()
    .nullable()
    .describe(
      'The conversation of the newest run. Before the first run: the conversation in which an agent created the task, or null.',
    ),
  sourceConversationId: id()
    .nullable()
    .describe('The conversation in which an agent created the task. Null: created otherwise.'),
  turnId: id().nullable().describe("The turn of the newest attempt. It can be followed like a question's."),
  attempts: z.int().min(0).describe('The number of attempts of the newest run.'),
  statusDetail: z.string().nullable().describe('What the run is doing or waiting for, or how it ended.'),
  runStartedAt: answeredMoment()
    .nullable()
    .describe('When the current run began, including pauses between attempts. Null: no run is active.'),
  nextRunAt: answeredMoment()
    .nullable()
    .describe('When the next run or attempt begins. Null: none is planned, or an attempt is running.'),
  missedRuns: z
    .int()
    .min(0)
    .describe('The number of scheduled runs skipped before or because of the newest one.'),
}

const readOnlyFields = [...Object.keys(resourceFields), ...Object.keys(runFields)]

const example = { title: 'Call the visitor back', priority: 'high', dueAt: '2030-01-31T09:00:00Z' }

export const Task = z
  .object({
    ...resourceFields,
    ...sharedFields,
    externalId: externalIdField(),
    dueAt: answeredMoment().nullable().describe('The due date (UTC).'),
    runAt: answeredMoment().nullable().describe('When the agent starts (UTC). `nextRunAt` has the next run.'),
    runDeadlineAt: answeredMoment()
      .nullable()
      .describe('The deadline of the current run (UTC). Null: no run is active and none was set.'),
    ...runFields,
  })
  .meta({ id: 'Task', description: 'A piece of work, for a person or an agent.' })

export const TaskInput = writable(inputFields, readOnlyFields).meta({
  id: 'TaskInput',
  description: 'The body that creates or replaces a task.',
  examples: [example],
})

export const TaskUpsert = writable(upsertFields, [...readOnlyFields, 'externalId']).meta({
  id: 'TaskUpsert',
  description: 'The body that creates or replaces a task by its external id. The id is in the path.',
  examples: [{ ...example, status: 'in_progress' }],
})

export const TaskPatch = patchable(inputFields, readOnlyFields).meta({
  id: 'TaskPatch',
  description: 'A merge patch of a task.',
  examples: [{ status: 'in_progress' }],
})

export const TaskPage = pageOf(Task, 'Task')

export const TaskListQuery = z.strictObject({
  ...pageQuery,
  Status: TaskStatus.optional().describe('Only tasks with this status.'),
  AgentId: id().optional().describe('Only tasks of this agent.'),
  Search: text(200).optional().describe('Only tasks whose title or description contains this text.'),
  DueBefore: moment().optional().describe('Only tasks due before this time.'),
})

export type Task = z.output<typeof Task>
export type TaskInput = z.output<typeof TaskInput>
export type TaskUpsert = z.output<typeof TaskUpsert>
export type TaskPatch = z.output<typeof TaskPatch>
export type TaskListQuery = z.output<typeof TaskListQuery>
