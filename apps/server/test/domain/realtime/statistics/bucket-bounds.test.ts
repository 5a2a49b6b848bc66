import { expect, test } from 'vitest'
import { bucketBounds } from '#server/domain/realtime/statistics/session-statistics.js'

const bounds = (by: 'hour' | 'day', timeZone: string, from: string, to: string) =>
  bucketBounds({ by, timeZone, from: new Date(`${from}Z`), to: new Date(`${to}Z`) }).map((bound) =>
    bound.slice(0, 16),
  )

const cases: readonly (readonly [
  title: string,
  ...request: Parameters<typeof bounds>,
  expected: readonly string[],
])[] = [
  [
    'partial first and last days',
    ...(['day', 'UTC', '2030-01-01T10:30', '2030-01-03T07:00'] as const),
    ['2030-01-01T10:30', '2030-01-02T00:00', '2030-01-03T00:00', '2030-01-03T07:00'],
  ],
  [
    'whole days',
    ...(['day', 'UTC', '2030-01-01T00:00', '2030-01-02T00:00'] as const),
    ['2030-01-01T00:00', '2030-01-02T00:00'],
  ],
  [
    'hours that begin with the hours of the time zone',
    ...(['hour', 'Asia/Kolkata', '2030-01-01T00:00', '2030-01-01T01:40'] as const),
    ['2030-01-01T00:00', '2030-01-01T00:30', '2030-01-01T01:30', '2030-01-01T01:40'],
  ],
  [
    'a day of 23 hours in spring',
    ...(['day', 'Europe/Berlin', '2026-03-28T23:00', '2026-03-30T22:00'] as const),
    ['2026-03-28T23:00', '2026-03-29T22:00', '2026-03-30T22:00'],
  ],
  [
    'a day of 25 hours in autumn',
    ...(['day', 'Europe/Berlin', '2026-10-24T22:00', '2026-10-26T23:00'] as const),
    ['2026-10-24T22:00', '2026-10-25T23:00', '2026-10-26T23:00'],
  ],
  [
    'an hour that occurs twice as two hours',
    ...(['hour', 'Europe/Berlin', '2026-10-25T00:00', '2026-10-25T02:00'] as const),
    ['2026-10-25T00:00', '2026-10-25T01:00', '2026-10-25T02:00'],
  ],
  [
    'a skipped midnight, so that the day begins at one o’clock',
    ...(['day', 'Africa/Cairo', '2026-04-22T22:00', '2026-04-24T22:00'] as const),
    ['2026-04-22T22:00', '2026-04-23T22:00', '2026-04-24T21:00', '2026-04-24T22:00'],
  ],
  [
    'a midnight that occurs twice, so that the day begins with the first',
    ...(['day', 'America/Havana', '2026-10-31T04:00', '2026-11-02T05:00'] as const),
    ['2026-10-31T04:00', '2026-11-01T04:00', '2026-11-02T05:00'],
  ],
  [
    'times before 1970 as well as after it',
    ...(['day', 'America/New_York', '1970-01-01T00:00', '1970-01-01T06:00'] as const),
    ['1970-01-01T00:00', '1970-01-01T05:00', '1970-01-01T06:00'],
  ],
]

test.each(cases)('bucketBounds handles %s [RT-42]', (_, by, timeZone, from, to, expected) => {
  expect(bounds(by, timeZone, from, to)).toEqual(expected)
})
