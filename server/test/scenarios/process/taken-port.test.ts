import { once } from 'node:events'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { makeApiClient } from '../../support/api-client.js'
import {
  cleanUp,
  newDirectory,
  newPostgres,
  slow,
  startParley,
} from '../../support/process/parley-process.js'
import { readWelcome } from '../../support/process/welcome-text.js'

afterEach(cleanUp)

/** Settings of a new database of each kind, which starts one after the other share. */
const databases = {
  embedded: async () => ({ PARLEY_DATA_DIR: join(await newDirectory(), 'data') }),
  PostgreSQL: async () => ({ ...(await newPostgres()), PARLEY_DATA_DIR: join(await newDirectory(), 'data') }),
}

describe.each(Object.entries(databases))(
  '[START-1] a first start on a taken port, %s',
  (kind, newDatabase) => {
    test('fails before anything is made, and the next start shows the key', slow, async () => {
      const holder = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1')
      await once(holder, 'listening')
      const address = holder.address()
      const PORT = String(typeof address === 'object' ? address?.port : '')
      const env = await newDatabase()

      const refused = await startParley({ env: { ...env, PORT } })
      expect(await refused.ended).toEqual({ code: 1, signal: null })
      expect(refused.stderr()).toContain(`port ${PORT} of 127.0.0.1 is taken, by another program`)
      expect(refused.stderr()).toContain('PORT=')
      expect(refused.stderr()).not.toContain('is ready')
      holder.close()
      await once(holder, 'close')

      const first = await startParley({ env: { ...env, PORT }, inTerminal: kind === 'PostgreSQL' })
      const url = await first.ready()
      const shown = () => `${first.stdout()}${first.stderr()}`
      await expect.poll(shown).toMatch(/^ORG=/m)
      const { apiKey, organizationId } = readWelcome(shown())
      const client = makeApiClient(url, { apiKey: apiKey.trim(), organizationId: organizationId.trim() })
      expect((await client.call('GET', '/api/v1/Agent')).status).toBe(200)

      const other = await startParley({ env: { PORT } })
      expect(await other.ended).toEqual({ code: 1, signal: null })
      expect(other.stderr()).toMatch(
        /is taken, by another Parley \(\d+\.\d+\.\d+, http:\/\/127\.0\.0\.1:\d+\)/,
      )
    })
  },
)
