import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { readJson, workspaces } from './source-files.js'

const runs = readJson<Record<string, readonly string[]>>('scripts/test-runs.json')
const kinds = Object.values(runs).flat()

/** `service` in `tasks.service.test.ts`, `unit` in `config.test.ts`. */
const kindOf = (path: string) => /\.([^./]+)\.test\.ts$/.exec(path)?.[1] ?? 'unit'

test('every test file has a kind that one of the test commands runs', () => {
  const folders = workspaces
    .filter((name) => !name.startsWith('qa/'))
    .map((name) => new URL(`../../../../${name}/test`, import.meta.url))
    .filter((folder) => existsSync(folder))
  const files = folders.flatMap((folder) => readdirSync(folder, { recursive: true, encoding: 'utf8' }))
  const known = new Set(kinds)
  const unknown = files.filter((path) => path.endsWith('.test.ts') && !known.has(kindOf(path)))
  expect(unknown).toEqual([])
})

test('every kind belongs to one test command and is a project of Vitest', () => {
  const config = readFileSync(new URL('../../../../vitest.config.ts', import.meta.url), 'utf8')
  const projects = [...config.matchAll(/\bkind\('(\w+)'/g)].map(([, name]) => name)
  expect(projects.toSorted()).toEqual(kinds.toSorted())
})
