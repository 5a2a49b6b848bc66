import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

test('[SDK-1] the types and methods are those of the committed contract', () => {
  const top = fileURLToPath(new URL('../../../', import.meta.url))
  const { status, stderr } = spawnSync(process.execPath, ['scripts/generate-sdk.mjs', '--check'], {
    cwd: top,
    encoding: 'utf8',
  })
  expect([status, stderr]).toEqual([0, ''])
})
