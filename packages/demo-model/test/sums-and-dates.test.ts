import { describe, expect, test } from 'vitest'
import { answerDateQuestion } from '#demo/dates.js'
import { readUtterance } from '#demo/moments.js'
import { calculate } from '#demo/sums.js'
import { instantOf, wallTimeAt } from '#demo/wall-time.js'

describe('calculate', () => {
  test.each([
    ['17 times 23', 'That is 391.'],
    ["what's 20 percent off 50 dollars?", 'That is 40.'],
    ['What is 0.1 plus 0.2?', 'That is 0.3.'],
    ['What is the square root of 81?', 'That is 9.'],
    ['2 + 3 * 4 ^ 2 - 1', 'That is 49.'],
    ['10 / 3', 'That is about 3.33333.'],
    ['12 * (3 + 4)', 'That is 84.'],
    ['minus five plus three', 'That is -2.'],
    ['1 divided by 0', 'Nothing can be divided by zero.'],
    ['999999999 times 999999999', 'That is too large for me to work out exactly.'],
  ])('works out: %s [ENG-13]', (words, answer) => {
    expect(calculate(words)).toBe(answer)
  })

  test.each([
    '555-1234',
    '24/7',
    '2026-11-15',
    'plus 4',
    '42',
    'If I eat 2 of 5 apples, how many are left?',
    'process.exit()',
    'constructor * 2',
  ])('returns null for %s [ENG-13]', (words) => {
    expect(calculate(words)).toBeNull()
  })
})

/** Sunday noon in Berlin. */
const berlin = { now: new Date('2026-11-15T11:00:00Z'), timeZone: 'Europe/Berlin' }

describe('answerDateQuestion', () => {
  test.each([
    ['What day is it tomorrow?', 'Tomorrow is Monday, November 16, 2026.'],
    ['what was the date last Friday', 'That was Friday, November 13, 2026.'],
    ['How many days until Christmas?', 'It is 40 days until Friday, December 25, 2026.'],
    ['What time will it be in 13 hours?', 'It will be 1:00 AM on Monday, November 16, 2026.'],
  ])('answers: %s [ENG-13]', (words, answer) => {
    expect(answerDateQuestion(words, berlin)).toBe(answer)
  })

  test.each(['When is my meeting on Friday?', 'When is Easter?', 'What day suits you?', 'How old is she?'])(
    'returns null for %s [ENG-13]',
    (words) => {
      expect(answerDateQuestion(words, berlin)).toBeNull()
    },
  )

  test('uses the time zone of the clock and not of the process [ENG-13]', () => {
    const newYear = { now: new Date('2026-12-31T16:00:00Z'), timeZone: 'Asia/Tokyo' }
    expect(answerDateQuestion('What day is today?', newYear)).toBe('Today is Friday, January 1, 2027.')
    const [moment] = readUtterance('Call Bob tomorrow at nine', newYear).moments
    expect(moment?.wall).toEqual({ year: 2027, month: 1, day: 2, hour: 9, minute: 0 })
    expect(moment && instantOf(moment.wall, 'Asia/Tokyo').toISOString()).toBe('2027-01-02T00:00:00.000Z')
  })

  test('keeps the hour of the day across a change of the clocks [ENG-13]', () => {
    const summer = { now: new Date('2026-10-24T10:00:00Z'), timeZone: 'Europe/Berlin' }
    const [moment] = readUtterance('on Monday at ten', summer).moments
    expect(moment && instantOf(moment.wall, 'Europe/Berlin').toISOString()).toBe('2026-10-26T09:00:00.000Z')
    expect(wallTimeAt(new Date('2026-10-26T09:00:00Z'), 'Europe/Berlin').hour).toBe(10)
  })

  test.each([
    ['Remind me to call Bob at 5', '2026-11-15T16:00:00.000Z'],
    ['at 8', '2026-11-15T19:00:00.000Z'],
    ['at 11', '2026-11-16T10:00:00.000Z'],
    ['tomorrow at half past two', '2026-11-16T13:30:00.000Z'],
    ['today at 8', '2026-11-15T19:00:00.000Z'],
    ['on the 20th', '2026-11-20T11:00:00.000Z'],
  ])('reads a time without morning or evening as the next one of the day: %s [ENG-13]', (words, instant) => {
    const [moment] = readUtterance(words, berlin).moments
    expect(moment && instantOf(moment.wall, berlin.timeZone).toISOString()).toBe(instant)
  })
})
