import { parseUrl } from '@parley/contract'
import { expect, test } from 'vitest'

test('accepts letters beyond ASCII, even after many addresses were parsed [OUT-1]', () => {
  for (let count = 0; count < 50_000; count += 1) parseUrl(`https://host-${count % 7}.example/`)
  expect(parseUrl('https://b\u00fccher.example/')?.hostname).toBe('xn--bcher-kva.example')
  expect(parseUrl('b\u00fccher', 'https://example.com/a/')?.pathname).toBe('/a/b%C3%BCcher')
  expect(parseUrl('no address')).toBeNull()
})
