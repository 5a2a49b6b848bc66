import { expect, test } from 'vitest'
import { SharedClock } from '#server/adapters/system/clock.js'
import { makeTestTimers } from '../../support/test-timers.js'

/** A database whose time differs from this machine's. It responds after a delay. */
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

test('the clock follows the time of the database and advances between readings [OPS-20]', async () => {
  const { timers, source, clock, told } = await begin()
  expect(told()).toBe('2031-05-01T10:00:00.000Z')
  timers.advance(1500)
  expect(told()).toBe('2031-05-01T10:00:01.500Z')
  // The way back takes half of a reading's duration.
  Object.assign(source, { time: Date.parse('2031-05-01T11:00:00.000Z'), takes: 40 })
  await clock.compare()
  expect(told()).toBe('2031-05-01T11:00:00.020Z')
})

test('the clock ignores a reading that is old or took too long [OPS-20]', async () => {
  const { source, clock, told } = await begin()
  source.time += 90
  await clock.compare()
  expect(told()).toBe('2031-05-01T10:00:00.000Z')
  Object.assign(source, { time: source.time + 5000, takes: 2000 })
  await clock.compare()
  expect(told()).toBe('2031-05-01T10:00:02.000Z')
})

const day = 24 * 60 * 60 * 1000

test('the clock reports a jump of more than a minute and is not trusted until the time is back [OPS-27]', async () => {
  const { source, clock, timers } = await begin()
  const jumps: number[] = []
  clock.onJump((seconds) => jumps.push(seconds))
  const pass = (milliseconds: number) => {
    timers.advance(milliseconds)
    source.time += milliseconds
  }
  source.time += 59_000
  await clock.compare()
  expect([jumps, clock.isTrusted()]).toEqual([[], true])
  source.time += 400 * day
  await clock.compare()
  pass(day / 2)
  await clock.compare()
  expect([jumps, clock.isTrusted()]).toEqual([[400 * 86_400], false])
  source.time -= 400 * day
  await clock.compare()
  expect([jumps, clock.isTrusted()]).toEqual([[400 * 86_400, -400 * 86_400], true])
})

test('the clock is trusted again if the time has stayed for a day after a jump [OPS-27]', async () => {
  const { source, clock, timers } = await begin()
  source.time += 2 * day
  await clock.compare()
  timers.advance(day - 1)
  expect(clock.isTrusted()).toBe(false)
  timers.advance(1)
  expect(clock.isTrusted()).toBe(true)
  // The next jump counts from the confirmed time.
  source.time += 3 * day
  await clock.compare()
  expect(clock.isTrusted()).toBe(false)
  source.time -= 2 * day
  await clock.compare()
  expect(clock.isTrusted()).toBe(true)
})
