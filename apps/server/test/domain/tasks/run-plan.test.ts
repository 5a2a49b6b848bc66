import { expect, test } from 'vitest'
import {
  countOccurrences,
  deadlineOf,
  occurrenceAfter,
  pauseSecondsAfter,
} from '#server/domain/tasks/run-plan.js'

const settings = { runSeconds: 3600, retrySeconds: 10 }

test('pauses between attempts grow from 10 s to one hour [RUN-3]', () => {
  const pauses = [1, 2, 3, 4, 8, 9, 10, 20].map((attempts) => pauseSecondsAfter(attempts, settings))
  expect(pauses).toEqual([10, 20, 40, 80, 1280, 2560, 3600, 3600])
})

test("the deadline is the caller's, but at most the operator's [RUN-4]", () => {
  const start = '2030-01-01T00:00:00.000Z'
  const deadlines = [null, '2030-01-01T00:30:00.000Z', '2031-01-01T00:00:00.000Z'].map((runDeadlineAt) =>
    deadlineOf({ runDeadlineAt }, start, settings),
  )
  expect(deadlines).toEqual([
    '2030-01-01T01:00:00.000Z',
    '2030-01-01T00:30:00.000Z',
    '2030-01-01T01:00:00.000Z',
  ])
})

test('a schedule keeps its local time when the clocks change [RUN-8]', () => {
  const daily = { schedule: '30 2 * * *', timeZone: 'Europe/Berlin' }
  const after = (moment: string) => occurrenceAfter(daily, new Date(moment))?.toISOString()
  // If half past two does not exist, the run is at three. If it exists twice, there is one run.
  expect(after('2030-03-30T12:00:00Z')).toBe('2030-03-31T01:00:00.000Z')
  expect(after('2030-03-31T12:00:00Z')).toBe('2030-04-01T00:30:00.000Z')
  expect(after('2030-10-26T12:00:00Z')).toBe('2030-10-27T00:30:00.000Z')
  expect(after('2030-10-27T00:30:00Z')).toBe('2030-10-28T01:30:00.000Z')
  const from = new Date('2030-10-26T12:00:00Z')
  expect(countOccurrences(daily, from, new Date('2030-10-29T12:00:00Z'))).toBe(3)
  const minutely = { schedule: '* * * * *', timeZone: 'UTC' }
  expect(countOccurrences(minutely, from, new Date('2040-01-01T00:00:00Z'))).toBe(100)
})
