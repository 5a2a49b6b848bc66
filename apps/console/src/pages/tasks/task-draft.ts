import type { Task, TaskInput } from '@parley/sdk'
import { toLocalInputValue } from '../../data/local-time'
import { isNumber, numberAdvice, plainNumber } from '../../data/telephone-number'

/** The form values of a task. An empty string means no value. */
export interface TaskForm {
  readonly title: string
  readonly description: string
  readonly status: Task['status']
  readonly priority: Task['priority']
  readonly agentId: string | null
  readonly channel: Task['channel']
  readonly to: string
  readonly from: string | null
  readonly dueAt: string
  readonly runAt: string
  readonly schedule: string
  readonly timeZone: string
  readonly externalId: string
  readonly result: string
}

export function valuesOf(task: Task | null): TaskForm {
  return {
    title: task?.title ?? '',
    description: task?.description ?? '',
    status: task?.status ?? 'open',
    priority: task?.priority ?? 'normal',
    agentId: task?.agentId ?? null,
    channel: task?.channel ?? 'text',
    to: task?.to ?? '',
    from: task?.from ?? null,
    dueAt: task?.dueAt ? toLocalInputValue(new Date(task.dueAt)) : '',
    runAt: task?.runAt ? toLocalInputValue(new Date(task.runAt)) : '',
    schedule: task?.schedule ?? '',
    timeZone: task?.timeZone ?? 'UTC',
    externalId: task?.externalId ?? '',
    result: task?.result ?? '',
  }
}

export function inputOf({ title, status, priority, agentId, channel, from, ...texts }: TaskForm): TaskInput {
  const orNull = (text: string) => (text === '' ? null : text)
  const momentOrNull = (text: string) => (text === '' ? null : new Date(text).toISOString())
  return {
    title,
    status,
    priority,
    agentId,
    channel,
    to: channel === 'telephone' ? orNull(plainNumber(texts.to)) : null,
    from: channel === 'telephone' ? from : null,
    description: orNull(texts.description),
    externalId: orNull(texts.externalId),
    result: orNull(texts.result),
    dueAt: momentOrNull(texts.dueAt),
    runAt: momentOrNull(texts.runAt),
    schedule: orNull(texts.schedule),
    timeZone: texts.timeZone || 'UTC',
  }
}

/** Returns the changed fields only, because a run may have changed the others. */
export function changedOf(after: TaskInput, before: TaskInput): Partial<TaskInput> {
  const names = Object.keys(after) as (keyof TaskInput)[]
  return Object.fromEntries(
    names.filter((name) => after[name] !== before[name]).map((name) => [name, after[name]]),
  )
}

/** Returns the number that a task calls without `to`, or null if there is none. */
export function calledOtherwise(task: Task | null): string | null {
  const id = task?.externalUserId ?? ''
  return isNumber(id) ? id : null
}

/** Returns the mistakes of the fields of a call. */
export function validateCall({ channel, to, from }: TaskForm, otherNumber: string | null) {
  if (channel === 'text') return {}
  const hasNumber = to.trim() === '' ? otherNumber !== null : isNumber(to)
  return {
    ...(!hasNumber && { to: numberAdvice }),
    ...(from === null && { from: 'A phone number is required' }),
  }
}
