import { cp, mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { findProgram } from '../../bin/programs.mjs'

/** The packages in the bundle. */
const packages = ['contract', 'sdk', 'telephone', 'terminal', 'agents-as-code', 'agent-tests']

const programs = fileURLToPath(new URL('../../bin/programs.mjs', import.meta.url))

test('the bundle runs unless it is incomplete or older than its sources [HOUSE-5]', async () => {
  const checkout = await mkdtemp(join(tmpdir(), 'parley-bundle-'))
  onTestFinished(() => rm(checkout, { recursive: true }))
  const at = (path: string) => join(checkout, path)
  for (const folder of [
    'apps/server/bin',
    'apps/server/bundle',
    'apps/server/dist',
    ...packages.map((name) => `packages/${name}/dist`),
  ])
    await mkdir(at(folder), { recursive: true })
  await cp(programs, at('apps/server/bin/programs.mjs'))
  const copy: { findProgram: typeof findProgram } = await import(
    pathToFileURL(at('apps/server/bin/programs.mjs')).href
  )
  const found = () => fileURLToPath(copy.findProgram('parley'))
  const write = async (path: string, second: number) => {
    await writeFile(at(path), '')
    await utimes(at(path), second, second)
  }
  expect(found()).toBe(at('apps/server/dist/parley.js'))
  await write('apps/server/bundle/.made', 1000)
  expect(found()).toBe(at('apps/server/bundle/parley.js'))
  for (const source of [
    'apps/server/dist/.tsbuildinfo',
    ...packages.map((name) => `packages/${name}/dist/.tsbuildinfo`),
    'package-lock.json',
  ]) {
    await write(source, 1001)
    expect(found(), source).toBe(at('apps/server/dist/parley.js'))
    await write(source, 999)
    expect(found(), source).toBe(at('apps/server/bundle/parley.js'))
  }
})

test('these tests run the bundle [HOUSE-5]', () => {
  expect(findProgram('main').pathname).toMatch(/\/server\/bundle\/main\.js$/)
})
