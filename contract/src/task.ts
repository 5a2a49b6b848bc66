import { z } from 'zod'
import { answeredMoment, id, moment, nonBlankText, resourceFields, text } from './field.js'
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

const externalId = nonBlankText(200)

const sharedFields = {
  title: nonBlankText(500).describe('What is to be done, in one line.'),
  description: text(20_000).nullable().default(null).describe('What is to be done, in full.'),
  status: TaskStatus.default('open'),
  agentId: id().nullable().default(null).describe('The agent it is assigned to.'),
  priority: priority.default('normal'),
  result: text(100_000).nullable().default(null).describe('What came of it.'),
}

const externalIdField = externalId
  .nullable()
  .default(null)
  .describe('Its id in another system, unique in the organization.')

const upsertFields = {
  ...sharedFields,
  dueAt: moment().nullable().default(null).describe('When it should be finished.'),
}

const inputFields = { ...upsertFields, externalId: externalIdField }

const readOnlyFields = [...Object.keys(resourceFields), 'conversationId']

const example = { title: 'Call the visitor back', priority: 'high', dueAt: '2030-01-31T09:00:00Z' }

export const Task = z
  .object({
    ...resourceFields,
    ...sharedFields,
    externalId: externalIdField,
    dueAt: answeredMoment().nullable().describe('When it should be finished (UTC).'),
    conversationId: id()
      .nullable()
      .describe('The conversation in which an agent made it; null where it was made otherwise.'),
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

export const ExternalId = externalId

export type Task = z.output<typeof Task>
export type TaskInput = z.output<typeof TaskInput>
export type TaskUpsert = z.output<typeof TaskUpsert>
export type TaskPatch = z.output<typeof TaskPatch>
export type TaskListQuery = z.output<typeof TaskListQuery>
