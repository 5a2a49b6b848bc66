import { readFileSync } from 'node:fs'
import { Parley } from '@parley/sdk'
import { expect, test } from 'vitest'

const page = readFileSync(new URL('../../../docs/reference/sdk.md', import.meta.url), 'utf8')

/** Returns the names between backquotes. */
const namesIn = (text: string) => [...text.matchAll(/`(\w+)`/g)].map(([, name = '']) => name)

const documented = [...page.matchAll(/^\| `(\w+)` \| [^`]+ \| ((?:`\w+` ?)+)\|$/gm)].map(
  ([, group = '', methods = '']) => [group, namesIn(methods).sort()],
)

test('docs/reference/sdk.md lists every group and method of the client [SDK-41]', () => {
  const parley = new Parley({ baseUrl: 'http://parley', organizationId: 'o', apiKey: 'k' })
  const groups = Object.entries(parley).map(([group, client]: [string, object]) => [
    group,
    Object.getOwnPropertyNames(Object.getPrototypeOf(client))
      .filter((name) => name !== 'constructor')
      .sort(),
  ])
  expect(documented).toEqual(groups)
})

test('the examples of docs/reference/sdk.md call methods that exist [SDK-41]', () => {
  const calls = [...page.matchAll(/\bparley\.(\w+)\.(\w+)\(/g)].map(
    ([, group, method]) => `${group}.${method}`,
  )
  const known = documented.flatMap(([group, methods]) =>
    [...(methods ?? [])].map((name) => `${group}.${name}`),
  )
  expect(calls.length).toBeGreaterThan(10)
  expect(calls.filter((call) => !known.includes(call))).toEqual([])
})
