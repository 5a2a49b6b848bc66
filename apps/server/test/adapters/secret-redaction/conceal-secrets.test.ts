import { describe, expect, test } from 'vitest'
import { concealerInSlices, concealerOf } from '#server/adapters/secret-redaction/conceal-secrets.js'

const basic = (userAndPassword: string) => `Basic ${Buffer.from(userAndPassword).toString('base64')}`

const conceal = (value: string, text: string) => concealerOf([value])(text)

/** A header's value, a server's response, and the response after concealment. */
type Case = readonly [value: string, said: string, shown: string]

describe('concealerOf', () => {
  test.each<Case>([
    ['opensesame', 'xopensesamex', 'x[secret]x'],
    ['opensesame', 'opensesame opensesame', '[secret] [secret]'],
    ['secret', 'a secret is a secret', 'a [secret] is a [secret]'],
    [' padded-value ', '<padded-value>', '<[secret]>'],
    ['a"b\\c/dé', '"a\\"b\\\\c/dé"', '"[secret]"'],
    ['a"b\\c/dé', '?q=a%22b%5Cc%2Fd%C3%A9&r', '?q=[secret]&r'],
    ['.*+?^$|{}()[]', 'abc .*+?^$|{}()[] abc', 'abc [secret] abc'],
  ])('conceals a secret of six characters or more anywhere: %j [TOOL-6]', (value, said, shown) => {
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
  ])('conceals a shorter secret as a word: %j in %j [TOOL-6]', (value, said, shown) => {
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
  ])('conceals the parts of a value: %j in %j [TOOL-6]', (value, said, shown) => {
    expect(conceal(value, said)).toBe(shown)
  })

  test('conceals the longest secret first and leaves its own mark unchanged', () => {
    const values = ['abcdef', 'abcdefghi', 'secret', basic('cret:abcdefg')]
    expect(concealerOf(values)('abcdefghi abcdefg abcdef')).toBe('[secret] [secret] [secret]')
  })
})

const jwt = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiI0MiJ9.Zm9v-Y_Jhcg'
const base64 = (text: string) => Buffer.from(text).toString('base64')
const base64Url = (text: string) => Buffer.from(text).toString('base64url')
const hex = (text: string) => Buffer.from(text).toString('hex')

describe('a secret in another encoding', () => {
  test.each<Case>([
    ['OpenSesame', 'opensesame OPENSESAME oPENsESAME', '[secret] [secret] [secret]'],
    ['Bearer OpenSesame', 'x-opensesame-y', 'x-[secret]-y'],
    ['Äpfel-Öl', 'äpfel-öl', '[secret]'],
    ['opensesame', `is ${base64('opensesame')}`, 'is [secret]'],
    ['opensesame', `is ${base64('opensesame').replace(/=+$/, '')}.`, 'is [secret].'],
    ['a?b>c~d', `${base64('a?b>c~d')} ${base64Url('a?b>c~d')}`, '[secret] [secret]'],
    ['abcd', `${base64('abcd')} ${hex('abcd')}`, '[secret] [secret]'],
    ['opensesame', `0x${hex('opensesame')}`, '0x[secret]'],
    ['opensesame', hex('opensesame').toUpperCase(), '[secret]'],
    ['open sesame', 'q=open+sesame', 'q=[secret]'],
    [basic('admin:opensesame'), base64('opensesame'), '[secret]'],
    [`Bearer ${jwt}`, hex(jwt), '[secret]'],
  ])('is concealed: %j in %j [TOOL-6]', (value, said, shown) => {
    expect(conceal(value, said)).toBe(shown)
  })

  const around = ['', 'x', 'xy', 'xyz', '{"authorization":"Bearer '].flatMap((before) =>
    ['', '1', '12', '"}'].map((after) => [before, after] as const),
  )

  test.each(around)(
    'is concealed inside the Base64 of a longer text: %j and %j around it [TOOL-6]',
    (before, after) => {
      for (const secret of ['secret', 'opensesame', jwt]) {
        const said = conceal(secret, base64(`${before}${secret}${after}`))
        expect(said).toContain('[secret]')
        // The rest on either side belongs to the surrounding text, except for part of a byte.
        const rest = Math.ceil(((before.length + after.length) * 8) / 6)
        expect(said.length - '[secret]'.length).toBeLessThanOrEqual(rest + 6)
      }
    },
  )

  test('gets one mark if it overlaps another secret', () => {
    expect(concealerOf(['abcdefgh', 'efghijkl'])('xabcdefghijkly')).toBe('x[secret]y')
  })
})

describe('a long secret', () => {
  test('is concealed as a whole, and so are its parts [BND-10]', () => {
    const secret = Array.from({ length: 40 }, (_, at) => `part-${at}`).join('.')
    expect(conceal(secret, `x ${secret} y`)).toBe('x [secret] y')
    expect(conceal(secret, `x ${secret.slice(0, 64)} y`)).toBe('x [secret] y')
    expect(conceal(secret, `x ${secret.slice(-64)} y`)).toBe('x [secret] y')
    expect(conceal(secret, `x ${hex(secret)} y`)).toBe('x [secret] y')
  })

  test('is concealed unchanged beyond 16 Ki characters of secrets [BND-10]', () => {
    const long = Array.from({ length: 12 }, (_, at) => `${String(at).padStart(2, '0')}-`.repeat(2700))
    const concealer = concealerOf([...long, 'opensesame'])
    expect(concealer(`${hex('opensesame')} and ${long.at(-1)}`)).toBe('[secret] and [secret]')
  })

  test('has its sixteen longest attributes concealed [BND-10]', () => {
    const value = ['session=0123456789abcdef', ...Array.from({ length: 40 }, (_, at) => `a${at}=short${at}`)]
    expect(conceal(value.join('; '), 'is 0123456789abcdef')).toBe('is [secret]')
  })
})

describe('a value that occurs in most responses', () => {
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
  ])('is not concealed: %j', (value, said) => {
    expect(conceal(value, said)).toBe(said)
  })
})

test.each([
  [[], 0],
  [['a'], 0],
  [['abcd', 'Bearer abcdefgh'], 2 * 'Bearer abcdefgh'.length],
])('the longest encoding of %j has %i characters', (values, length) => {
  expect(concealerOf(values).longestLength).toBe(length)
})

describe('concealerInSlices', () => {
  const secret = (header: number, index: number) => (header * 1000 + index).toString(36).padStart(6, 'b')
  const headers = Array.from({ length: 50 }, (_, header) =>
    Array.from({ length: 800 }, (_, index) => `a=${secret(header, index)}`).join(';'),
  )

  test('yields to the event loop between slices [BND-10]', async () => {
    let passes = 0
    const countPass = () => {
      passes += 1
      counting = setImmediate(countPass)
    }
    let counting = setImmediate(countPass)
    const concealers = await Promise.all([headers, headers.toReversed()].map(concealerInSlices))
    clearImmediate(counting)
    expect(passes).toBeGreaterThan(4)
    for (const conceal of concealers) expect(conceal(`x ${headers[7]} x`)).toBe('x [secret] x')
  })

  test('conceals the same texts as concealerOf', async () => {
    const values = [
      'Bearer token-of-mine',
      'Basic dXNlcjpwYXNzd29yZA==',
      'a=first-one; b=second',
      'x'.repeat(9000),
    ]
    const [whole, sliced] = [concealerOf(values), await concealerInSlices(values)]
    const said = 'token-of-mine, password, %66irst-one second c2Vjb25k XXXX first-one'
    expect(sliced(said)).toBe(whole(said))
    expect(sliced.longestLength).toBe(whole.longestLength)
  })
})
