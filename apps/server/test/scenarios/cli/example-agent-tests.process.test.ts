import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { runCommand } from '../../support/cli/run-command.js'

const examples = fileURLToPath(new URL('../../../../../examples/agents', import.meta.url))

test('the tests of the example agents pass by text and by voice on a temporary service, and nothing remains [KIT-9]', async () => {
  const cwd = await mkdtemp(join(tmpdir(), 'parley-examples-'))
  const { code, stdout, stderr } = await runCommand(['test', examples], { env: {}, cwd })
  expect(stdout, stderr).toMatch(/^6 of 6 tests passed in \d+\.\d s\.\n$/)
  expect(code).toBe(0)
  expect(stderr).toMatch(/✓ .*finds a booking by voice \(voice/)
  expect((await readdir(tmpdir())).filter((name) => name.startsWith('parley-own-'))).toEqual([])
  await rm(cwd, { recursive: true })
}, 240_000)
