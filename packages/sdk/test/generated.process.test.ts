import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

test('the types and methods are those of the committed contract [SDK-1]', () => {
  const top = fileURLToPath(new URL('../../../', import.meta.url))
  const { status, stderr } = spawnSync(process.execPath, ['scripts/generate-sdk.mjs', '--check'], {
    cwd: top,
    encoding: 'utf8',
  })
  expect([status, stderr]).toEqual([0, ''])
})
