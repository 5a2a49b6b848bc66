import { z } from 'zod'
import { answeredMoment, id, moment, nonBlankText, resourceFields, text } from './field.js'
import { externalIdField } from './kept-in-files.js'
import { pageOf, pageQuery } from './page.js'
import { patchable, writable } from './writable.js'

export const TaskStatus = z
  .enum(['open', 'in_progress', 'done', 'failed', 'cancelled'])
  .describe('How far the task has come.')

export type TaskStatus = z.output<typeof TaskStatus>

/** Which status may follow which. Staying where one is is always possible. */
export const taskStatusSuccessors: Readonly<Record<TaskStatus, readonly TaskStatus[]>> = {
  open: ['in_progress', 'done', 'cancelled'],
  in_progress: ['open', 'done', 'failed', 'cancelled'],
  done: ['open'],
  failed: ['open', 'in_progress', 'cancelled'],
  cancelled: ['open'],
}

const priority = z.enum(['low', 'normal', 'high', 'urgent']).describe('How pressing it is.')

/** Of an answer that is longer the task keeps so much; the conversation has all of it. */
export const maxResultCharacters = 100_000

const sharedFields = {
  title: nonBlankText(500).describe('What is to be done, in one line.'),
  description: text(20_000).nullable().default(null).describe('What is to be done, in full.'),
  status: TaskStatus.default('open'),
  agentId: id().nullable().default(null).describe('The agent it is assigned to.'),
  priority: priority.default('normal'),
  result: text(maxResultCharacters).nullable().default(null).describe('What came of it.'),
  schedule: nonBlankText(100)
    .nullable()
    .default(null)
    .describe(
      'When it runs again and again: five fields of cron (minute, hour, day of month, month, day of week), for example `0 9 * * MON-FRI`; null: not by itself.',
    ),
  timeZone: nonBlankText(64)
    .default('UTC')
    .describe('The IANA time zone that the schedule is meant in, for example `Europe/Berlin`.'),
  maxAttempts: z
    .int()
    .min(1)
    .max(20)
    .default(3)
    .describe('How often a run is attempted before it has failed.'),
}

const upsertFields = {
  ...sharedFields,
  dueAt: moment().nullable().default(null).describe('When it should be finished.'),
  runAt: moment()
    .nullable()
    .default(null)
    .describe('When its agent begins to work it; null: when somebody asks for it, or by its schedule.'),
  runDeadlineAt: moment()
    .nullable()
    .default(null)
    .describe(
      'By when its run must have ended, at most as long after its start as the operator allows; null: exactly so long. Cleared when the run has ended.',
    ),
}

const inputFields = { ...upsertFields, externalId: externalIdField() }

/** What the service says of a task, and nobody else. */
const runFields = {
  conversationId: id()
    .nullable()
    .describe(
      'The conversation of its newest run; before its first run the one in which an agent made it, or null.',
    ),
  sourceConversationId: id()
    .nullable()
    .describe('The conversation in which an agent made it; null where it was made otherwise.'),
  turnId: id()
    .nullable()
    .describe('The turn of its newest attempt, which can be followed like that of a question.'),
  attempts: z.int().min(0).describe('How many attempts of its newest run have begun.'),
  statusDetail: z
    .string()
    .nullable()
    .describe('What its run is doing or waiting for, or how it ended, in words.'),
  runStartedAt: answeredMoment()
    .nullable()
    .describe('When the run that goes on began, pauses between its attempts included; null where none does.'),
  nextRunAt: answeredMoment()
    .nullable()
    .describe('When its next run or attempt begins; null where none is planned, or an attempt is under way.'),
  missedRuns: z
    .int()
    .min(0)
    .describe('How many runs of its schedule were left out because of its newest one, or before it.'),
}

const readOnlyFields = [...Object.keys(resourceFields), ...Object.keys(runFields)]

const example = { title: 'Call the visitor back', priority: 'high', dueAt: '2030-01-31T09:00:00Z' }

export const Task = z
  .object({
    ...resourceFields,
    ...sharedFields,
    externalId: externalIdField(),
    dueAt: answeredMoment().nullable().describe('When it should be finished (UTC).'),
    runAt: answeredMoment()
      .nullable()
      .describe('When its agent was to begin with it (UTC); the next run is at `nextRunAt`.'),
    runDeadlineAt: answeredMoment()
      .nullable()
      .describe('By when its run must have ended (UTC); null where none goes on and nobody has said.'),
    ...runFields,
  })
  .meta({ id: 'Task', description: 'A piece of work, for a person or an agent.' })

export const TaskInput = writable(inputFields, readOnlyFields).meta({
  id: 'TaskInput',
  description: 'A task as it is created or replaced.',
  examples: [example],
})

export const TaskUpsert = writable(upsertFields, [...readOnlyFields, 'externalId']).meta({
  id: 'TaskUpsert',
  description: 'A task as another system states it; its external id stands in the path.',
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
  Status: TaskStatus.optional().describe('Only tasks of this status.'),
  AgentId: id().optional().describe('Only tasks of this agent.'),
  Search: text(200).optional().describe('Only tasks whose title or description holds this text.'),
  DueBefore: moment().optional().describe('Only tasks due before this moment.'),
})

export type Task = z.output<typeof Task>
export type TaskInput = z.output<typeof TaskInput>
export type TaskUpsert = z.output<typeof TaskUpsert>
export type TaskPatch = z.output<typeof TaskPatch>
export type TaskListQuery = z.output<typeof TaskListQuery>
