import { pino } from 'pino'
import { expect, test } from 'vitest'
import { LiveStream, OrganizationWatch } from '#server/domain/live/organization-watch.js'
import type { ChangeStore } from '#server/ports/changes.js'
import type { Database } from '#server/ports/database.js'
import { makeTestTimers } from '../../support/test-timers.js'

test('the service polls for changes at most once in 25 ms, and once after the last signal [SIG-3]', async () => {
  const timers = makeTestTimers()
  const cursor = { microseconds: 1, nextTransaction: 1, openTransactions: [] }
  let polls = 0
  const changes: ChangeStore = {
    present: async () => cursor,
    after: async () => {
      polls += 1
      return { cursor, changes: [] }
    },
  }
  const database = { ownedBy: () => ({ stores: { changes } }) } as unknown as Database
  const watch = new OrganizationWatch({ database, timers, log: pino({ level: 'silent' }) }, 'o', () => {})
  await watch.firstEvents(new LiveStream({ scopes: [], onEnd: () => undefined }), null)
  polls = 0
  const pass = async (milliseconds: number) => {
    timers.advance(milliseconds)
    await new Promise((resolve) => setImmediate(resolve))
  }
  for (let millisecond = 0; millisecond < 250; millisecond += 1) {
    watch.wake()
    await pass(1)
  }
  // The first poll is immediate, and the last one 25 ms after the one before it.
  expect(polls).toBe(11)
  watch.wake()
  await pass(25)
  expect(polls).toBe(12)
  await pass(900)
  expect(polls).toBe(12)
  await pass(100)
  expect(polls).toBe(13)
  watch.stop()
})
