import { afterAll, beforeAll, expect, test } from 'vitest'
import { openSocket } from '../../support/realtime/open-socket.js'
import { roundTrip } from '../../support/realtime/pass-time.js'
import {
  type OpenSession,
  type RealtimeTestService,
  startRealtimeService,
} from '../../support/realtime/realtime-service.js'
import { patiently } from '../../support/realtime/spoken-turns.js'
import type { PostgresDatabase } from '../../support/services/postgres-database.js'
import { migratedDatabase, type RunningService, startService } from '../../support/start-service.js'
import { makeTestTimers } from '../../support/test-timers.js'

const timers = makeTestTimers()
let postgres: PostgresDatabase
let full: RealtimeTestService
let other: RunningService

beforeAll(async () => {
  postgres = await migratedDatabase()
  full = await startRealtimeService({
    pollMilliseconds: 200,
    timers,
    env: { DATABASE_URL: postgres.url, PARLEY_REALTIME_IDLE_TIMEOUT_SECONDS: '3600' },
  })
  other = await startService({
    env: { DATABASE_URL: postgres.url, PARLEY_ALLOWED_PRIVATE_HOSTS: '127.0.0.1' },
  })
})

afterAll(async () => {
  await other.close()
  await full.close()
  await postgres.drop()
})

const moving = { type: 'session.moving', data: { deadlineSeconds: 40 } }
const announced = (sessions: readonly OpenSession[]) =>
  sessions.filter(({ client }) => client.inbox.all.some(({ data }) => data.includes('"session.moving"')))
/** Lets a minute pass in steps, so that pings are answered. */
async function passMinute(sessions: readonly OpenSession[]): Promise<void> {
  for (let step = 0; step < 6; step += 1) {
    timers.advance(10_000)
    await Promise.all(sessions.map(roundTrip))
  }
}

const open = (sessions: readonly OpenSession[]) =>
  sessions.filter(({ client }) => client.socket.readyState === client.socket.OPEN)

test('an instance with many sessions moves a fifth of its excess, if the clients request their next sessions [OPS-30]', async () => {
  const sessions: OpenSession[] = []
  for (let count = 0; count < 24; count += 1) sessions.push(await full.openSession())
  // The instances have 24 and 0 sessions, so the excess is 12. New sessions stay.
  await passMinute(sessions)
  expect(announced(sessions)).toEqual([])
  await passMinute(sessions)
  await passMinute(sessions)
  await expect.poll(() => announced(sessions), patiently).toHaveLength(3)

  const [mover, ...others] = announced(sessions)
  if (mover === undefined) throw new Error('No session was announced.')
  expect(await mover.client.inbox.takeJson()).toEqual(moving)
  const { conversationId } = mover.ticket
  const next = await full.createTicket({ conversationId })
  expect(await mover.client.inbox.closed).toEqual({ code: 1012, reason: 'draining' })
  const moved = await openSocket(other.url, next.webSocketPath)
  await (await full.provider.accept()).inbox.takeType('session.update')
  expect(open(sessions)).toHaveLength(23)
  expect(open(others)).toEqual(others)
  moved.socket.close(1000)
})
