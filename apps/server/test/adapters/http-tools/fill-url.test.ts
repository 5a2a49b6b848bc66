import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fillUrl } from '#server/adapters/http-tools/fill-url.js'
import { anyCharacter } from '../../support/any-character.js'

const value = fc.oneof(
  fc.string({ unit: anyCharacter }),
  fc.string({
    unit: fc.constantFrom('.', '/', '\\', '%', '2', 'e', 'f', '5', '@', ':', '?', '#', ';', '{x}', 'a'),
  }),
)

test('an argument of any value stays within one path segment or one query value', () => {
  fc.assert(
    fc.property(value, value, value, (x, y, z) => {
      const filled = fillUrl('https://a.test:8443/one/{x}/two-{y}?q={z}&n=1', [['more', '<{z}>']], {
        x,
        y,
        z,
      })
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

test('accepts ordinary values', () => {
  const ordinary = fc.stringMatching(/^[\w ,@+~-][\w .,@+~-]{0,30}$/)
  fc.assert(fc.property(ordinary, (x) => fillUrl('https://a.test/{x}', [], { x }).ok))
})

test.each(['http://a.test:{x}/', '{x}://a.test/', 'http://{x}.test/', 'http://a.test{x}/', '{x}'])(
  'arguments cannot choose the origin: %s',
  (template) => {
    for (const x of ['80', 'http', 'a', '', '.b', ':80', '@b.test']) {
      expect(fillUrl(template, [], { x }).ok).toBe(false)
    }
  },
)
