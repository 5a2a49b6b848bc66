import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fillBody } from '#server/adapters/http-tools/fill-body.js'
import { fillUrl } from '#server/adapters/http-tools/fill-url.js'
import { anyCharacter } from '../../support/any-character.js'
import { onlyArguments } from '../../support/tools/invocations.js'

const value = fc.oneof(
  fc.string({ unit: anyCharacter }),
  fc.string({
    unit: fc.constantFrom('.', '/', '\\', '%', '2', 'e', 'f', '5', '@', ':', '?', '#', ';', '{x}', 'a'),
  }),
)

test('an argument of any value stays within one path segment or one query value', () => {
  fc.assert(
    fc.property(value, value, value, (x, y, z) => {
      const filled = fillUrl(
        'https://a.test:8443/one/{x}/two-{y}?q={z}&n=1',
        [['more', '<{z}>']],
        onlyArguments({ x, y, z }),
      )
      if (!filled.ok) return
      const url = new URL(filled.url)
      expect(url).toMatchObject({ origin: 'https://a.test:8443', username: '', hash: '' })
      expect(url.pathname.split('/').map(decodeURIComponent)).toEqual(['', 'one', x, `two-${y}`])
      expect([...url.searchParams]).toEqual([
        ['q', z],
        ['n', '1'],
        ['more', `<${z}>`],
      ])
    }),
    { numRuns: 2000 },
  )
})

test('a variable of any value stays within one path segment or one query value [USR-6]', () => {
  fc.assert(
    fc.property(value, value, value, (x, y, z) => {
      const values = new Map([
        ['x', x],
        ['y', y],
        ['z', z],
      ])
      const filled = fillUrl(
        'https://a.test:8443/one/{{x}}/two-{{ y }}?q={{z}}&n=1',
        [['more', '<{{z|none}}>']],
        {
          // A value that looks like a placeholder must not be filled again.
          arguments: { x: 'argument', y: 'argument' },
          variables: ({ name }) => values.get(name) ?? '',
        },
      )
      if (!filled.ok) return
      const url = new URL(filled.url)
      expect(url).toMatchObject({ origin: 'https://a.test:8443', username: '', hash: '' })
      expect(url.pathname.split('/').map(decodeURIComponent)).toEqual(['', 'one', x, `two-${y}`])
      expect([...url.searchParams]).toEqual([
        ['q', z],
        ['n', '1'],
        ['more', `<${z}>`],
      ])
    }),
    { numRuns: 2000 },
  )
})

test('a variable of any value stays within one string of a JSON body [USR-6]', () => {
  const template = { '{{x}}': 'a', plain: '{{x}}', inner: ['before {{x}} {y} after'] }
  fc.assert(
    fc.property(value, (x) => {
      const filled = fillBody(template, { arguments: { y: 'argument' }, variables: () => x })
      expect(JSON.parse(JSON.stringify(filled))).toEqual({
        '{{x}}': 'a',
        plain: x,
        inner: [`before ${x} argument after`],
      })
    }),
    { numRuns: 2000 },
  )
})

test('accepts ordinary values', () => {
  const ordinary = fc.stringMatching(/^[\w ,@+~-][\w .,@+~-]{0,30}$/)
  fc.assert(fc.property(ordinary, (x) => fillUrl('https://a.test/{x}', [], onlyArguments({ x })).ok))
})

test.each(['http://a.test:{x}/', '{x}://a.test/', 'http://{x}.test/', 'http://a.test{x}/', '{x}'])(
  'arguments cannot choose the origin: %s',
  (template) => {
    for (const x of ['80', 'http', 'a', '', '.b', ':80', '@b.test']) {
      expect(fillUrl(template, [], onlyArguments({ x })).ok).toBe(false)
    }
  },
)
