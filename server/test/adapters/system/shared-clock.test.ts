import { expect, test } from 'vitest'
import { SharedClock } from '#server/adapters/system/shared-clock.js'
import { makeTestTimers } from '../../support/test-timers.js'

/** A database whose time is another than this machine's, and takes a while to tell. */
async function begin() {
  const timers = makeTestTimers()
  const source = { time: Date.parse('2031-05-01T10:00:00.000Z'), takes: 0 }
  const clock = await SharedClock.start(
    {
      async now() {
        timers.advance(source.takes / 2)
        const told = source.time
        timers.advance(source.takes / 2)
        return told
      },
    },
    timers,
  )
  return { timers, source, clock, told: () => clock.now().toISOString() }
}

test("[OPS-20] the time is the database's, and goes on between two readings", async () => {
  const { timers, source, clock, told } = await begin()
  expect(told()).toBe('2031-05-01T10:00:00.000Z')
  timers.advance(1500)
  expect(told()).toBe('2031-05-01T10:00:01.500Z')
  // Half of what a reading takes is its way back.
  Object.assign(source, { time: Date.parse('2031-05-01T11:00:00.000Z'), takes: 40 })
  await clock.compare()
  expect(told()).toBe('2031-05-01T11:00:00.020Z')
})

test('[OPS-20] a reading that says nothing new, or took too long to say it, changes nothing', async () => {
  const { source, clock, told } = await begin()
  source.time += 90
  await clock.compare()
  expect(told()).toBe('2031-05-01T10:00:00.000Z')
  Object.assign(source, { time: source.time + 5000, takes: 2000 })
  await clock.compare()
  expect(told()).toBe('2031-05-01T10:00:02.000Z')
})
