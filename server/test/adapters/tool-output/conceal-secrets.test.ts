import { describe, expect, test } from 'vitest'
import { concealerOf } from '#server/adapters/tool-output/conceal-secrets.js'

const basic = (userAndPassword: string) => `Basic ${Buffer.from(userAndPassword).toString('base64')}`

const conceal = (value: string, text: string) => concealerOf([value])(text)

/** A header's value, what a server says, and what is left of it. */
type Case = readonly [value: string, said: string, shown: string]

describe('[TOOL-6] a secret is taken out of an answer', () => {
  test.each<Case>([
    ['opensesame', 'xopensesamex', 'x[secret]x'],
    ['opensesame', 'opensesame opensesame', '[secret] [secret]'],
    ['secret', 'a secret is a secret', 'a [secret] is a [secret]'],
    [' padded-value ', '<padded-value>', '<[secret]>'],
    ['a"b\\c/dé', '"a\\"b\\\\c/dé"', '"[secret]"'],
    ['a"b\\c/dé', '"a\\"b\\\\c\\/dé"', '"[secret]"'],
    ['a"b\\c/dé', '?q=a%22b%5Cc%2Fd%C3%A9&r', '?q=[secret]&r'],
    ['.*+?^$|{}()[]', 'abc .*+?^$|{}()[] abc', 'abc [secret] abc'],
  ])('of six characters or more, wherever it stands: %j', (value, said, shown) => {
    expect(conceal(value, said)).toBe(shown)
  })

  test.each<Case>([
    ['abcde', '{"key":"abcde"}', '{"key":"[secret]"}'],
    ['abcd', 'key=abcd;', 'key=[secret];'],
    ['4711', '{"pin":4711}', '{"pin":[secret]}'],
    ['p@s$', 'is p@s$ right? p%40s%24', 'is [secret] right? [secret]'],
    ['häß1', 'häß1, häß1', '[secret], [secret]'],
    ['abcd', 'x_abcd_y-abcd', 'x_[secret]_y-[secret]'],
    ['abcd', '"line\\nabcd\\tabcd\\u0020abcd"', '"line\\n[secret]\\t[secret]\\u0020[secret]"'],
    ['abcd', '?q=%20abcd%20', '?q=%20[secret]%20'],
    ['abcd', 'abcde xabcd 1abcd abcd1 ABCD éabcd', 'abcde xabcd 1abcd abcd1 ABCD éabcd'],
    ['4711', '147110 4711.5', '147110 [secret].5'],
  ])('of four or five, as a word of its own: %j in %j', (value, said, shown) => {
    expect(conceal(value, said)).toBe(shown)
  })

  test.each<Case>([
    ['Bearer opensesame', 'opensesame', '[secret]'],
    ['Bearer opensesame', 'Bearer opensesame', '[secret]'],
    ['bearer abc', '{"token":"abc","text":"abcd"}', '{"token":"[secret]","text":"abcd"}'],
    ['Token true', 'the token is true', 'the token is [secret]'],
    ['ApiKey k-1', 'k-1', '[secret]'],
    [basic('admin:abcd'), 'user admin, password abcd', 'user admin, password [secret]'],
    [basic('admin:abc'), 'admin:abc', '[secret]'],
    [basic('admin:a:bc'), 'password a:bc', 'password [secret]'],
    [basic('administrator:abcd'), 'user administrator', 'user [secret]'],
    [basic('sk_live_1:'), 'key sk_live_1', 'key [secret]'],
    [basic('key1:'), 'key key1', 'key [secret]'],
    [basic('u:p'), `${basic('u:p')} dTpw u:p`, '[secret] [secret] [secret]'],
    ['session=0123456789; theme=dark', '{"session":"0123456789"}', '{"session":"[secret]"}'],
    ['Digest username="administrator", response="ab12cd34"', 'ab12cd34', '[secret]'],
  ])('and so is what it is made of: %j in %j', (value, said, shown) => {
    expect(conceal(value, said)).toBe(shown)
  })

  test('the longest first, and never inside what stands for one', () => {
    const values = ['abcdef', 'abcdefghi', 'secret', basic('cret:abcdefg')]
    expect(concealerOf(values)('abcdefghi abcdefg abcdef')).toBe('[secret] [secret] [secret]')
  })
})

describe('what would be found in every other answer stays', () => {
  test.each([
    ['', 'anything at all'],
    ['1', '{"count":1}'],
    ['on', 'the light is on'],
    ['USD', '{"currency":"USD"}'],
    ['true', '{"ok":true}'],
    ['JSON', 'as JSON or json'],
    ['application/json; charset=utf-8', '{"charset":"utf-8"}'],
    ['tell us', 'tell it to us'],
    ['max-age=3600', '{"seconds":3600}'],
    ['Bearer ab', 'ab or cd'],
    [basic('u:pw'), 'u and pw'],
    [basic('admin:opensesame'), 'the role admin'],
  ])('%j', (value, said) => {
    expect(conceal(value, said)).toBe(said)
  })
})

test.each([
  [[], 0],
  [['a'], 0],
  [['abcd', 'Bearer abcdefgh'], 'Bearer%20abcdefgh'.length],
])('the longest spelling of %j has %i characters', (values, length) => {
  expect(concealerOf(values).longestLength).toBe(length)
})
