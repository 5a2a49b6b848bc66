import { expect, test } from 'vitest'
import { PacedActivities } from '#server/domain/live/live-events.js'
import type { Activity, ChangeCursor, FoundChange } from '#server/ports/changes.js'

const at = '2026-11-16T10:00:00.000Z'
const usage: Activity = { kind: 'activity', resource: 'Usage', id: 'organization', at }
const webhook: Activity = { kind: 'activity', resource: 'Webhook', id: 'webhook', at }
const message: FoundChange = {
  ...{ kind: 'row', resource: 'Message', id: 'message' },
  ...{ conversationId: 'conversation', isNew: true, at, endUser: null },
}

const place = (microseconds: number): ChangeCursor => ({
  ...{ microseconds, nextTransaction: microseconds, openTransactions: [] },
})

test('each activity is reported at most once a second, and its state is released afterwards [LIVE-9]', () => {
  const paced = new PacedActivities()
  expect(paced.pass([usage, message], place(1), 0)).toEqual([message, usage])
  expect(paced.heldFrom).toBeNull()
  expect(paced.pass([usage], place(2), 100)).toEqual([])
  expect(paced.pass([webhook, usage], place(3), 200)).toEqual([webhook])
  expect(paced.pass([message, webhook], place(4), 300)).toEqual([message])
  // A client that disconnects now was notified of neither activity, and gets everything since the older one
  // again.
  expect(paced.heldFrom).toEqual(place(2))
  expect(paced.pass([], place(5), 1000)).toEqual([usage])
  expect(paced.heldFrom).toEqual(place(4))
  expect(paced.pass([], place(6), 1200)).toEqual([webhook])
  expect(paced.heldFrom).toBeNull()
  expect(paced.pass([], place(7), 5000)).toEqual([])
})
