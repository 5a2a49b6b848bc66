import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readArguments } from '#server/adapters/argument-check/read-arguments.js'
import { expectLinear } from '../../support/growth.js'

describe('readArguments', () => {
  test.each([
    ['repeats a key', '{"to":"alice","to":"mallory"}', '"to" twice'],
    ['repeats a key in another spelling', '{"to":"alice","\\u0074o":"mallory"}', '"to" twice'],
    ['repeats a key deep inside', '{"a":[{"b":{"c":1,"d":2,"c":3}}]}', '"c" twice'],
    ['repeats a key after white space', '{"to":1,"to" \n:2}', '"to" twice'],
    ['has an integer beyond 2^53', '{"id":12345678901234567891}', '12345678901234567891'],
    ['has 2^53 itself', '{"id":9007199254740992}', '9007199254740992'],
    ['has a negative integer beyond 2^53', '{"id":-9007199254740993}', '-9007199254740993'],
    ['has an integer beyond 2^53 with an exponent', '{"id":1e21}', '1e21'],
    ['has a number beyond every double', '{"amount":1e400}', '1e400'],
    ['has a number too small for a double', '{"amount":1e-400}', '1e-400'],
    ['has more digits than a double', '{"amount":0.12345678901234567890}', '0.12345678901234567890'],
    ['has half a surrogate pair', '{"to":"\\ud800"}', 'not valid Unicode'],
    ['has half a surrogate pair after a backslash', '{"to":"\\\\\\udfff"}', 'not valid Unicode'],
  ])('rejects text that %s [TOOL-30]', (_, text, problem) => {
    expect(readArguments(text)).toEqual({ ok: false, problem: expect.stringContaining(problem) })
  })

  test.each([
    ['{ "amount": 5,\n"to": "alice" }', '{"amount":5,"to":"alice"}'],
    ['{"amount":1.50,"rate":15e-1,"none":-0,"zero":0e400}', '{"amount":1.5,"rate":1.5,"none":0,"zero":0}'],
    ['{"id":9007199254740991}', '{"id":9007199254740991}'],
    ['{"id":"12345678901234567891"}', '{"id":"12345678901234567891"}'],
    ['{"a":{"x":1},"b":{"x":1},"list":["x","x"]}', '{"a":{"x":1},"b":{"x":1},"list":["x","x"]}'],
    ['{"to":"\\u0061lice \\ud83d\\ude00"}', '{"to":"alice 😀"}'],
    ['{"path":"C:\\\\ud800"}', '{"path":"C:\\\\ud800"}'],
    ['{"__proto__":{"admin":true}}', '{"__proto__":{"admin":true}}'],
    ['', '{}'],
  ])('writes %s as one canonical text [TOOL-30]', (given, text) => {
    const read = readArguments(given)
    expect(read).toMatchObject({ ok: true, text })
    expect(read.ok && JSON.stringify(read.value)).toBe(text)
  })

  test('accepts every object that JSON.stringify writes without large integers [TOOL-30]', () => {
    const isSmall = (value: number) => Math.abs(value) <= Number.MAX_SAFE_INTEGER
    const number = fc.double({ noNaN: true, noDefaultInfinity: true }).filter(isSmall)
    const value = fc.oneof(number, fc.integer(), fc.string({ unit: 'grapheme' }), fc.boolean())
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.oneof(value, fc.array(value))), (object) => {
        const text = JSON.stringify(object)
        expect(readArguments(text)).toMatchObject({ ok: true, text })
      }),
    )
  })

  test('rejects arguments that are nested too deeply', () => {
    const depth = 100_000
    const text = `{"a":${'['.repeat(depth)}${']'.repeat(depth)}}`
    expect(readArguments(text)).toEqual({ ok: false, problem: 'The JSON is nested too deeply.' })
  })

  test('takes time in proportion to the length of the text', async () => {
    await expectLinear(
      (factor) => `{"a":"${'\\\\'.repeat(20_000 * factor)}","b":[${'1.5,'.repeat(5000 * factor)}1]}`,
      (text) => void expect(readArguments(text).ok).toBe(true),
    )
  })
})
