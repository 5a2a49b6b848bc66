import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type JobSessions, jobCall, startJobSessions } from '../../support/realtime/job-sessions.js'
import type { OpenSession } from '../../support/realtime/realtime-service.js'
import { roundTrip } from '../../support/realtime/session-traffic.js'
import {
  answered,
  committed,
  endedSession,
  messagesOf,
  patiently,
  transcribed,
} from '../../support/realtime/spoken-turns.js'
import { openSessionOf, playCalls, type ToolSession, takeOutput } from '../../support/realtime/tool-calls.js'

let jobs: JobSessions

beforeAll(async () => {
  jobs = await startJobSessions()
})

afterEach(() => jobs.finish())

afterAll(() => jobs.close())

async function leave({ client, ticket }: OpenSession): Promise<void> {
  client.socket.close()
  await client.inbox.closed
  await endedSession(jobs.running.client, ticket.conversationId)
}

/** Returns the items that a further session on the conversation replays to its provider. */
async function replayed({ agentId, ticket }: ToolSession): Promise<readonly Record<string, unknown>[]> {
  const { conversationId } = ticket
  const session = await openSessionOf(jobs.running, agentId, { conversationId })
  await roundTrip(session)
  await leave(session)
  return session.provider.inbox.all
    .map(({ data }) => JSON.parse(data.toString()))
    .filter(({ type }) => type === 'conversation.item.create')
    .map(({ item }) => item)
}

const callItem = { type: 'function_call', call_id: 'a', name: 'job', arguments: '{"id":"a"}' }
const outputItem = (output: string) => ({ type: 'function_call_output', call_id: 'a', output })

test('a tool that runs when the client leaves finishes and is stored, and later sessions replay it [TOOL-12]', async () => {
  const session = await jobs.open()
  const held = jobs.hold('a')
  playCalls(session.provider, 'r1', [jobCall('a')])
  await held.called
  await leave(session)
  const stored = () => messagesOf(jobs.running.client, session.ticket.conversationId)
  expect(await stored()).toMatchObject([{ callId: 'a', status: 0, content: '' }])
  // A call that still runs is replayed with an output, because providers reject calls without one.
  expect(await replayed(session)).toMatchObject([callItem, outputItem('The outcome of the call is unknown.')])
  jobs.timers.advance(2500)
  await held.give('found it')
  await expect
    .poll(stored, patiently)
    .toMatchObject([{ callId: 'a', status: 1, content: 'found it', executionTimeSeconds: 2.5 }])
  expect(await replayed(session)).toMatchObject([callItem, outputItem('found it')])
})

test('a tool that fails after the client has left is stored as failed', async () => {
  const session = await jobs.open()
  const held = jobs.hold('a')
  playCalls(session.provider, 'r1', [jobCall('a')])
  await held.called
  await leave(session)
  jobs.timers.advance(600_000)
  const stored = () => messagesOf(jobs.running.client, session.ticket.conversationId)
  await expect.poll(stored, patiently).toMatchObject([
    {
      callId: 'a',
      status: 2,
      executionTimeSeconds: 600,
      content: expect.stringContaining('within 600 seconds'),
    },
  ])
})

test('calls are replayed between the turns in which they were made, each before its output [RT-5] [TOOL-12]', async () => {
  const session = await jobs.open()
  const { client, provider } = session
  const held = jobs.hold('a')
  provider.send(committed('u1'))
  provider.send(transcribed('u1', 'Please do it.'))
  playCalls(provider, 'r1', [jobCall('a'), { callId: 'b', name: 'nonsense', arguments: '{}' }])
  await held.give('found it')
  for (const _ of ['a', 'b']) await takeOutput(provider)
  provider.send(answered('a1', 'It is done.'))
  await client.inbox.takeType('response.completed')
  await leave(session)
  const text = (role: string, words: string) => ({ type: 'message', role, content: [{ text: words }] })
  const items = await replayed(session)
  expect(items).toMatchObject([
    text('user', 'Please do it.'),
    callItem,
    outputItem('found it'),
    { type: 'function_call', call_id: 'b', name: 'nonsense' },
    { type: 'function_call_output', call_id: 'b', output: expect.stringContaining('does not exist') },
    text('assistant', 'It is done.'),
  ])
  expect(new Set(items.map(({ id }) => id)).size).toBe(items.length)
  // Replayed items are neither stored nor run again, so the next session replays the same ones.
  expect(await replayed(session)).toEqual(items)
})
