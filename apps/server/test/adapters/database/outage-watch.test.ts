import { expect, test } from 'vitest'
import { OutageWatch } from '#server/adapters/database/outage-watch.js'

/** A database that fails to respond this number of times. */
function away(times: number) {
  let pings = 0
  const watch = new OutageWatch(async () => {
    pings += 1
    if (pings <= times) throw new Error('away')
  })
  return { watch, pings: () => pings }
}

test('checks an unavailable database once for all waiting callers, and again in the next outage [OPS-23]', async () => {
  const { watch, pings } = away(2)
  const waiting = Array.from({ length: 500 }, () => watch.returned())
  await Promise.all(waiting)
  expect(pings()).toBe(3)
  await watch.returned()
  expect(pings()).toBe(4)
})

test('sends no check after the database is closed', async () => {
  const { watch, pings } = away(0)
  let hasReturned = false
  void watch.returned().then(() => {
    hasReturned = true
  })
  watch.close()
  // Another watch pauses equally long between its pings. After its second ping, the first watch is overdue.
  const other = away(1)
  await other.watch.returned()
  expect([pings(), hasReturned]).toEqual([0, false])
})
