import { afterAll, describe, expect, test } from 'vitest'
import { makeApiClient } from '../../support/api-client.js'
import {
  bootstrap,
  cleanUp,
  credentials,
  newDirectory,
  newMigratedDirectory,
  newPostgres,
  slow,
  startParley,
} from '../../support/process/parley-process.js'
import { startService } from '../../support/start-service.js'
import { type ReceivedDelivery, startReceiver } from '../../support/webhooks/receiver.js'

afterAll(cleanUp)

describe('a service that is killed between an event and its delivery', slow, () => {
  test.each(['postgres', 'embedded'] as const)(
    'delivers it after its next start (%s) [HOOK-8]',
    async (kind) => {
      const receiver = await startReceiver()
      const directory = kind === 'embedded' ? await newMigratedDirectory() : await newDirectory()
      const env = {
        ...bootstrap,
        PARLEY_SECRET: 'a secret for tests that is long enough',
        PARLEY_ALLOWED_PRIVATE_HOSTS: '127.0.0.1',
        LOG_LEVEL: 'warn',
        ...(kind === 'postgres' && (await newPostgres())),
      }
      const killed = await startParley({ directory, env })
      const client = makeApiClient(await killed.ready(), credentials)
      const hook = { name: 'Hook', url: `${receiver.url}/hook`, events: ['task.created'] }
      await client.call('POST', '/api/v1/Webhook', { body: hook })
      // The first delivery kills the service. Events committed by then are waiting or being delivered.
      receiver.behave('/hook', () => killed.signal('SIGKILL'))
      const made: string[] = []
      const make = async () => {
        const answer = await client.call<{ id: string }>('POST', '/api/v1/Task', { body: { title: 'T' } })
        if (answer.status === 201) made.push(answer.body.id)
      }
      await Promise.all(Array.from({ length: 20 }, () => make().catch(() => undefined)))
      await killed.ended
      expect(made.length).toBeGreaterThan(0)

      receiver.behave('/hook', 204)
      await startService({ database: kind, env: { ...env, PARLEY_DATA_DIR: `${directory}/data` } })
      await expect
        .poll(() => missing(made, receiver.at('/hook')), { timeout: 60_000, interval: 50 })
        .toEqual([])
    },
  )
})

const missing = (made: readonly string[], came: readonly ReceivedDelivery[]) =>
  made.filter((id) => !came.some(({ body }) => body.data.id === id))
