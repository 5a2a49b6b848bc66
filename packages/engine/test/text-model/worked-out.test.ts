import { describe, expect, test } from 'vitest'
import { calculate, calculateOn } from '#engine/text-model/offline/arithmetic.js'
import { answerDateQuestion } from '#engine/text-model/offline/date-questions.js'
import { convertUnits } from '#engine/text-model/offline/units.js'
import { readUtterance } from '#engine/text-model/offline/utterance.js'
import { instantOf, wallTimeAt } from '#engine/text-model/offline/wall-time.js'

describe('[ENG-13] a sum', () => {
  test.each([
    ['17 times 23', 'That is 391.'],
    ["what's 20 percent off 50 dollars?", 'That is 40.'],
    ['the average of 4, 8 and 12', 'That is 8.'],
    ['What is 0.1 plus 0.2?', 'That is 0.3.'],
    ['10 / 3', 'That is about 3.33333.'],
    ['12 * (3 + 4)', 'That is 84.'],
    ['minus five plus three', 'That is -2.'],
    ['1 divided by 0', 'Nothing can be divided by zero.'],
    ['999999999 times 999999999', 'That is too large for me to work out exactly.'],
  ])('is worked out: %s', (words, answer) => {
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
  ])('is not made out of %s', (words) => {
    expect(calculate(words)).toBeNull()
  })

  test('goes on from the one before', () => {
    expect(calculateOn('and divided by 2', 'That is 1,024.')).toBe('That is 512.')
    expect(calculateOn('plus 4', 'You are welcome.')).toBeNull()
  })
})

describe('[ENG-13] a unit', () => {
  test.each([
    ['minutes in 2 hours', '2 hours are 120 minutes.'],
    ['How many ounces in a pound?', '1 pound is 16 ounces.'],
    ['how many ounces are in a cup', '1 US cup is 8 US fluid ounces.'],
    ['what is -40 C in F', '-40 degrees Celsius are -40 degrees Fahrenheit.'],
    ['How many weeks are in a year?', 'A year has 52 weeks and a day.'],
  ])('is turned into another: %s', (words, answer) => {
    expect(convertUnits(words)).toBe(answer)
  })

  test.each(['How many meters are in 2 hours?', '100 pounds in euros', 'How many people are in the room?'])(
    'is not made out of %s',
    (words) => {
      expect(convertUnits(words)).toBeNull()
    },
  )
})

/** Sunday noon in Berlin, two weeks after the clocks were set back. */
const berlin = { now: new Date('2026-11-15T11:00:00Z'), timeZone: 'Europe/Berlin' }

describe('[ENG-13] a date', () => {
  test.each([
    ['What day is it tomorrow?', 'Tomorrow is Monday, November 16, 2026.'],
    ['what was the date last Friday', 'That was Friday, November 13, 2026.'],
    ['How many days until Christmas?', 'It is 40 days until Friday, December 25, 2026.'],
    ['How long until 5 pm?', '5 hours.'],
    ['What time will it be in 13 hours?', 'It will be 1:00 AM on Monday, November 16, 2026.'],
    ['Is today Monday?', 'No, today is Sunday, November 15, 2026.'],
    ['is 2028 a leap year', 'Yes, 2028 is a leap year.'],
  ])('is told: %s', (words, answer) => {
    expect(answerDateQuestion(words, berlin)).toBe(answer)
  })

  test.each(['When is my meeting on Friday?', 'When is Easter?', 'What day suits you?', 'How old is she?'])(
    'is not made up: %s',
    (words) => {
      expect(answerDateQuestion(words, berlin)).toBeNull()
    },
  )

  test('is of the zone that the engine is in, wherever the process runs', () => {
    const newYear = { now: new Date('2026-12-31T16:00:00Z'), timeZone: 'Asia/Tokyo' }
    expect(answerDateQuestion('What day is today?', newYear)).toBe('Today is Friday, January 1, 2027.')
    const [moment] = readUtterance('Call Bob tomorrow at nine', newYear).moments
    expect(moment?.wall).toEqual({ year: 2027, month: 1, day: 2, hour: 9, minute: 0 })
    expect(moment && instantOf(moment.wall, 'Asia/Tokyo').toISOString()).toBe('2027-01-02T00:00:00.000Z')
  })

  test('keeps its hour when the clocks change in between', () => {
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
  ])('without morning or evening is the next one that people are up at: %s', (words, instant) => {
    const [moment] = readUtterance(words, berlin).moments
    expect(moment && instantOf(moment.wall, berlin.timeZone).toISOString()).toBe(instant)
  })
})
