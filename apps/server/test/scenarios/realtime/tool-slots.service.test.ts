import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type JobSessions, jobCall, startJobSessions } from '../../support/realtime/job-sessions.js'
import { requestsAfterAll, roundTrip } from '../../support/realtime/session-traffic.js'
import { messagesOf, patiently } from '../../support/realtime/spoken-turns.js'
import { playCalls, takeOutput } from '../../support/realtime/tool-calls.js'

const atATime = 8

let jobs: JobSessions

beforeAll(async () => {
  jobs = await startJobSessions()
})

afterEach(() => jobs.finish())

afterAll(() => jobs.close())

const names = Array.from({ length: 12 }, (_, index) => `job${index}`)

test('eight of twelve calls run at a time, and all are answered [TOOL-11]', async () => {
  const session = await jobs.open()
  const held = names.map((name) => jobs.hold(name))
  playCalls(session.provider, 'r1', names.map(jobCall))
  await Promise.all(held.slice(0, atATime).map(({ called }) => called))
  await roundTrip(session)
  expect(jobs.tools.requests).toHaveLength(atATime)
  for (const [finished, answer] of held.entries()) {
    await answer.give('done')
    expect((await takeOutput(session.provider)).callId).toBe(names[finished])
    const begun = Math.min(names.length, atATime + finished + 1)
    await expect.poll(() => jobs.tools.requests.length, patiently).toBe(begun)
  }
  expect(await requestsAfterAll(session)).toEqual([...names.map((name) => `output ${name}`), 'create'])
  const stored = () => messagesOf(jobs.running.client, session.ticket.conversationId)
  await expect
    .poll(async () => (await stored()).map(({ callId, status }) => `${callId} ${status}`), patiently)
    .toEqual(names.map((name) => `${name} 1`))
})

test('each session has its own limit of running calls', async () => {
  const [one, other] = [await jobs.open(), await jobs.open()]
  const held = names.slice(0, atATime).map((name) => jobs.hold(name))
  playCalls(one.provider, 'r1', names.slice(0, atATime).map(jobCall))
  await Promise.all(held.map(({ called }) => called))
  const beside = jobs.hold('beside')
  playCalls(other.provider, 'r1', [jobCall('beside')])
  await beside.give('done')
  expect((await takeOutput(other.provider)).callId).toBe('beside')
  for (const answer of held) await answer.give('done')
  for (const _ of held) await takeOutput(one.provider)
})
