import type { AuditLogRecord, Page, Task } from '@parley/contract'
import { v7 as uuid } from 'uuid'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type RealtimeTestService, startRealtimeService } from '../../support/realtime/realtime-service.js'
import { requestsAfterAll } from '../../support/realtime/session-traffic.js'
import {
  openToolSession,
  playCalls,
  type ToolSession,
  takeOutput,
} from '../../support/realtime/tool-calls.js'
import { makeTestClock } from '../../support/test-clock.js'

let running: RealtimeTestService

beforeAll(async () => {
  running = await startRealtimeService({ clock: makeTestClock(new Date('2030-07-01T22:30:00.000Z')) })
})

afterAll(() => running.close())

const tools = [
  { kind: 'builtin', name: 'clock', builtin: 'current_time' },
  { kind: 'builtin', name: 'note_down', builtin: 'create_task', description: 'Notes something down.' },
  { kind: 'builtin', name: 'look_up', builtin: 'search_files' },
]

interface Answer {
  readonly session: ToolSession
  readonly output: string
  readonly status: unknown
}

/** Lets the model call one of the tools in a new session. */
async function call(name: string, given: object): Promise<Answer> {
  const session = await openToolSession(running, { name: 'Clerk', tools })
  playCalls(session.provider, 'r1', [{ callId: 'c', name, arguments: JSON.stringify(given) }])
  const { output } = await takeOutput(session.provider)
  const done = await session.client.inbox.takeType('response.function_invocation.done')
  expect(await requestsAfterAll(session)).toEqual(['output c', 'create'])
  session.client.socket.close()
  return { session, output, status: (done.data as { status: number }).status }
}

test('built-in tools are offered to the provider with their own names and schemas [TOOL-10]', async () => {
  const { provider, client } = await openToolSession(running, { tools })
  const update = JSON.parse(provider.inbox.all[0]?.data.toString() ?? '')
  expect(update.session.tools).toMatchObject([
    { name: 'clock', parameters: { properties: { timeZone: { type: 'string' } } } },
    { name: 'note_down', description: 'Notes something down.', parameters: { required: ['title'] } },
    { name: 'look_up', parameters: { required: ['query'] } },
  ])
  client.socket.close()
})

describe('current_time', () => {
  test.each([
    ['UTC if no time zone is given', {}, 'UTC', 'Monday 1 July 2030', '22:30'],
    [
      'the day and hour in a time zone',
      { timeZone: 'Asia/Tokyo' },
      'Asia/Tokyo',
      'Tuesday 2 July 2030',
      '07:30',
    ],
    ['summer time', { timeZone: 'Europe/Berlin' }, 'Europe/Berlin', 'Tuesday 2 July 2030', '00:30'],
  ])('returns %s [TOOL-10]', async (_, given, timeZone, day, hour) => {
    const { output, status } = await call('clock', given)
    expect(status).toBe(1)
    expect(output.replace(',', '')).toContain(day)
    expect(output).toContain(`${hour} (${timeZone})`)
  })

  test('explains that a time zone does not exist [TOOL-10]', async () => {
    const { output, status } = await call('clock', { timeZone: 'Mars/Olympus' })
    expect(status).toBe(2)
    expect(output).toMatch(/Mars\/Olympus is not a valid time zone/)
  })
})

describe('create_task', () => {
  test('creates a task of the conversation in the name of the agent [TOOL-10]', async () => {
    const given = { title: 'Call back', description: 'About the roof.', dueAt: '2030-07-03T10:00:00Z' }
    // The model cannot choose the conversation.
    const { session, output, status } = await call('note_down', { ...given, conversationId: uuid() })
    expect(status).toBe(1)
    const { id } = JSON.parse(output) as { id: string }
    const { body: task } = await running.client.call<Task>('GET', `/api/v1/Task/${id}`)
    expect(task).toMatchObject({
      ...{ id, title: 'Call back', description: 'About the roof.', dueAt: '2030-07-03T10:00:00.000Z' },
      conversationId: session.ticket.conversationId,
    })
    const path = '/api/v1/AuditLog?Action=task.create'
    const { body } = await running.client.call<Page<AuditLogRecord>>('GET', path)
    expect(body.items.filter(({ resourceId }) => resourceId === id)).toMatchObject([
      { actor: { type: 'agent', id: session.agentId, name: 'Clerk' }, outcome: 'success', requestId: null },
    ])
  })

  test.each([
    ['an invalid date', { title: 'Call back', dueAt: 'tomorrow' }, /dueAt/],
    ['a blank title', { title: '  ' }, /title/],
    ['no title', {}, /title/],
    ['an unknown field', { title: 'Call back', colour: 'red' }, /colour/],
  ])('rejects %s and gives the reason [TOOL-10]', async (_, given, why) => {
    const before = await running.client.call<Page<Task>>('GET', '/api/v1/Task')
    const { output, status } = await call('note_down', given)
    expect(status).toBe(2)
    expect(output).toMatch(why)
    const after = await running.client.call<Page<Task>>('GET', '/api/v1/Task')
    expect(after.body.items).toEqual(before.body.items)
  })
})

test('search_files reports that a conversation has no files [TOOL-10]', async () => {
  const { output, status } = await call('look_up', { query: 'roof' })
  expect([status, output]).toEqual([1, 'This conversation has no files.'])
})
