import { once } from 'node:events'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { closeAfterwards } from '../../support/close-afterwards.js'
import { announcedStart } from '../../support/process/announced-start.js'
import {
  cleanUp,
  newDirectory,
  newMigratedDirectory,
  newPostgres,
  slow,
  startParley,
} from '../../support/process/parley-process.js'
import { readWelcome } from '../../support/process/welcome-text.js'
import { databaseKinds, startService } from '../../support/start-service.js'

afterAll(cleanUp)

/** Settings of a new database that consecutive starts share. */
const newDatabase = {
  embedded: async () => ({ PARLEY_DATA_DIR: join(await newMigratedDirectory(), 'data'), PARLEY_SECRET: '' }),
  postgres: async () => ({ ...(await newPostgres()), PARLEY_DATA_DIR: join(await newDirectory(), 'data') }),
}

/** Occupies two adjacent ports. The test holds them itself, because other programs may release theirs. */
async function holdNeighbours(): Promise<[string, string]> {
  for (;;) {
    const port = await hold(0)
    const next = await hold(port + 1).catch(() => null)
    if (next !== null) return [String(port), String(next)]
  }
}

async function hold(port: number): Promise<number> {
  const holder = createServer((socket) => socket.destroy()).listen(port, '127.0.0.1')
  await once(holder, 'listening')
  closeAfterwards(() => new Promise((resolve) => holder.close(resolve)))
  const address = holder.address()
  return typeof address === 'object' && address !== null ? address.port : port
}

async function expectRefused(PORT: string): Promise<void> {
  const other = await startParley({ env: { ...(await newPostgres()), PORT } })
  expect(await other.ended).toEqual({ code: 1, signal: null })
  expect(other.stderr()).toMatch(
    /^Parley cannot start: port \d+ on 127\.0\.0\.1 is already in use by another Parley \(\d+\.\d+\.\d+, http:\/\/127\.0\.0\.1:\d+\)/,
  )
}

describe.each(databaseKinds)('a first start on a taken port, %s', (database) => {
  test(
    'fails before anything is created, and the next start on the suggested port shows the key [START-1] [START-6]',
    slow,
    async () => {
      const [PORT, next] = await holdNeighbours()
      const env = await newDatabase[database]()

      const refused = await startParley({ env: { ...env, PORT } })
      expect(await refused.ended).toEqual({ code: 1, signal: null })
      expect(refused.stderr()).toContain(`port ${PORT} on 127.0.0.1 is already in use by another program`)
      expect(refused.stderr()).not.toContain('is ready')
      const [, free = '', offered = ''] =
        /choose another port, for example (\d+): PORT=(\d+) npm start/.exec(refused.stderr()) ?? []
      expect([PORT, next]).not.toContain(offered)
      expect(free).toBe(offered)

      const first = await startService({ database, env: { ...env, PORT: offered } })
      const screen = await announcedStart(first, { isTTY: database === 'postgres' })
      const { apiKey, organizationId } = readWelcome(screen)
      const client = first.client.as({ apiKey: apiKey.trim(), organizationId: organizationId.trim() })
      expect((await client.call('GET', '/api/v1/Agent')).status).toBe(200)

      // The program on the port is identified over the network, so its storage makes no difference.
      if (database === 'postgres') await expectRefused(offered)
    },
  )
})
