import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { readProjectFile } from './source-files.js'

const top = new URL('../../../../', import.meta.url)
const named = [
  ...readProjectFile('docs/internals/code-tour.md').matchAll(/`((?:apps|packages)\/[^`]+)`/g),
].map(([, path = '']) => path)

test('the code tour names files that exist', () => {
  expect(named.length).toBeGreaterThan(50)
  expect(named.filter((path) => !existsSync(fileURLToPath(new URL(path, top))))).toEqual([])
})

test('the code tour keeps to its limit of files', () => {
  const tour = readProjectFile('docs/internals/code-tour.md')
  const lengths = tour.split(/^## /m).map((way) => way.match(/^\d+\. /gm)?.length ?? 0)
  expect(lengths.slice(1, 5).map((length, way) => length <= ([8, 25, 20, 20][way] ?? 0))).toEqual([
    true,
    true,
    true,
    true,
  ])
})
