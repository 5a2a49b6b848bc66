import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openSecrets } from '#server/adapters/system/secret-keeper.js'

let dataDir = ''

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'parley-secret-'))
})
afterAll(() => rm(dataDir, { recursive: true, force: true }))

test('a backup contains the active secret before, during and after its replacement [CLI-8] [CLI-9]', async () => {
  const { cipher, secrets } = await openSecrets({ secret: null, previousSecret: null, dataDir })
  const kept = () => readFile(join(dataDir, 'secret'), 'utf8')
  const first = await secrets.generated()
  expect(first).toBe((await kept()).trim())
  for (const round of ['once', 'again']) {
    const before = await secrets.generated()
    await secrets.beginRotation()
    const during = await secrets.generated()
    const sealed = cipher.seal(round, 'test')
    await secrets.finishRotation()
    const after = await secrets.generated()
    expect([during === before, after]).toEqual([false, during])
    expect((await kept()).trim()).toBe(after)
    const reopened = await openSecrets({ secret: null, previousSecret: null, dataDir })
    expect(reopened.cipher.open(sealed, 'test')).toBe(round)
  }
})
