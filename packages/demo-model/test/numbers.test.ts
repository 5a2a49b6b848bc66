import { expect, test } from 'vitest'
import { spokenNumber, withDigits } from '#demo/numbers.js'

test.each([
  ['order forty two', 'order 42'],
  ['three hundred and five people', '305 people'],
  ['two thousand twenty six', '2026'],
  ['four two seven', '427'],
  ['at seven thirty pm', 'at 7:30 pm'],
  ['ten forty five', '10:45'],
  ['twenty-one', '21'],
  ['the first one', 'the first one'],
  ['nothing here', 'nothing here'],
])('writes "%s" as "%s"', (words, digits) => {
  expect(withDigits(words)).toBe(digits)
})

test.each([
  ['one', 1],
  ['about 1,200 of them', 1200],
  ['it is 3.5', 3.5],
  ['none', null],
])('reads %s as %s', (words, value) => {
  expect(spokenNumber(words)).toBe(value)
})
