import type { AuditLogRecord, Message, Task } from '@parley/contract'
import type { Api } from '@parley/stage/service/api'

/** One task after the kills, and its faults. */
export interface JudgedTask {
  readonly title: string
  readonly status: Task['status']
  readonly attempts: number
  readonly calls: number
  readonly effects: number
  /** Calls that are stored with an unknown outcome. */
  readonly unknown: number
  readonly faults: readonly string[]
}

const unknownWords = /its outcome is unknown/

/** Checks a task through the API and compares it with the real effects of its tool. */
export async function judgeTask(
  api: Api,
  task: Task,
  effects: ReadonlyMap<string, number>,
): Promise<JudgedTask> {
  const key = /Work (\S+):/.exec(task.title)?.[1] ?? ''
  const messages = await messagesOf(api, task)
  const calls = messages.filter(({ role }) => role === 'tool')
  const unknown = calls.filter(({ content }) => unknownWords.test(content))
  const own = [...effects].filter(([name]) => name.startsWith(`${key}/`))
  const faults: string[] = []
  const expect = (isTrue: boolean, fault: string) => void (isTrue || faults.push(fault))

  expect(task.status === 'done' || task.status === 'failed', `it is ${task.status}`)
  expect(task.runStartedAt === null && task.nextRunAt === null, 'its run has not ended')
  expect(task.status !== 'done' || task.result !== null, 'it is done without a result')
  expect(task.status !== 'failed' || task.statusDetail !== null, 'it failed without a reason')
  for (const action of ['task.run.start', 'task.run.end'])
    expect((await recordsOf(api, task, action)) === 1, `the audit log does not have exactly one ${action}`)

  for (const [name, count] of own) expect(count === 1, `${name} ran ${count} times`)
  for (const [name] of own) {
    const made = calls.filter((call) => nameOf(call) === name)
    expect(made.length > 0, `${name} ran but no call of it is stored`)
    const isReported = made.some(({ status, content }) => status === 1 || unknownWords.test(content))
    expect(isReported, `${name} ran, but its call says otherwise`)
  }
  for (const call of calls)
    expect(call.status === 1 || call.status === 2, `a call still has status ${call.status}`)
  expect(answersOf(messages) <= 1, 'there are several answers')
  if (task.status === 'done') {
    const steps = [...new Set(unknown.map((call) => Number(nameOf(call).split('/')[1])))]
    const words = `Unknown: ${steps.sort((one, other) => one - other).join(', ') || 'none'}.`
    expect(
      task.result?.includes(words) === true,
      `the model should have said “${words}” but said “${task.result}”`,
    )
  }
  const { title, status, attempts } = task
  return {
    title,
    status,
    attempts,
    calls: calls.length,
    effects: own.length,
    unknown: unknown.length,
    faults,
  }
}

const nameOf = ({ arguments: given }: Message): string => {
  const { key, step } = JSON.parse(given ?? '{}') as { key: string; step: number }
  return `${key}/${step}`
}

/** Counts complete answers. Interrupted attempts have none. */
const answersOf = (messages: readonly Message[]) =>
  messages.filter(({ role, interrupted }) => role === 'assistant' && !interrupted).length

async function messagesOf(api: Api, { conversationId }: Task): Promise<readonly Message[]> {
  if (conversationId === null) return []
  const path = `/api/v1/Conversation/${conversationId}/message?Limit=200`
  return (await api.call<{ items: Message[] }>('GET', path)).items
}

async function recordsOf(api: Api, { id }: Task, action: string): Promise<number> {
  const page = await api.call<{ items: AuditLogRecord[] }>(
    'GET',
    `/api/v1/AuditLog?Action=${action}&Limit=200`,
  )
  return page.items.filter(({ resourceId }) => resourceId === id).length
}
