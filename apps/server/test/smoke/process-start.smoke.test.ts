import type { Agent, Page } from '@parley/contract'
import { afterEach, expect, test } from 'vitest'
import { makeApiClient } from '../support/api-client.js'
import {
  bootstrap,
  cleanUp,
  credentials,
  newDirectory,
  slow,
  startParley,
} from '../support/process/parley-process.js'

afterEach(cleanUp)

test(
  'starts in an empty directory on the embedded database and keeps an agent until the next start',
  slow,
  async () => {
    const directory = await newDirectory()
    const first = await startParley({ directory, env: bootstrap })
    const client = makeApiClient(await first.ready(), credentials)
    expect((await client.call('GET', '/readyz')).status).toBe(200)
    const created = await client.call<Agent>('POST', '/api/v1/Agent', { body: { name: 'Night desk' } })
    expect(created.status).toBe(201)
    first.signal('SIGTERM')
    expect(await first.ended).toEqual({ code: 0, signal: null })

    const second = await startParley({ directory, env: bootstrap })
    const agents = await makeApiClient(await second.ready(), credentials).call<Page<Agent>>(
      'GET',
      '/api/v1/Agent',
    )
    expect(agents.body.items.map(({ id }) => id)).toContain(created.body.id)
    second.signal('SIGTERM')
    expect(await second.ended).toEqual({ code: 0, signal: null })
  },
)
