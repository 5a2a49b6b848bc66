import { once } from 'node:events'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
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

/** Settings of a new database, which starts one after the other share. */
const newDatabase = {
  embedded: async () => ({ PARLEY_DATA_DIR: join(await newMigratedDirectory(), 'data'), PARLEY_SECRET: '' }),
  postgres: async () => ({ ...(await newPostgres()), PARLEY_DATA_DIR: join(await newDirectory(), 'data') }),
}

describe.each(databaseKinds)('[START-1] a first start on a taken port, %s', (database) => {
  test('fails before anything is made, and the next start shows the key', slow, async () => {
    const holder = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1')
    await once(holder, 'listening')
    const address = holder.address()
    const PORT = String(typeof address === 'object' ? address?.port : '')
    const env = { ...(await newDatabase[database]()), PORT }

    const refused = await startParley({ env })
    expect(await refused.ended).toEqual({ code: 1, signal: null })
    expect(refused.stderr()).toContain(`port ${PORT} of 127.0.0.1 is taken, by another program`)
    expect(refused.stderr()).toContain('PORT=')
    expect(refused.stderr()).not.toContain('is ready')
    holder.close()
    await once(holder, 'close')

    const first = await startService({ database, env })
    const screen = await announcedStart(first, { isTTY: database === 'postgres' })
    const { apiKey, organizationId } = readWelcome(screen)
    const client = first.client.as({ apiKey: apiKey.trim(), organizationId: organizationId.trim() })
    expect((await client.call('GET', '/api/v1/Agent')).status).toBe(200)
  })
})
