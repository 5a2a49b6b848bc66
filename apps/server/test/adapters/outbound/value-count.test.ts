import { describe, expect, test } from 'vitest'
import { ValueCount } from '#server/adapters/outbound/value-count.js'

/** Counts the values for any division of the text into pieces. */
function countOf(text: string, isEventStream = false): number {
  const bytes = Buffer.from(text)
  const whole = new ValueCount(isEventStream).add(bytes)
  const byByte = new ValueCount(isEventStream)
  expect(Math.max(...[...bytes].map((byte) => byByte.add(Uint8Array.of(byte))), 0)).toBe(whole)
  return whole
}

describe('counting the values of a message [BND-18]', () => {
  test.each([
    ['1', 0],
    ['{"a":1}', 1],
    ['[1,2,[3]]', 4],
    [String.raw`{"a":"x,[{\",[{","b":"\\"}`, 2],
    ['{\n  "a": [],\r\n  "b": {}\n}', 4],
    ['"[[[', 0],
  ])('counts the values of %s', (text, count) => {
    expect(countOf(text)).toBe(count)
  })

  test.each([
    ['data: [1,2]\n\ndata: [1]\n\n', 2],
    ['data: [1,2]\r\n\r\ndata: [1]\r\n\r\n', 2],
    ['data: [1,2]\r\rdata: [1,2,3]\r\r', 3],
    ['data: [1,\ndata: 2,\r\ndata: 3]\n\n', 3],
    [': a "quote\ndata: [1,2,3]\n\n', 3],
    ['event: "x\\\ndata: [1,2,3]\n\n', 3],
  ])('counts each event separately: %j', (text, count) => {
    expect(countOf(text, true)).toBe(count)
  })

  test('ignores blank lines within a body', () => {
    expect(countOf('[1,\n\n2,\n\n3]')).toBe(3)
  })
})
