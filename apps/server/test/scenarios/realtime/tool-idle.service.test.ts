import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type JobSessions, jobCall, startJobSessions } from '../../support/realtime/job-sessions.js'
import { endLines } from '../../support/realtime/session-ends.js'
import { roundTrip } from '../../support/realtime/session-traffic.js'
import { responseCreated, responseDone } from '../../support/realtime/spoken-turns.js'
import { playCalls, type ToolSession, takeOutput } from '../../support/realtime/tool-calls.js'

const idleSeconds = 30

let jobs: JobSessions

beforeAll(async () => {
  jobs = await startJobSessions({ PARLEY_REALTIME_IDLE_TIMEOUT_SECONDS: String(idleSeconds) })
})

afterEach(() => jobs.finish())

afterAll(() => jobs.close())

/** Advances the clock second by second, so that the sockets can answer their pings. */
async function pass({ client, provider }: ToolSession, seconds: number): Promise<void> {
  for (let second = 0; second < seconds; second += 1) {
    jobs.timers.advance(1000)
    if (second % 10 > 0) continue
    const answers = [client, provider].map(
      ({ socket }) => new Promise((resolve) => void socket.once('pong', resolve)),
    )
    for (const { socket } of [client, provider]) if (socket.readyState === socket.OPEN) socket.ping()
    await Promise.race([Promise.all(answers), client.inbox.closed])
  }
}

test('a session is not idle while a tool runs, and its idle timeout starts with the output [RT-15]', async () => {
  const session = await jobs.open()
  const held = jobs.hold('a')
  playCalls(session.provider, 'r1', [jobCall('a')])
  await held.called
  await pass(session, idleSeconds * 4)
  expect(session.client.socket.readyState).toBe(session.client.socket.OPEN)
  await held.give('done')
  await takeOutput(session.provider)
  await session.provider.inbox.takeType('response.create')
  session.provider.send(responseCreated('r2'))
  session.provider.send(responseDone('r2'))
  await roundTrip(session)
  await pass(session, idleSeconds - 2)
  expect(session.client.socket.readyState).toBe(session.client.socket.OPEN)
  await pass(session, 4)
  expect(await session.client.inbox.closed).toEqual({ code: 4001, reason: 'idle_timeout' })
})

test('a session without further frames ends exactly one idle timeout after the output [RT-35]', async () => {
  const session = await jobs.open()
  const held = jobs.hold('b')
  playCalls(session.provider, 'r1', [jobCall('b')])
  await held.called
  await pass(session, idleSeconds + 7)
  await held.give('done')
  await session.provider.inbox.takeType('conversation.item.create')
  await pass(session, idleSeconds - 1)
  const ends = endLines(jobs.running).length
  jobs.timers.advance(999)
  expect(endLines(jobs.running)).toHaveLength(ends)
  jobs.timers.advance(1)
  expect(await session.client.inbox.closed).toEqual({ code: 4001, reason: 'idle_timeout' })
})
