import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findTestFiles } from '#agent-tests/find-test-files.js'

let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-test-files-'))
  await mkdir(join(folder, 'shop', 'node_modules'), { recursive: true })
  for (const name of ['a.test.yaml', 'agents.yaml', 'shop/b.test.yml', 'shop/node_modules/c.test.yaml'])
    await writeFile(join(folder, name), '')
})

afterAll(() => rm(folder, { recursive: true }))

const found = async (...paths: readonly string[]) =>
  (await findTestFiles(paths.map((path) => join(folder, path)))).map(({ path }) =>
    path.slice(folder.length + 1),
  )

test('finds the test files of a folder and of the folders in it', async () => {
  expect(await found('.')).toEqual(['a.test.yaml', 'shop/b.test.yml'])
})

test('returns a named file, even if its name is not that of a test', async () => {
  expect(await found('agents.yaml')).toEqual(['agents.yaml'])
})

test.each([
  ['*.test.yaml', ['a.test.yaml']],
  ['**/*.yml', ['shop/b.test.yml']],
  ['?.test.*', ['a.test.yaml']],
])('finds the files that match %s', async (pattern, expected) => {
  expect(await found(pattern)).toEqual(expected)
})

test.each(['nothing.yaml', 'shop/*.yaml'])('rejects %s, which matches no file', async (path) => {
  await expect(found(path)).rejects.toThrow('does not exist')
})
