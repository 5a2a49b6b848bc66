import type { AuditLogRecord, Connection, ConnectionTest, Page } from '@parley/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ApiClient } from '../../support/api-client.js'
import { bootstrap, cleanUp, newPostgres } from '../../support/process/parley-process.js'
import { type ScriptedHttpServer, startScriptedHttpServer } from '../../support/scripted-http-server.js'
import { startService } from '../../support/start-service.js'

const environmentName = 'OpenAI (from the environment)'

let provider: ScriptedHttpServer

beforeAll(async () => {
  provider = await startScriptedHttpServer()
})

afterAll(async () => {
  await cleanUp()
  await provider.close()
})

/** Starts on a database, runs the checks and stops again. */
async function during<Result>(
  env: Readonly<Record<string, string>>,
  look: (client: ApiClient) => Promise<Result>,
): Promise<Result> {
  const running = await startService({ env: { ...bootstrap, ...env } })
  const result = await look(running.client)
  await running.close()
  return result
}

async function listConnections(client: ApiClient): Promise<readonly Connection[]> {
  return (await client.call<Page<Connection>>('GET', '/api/v1/Connection')).body.items
}

async function defaultConnection(client: ApiClient): Promise<Connection | undefined> {
  return (await listConnections(client)).find(({ isDefault }) => isDefault)
}

async function environmentConnection(client: ApiClient): Promise<Connection | undefined> {
  return (await listConnections(client)).find(({ name }) => name === environmentName)
}

const etagOf = async (client: ApiClient, id: string | undefined) =>
  (await client.call('GET', `/api/v1/Connection/${id}`)).headers.get('etag')

/** Returns the key that the provider receives when the connection is tested. */
async function keyInUse(client: ApiClient, id: string | undefined): Promise<string | undefined> {
  const asked = provider.expect('GET /v1/models', { body: { data: [] } })
  const { body } = await client.call<ConnectionTest>('POST', `/api/v1/Connection/${id}/test`)
  expect(body).toMatchObject({ ok: true })
  provider.verify()
  return (await asked).headers.authorization
}

describe('the provider of the environment', () => {
  test('is the default from the first start on [OPS-5]', async () => {
    const env = { ...(await newPostgres()), OPENAI_API_KEY: 'sk-of-the-first-start' }
    await during(env, async (client) => {
      expect(await defaultConnection(client)).toMatchObject({
        name: environmentName,
        kind: 'openai',
        baseUrl: null,
        hasApiKey: true,
        realtimeEnabled: true,
      })
      expect((await listConnections(client)).filter(({ isDefault }) => isDefault)).toHaveLength(1)
      expect((await client.call('GET', '/api/v1/Connection')).text).not.toContain(env.OPENAI_API_KEY)
    })
  })

  test('becomes the default at a later start and follows the environment from then on [OPS-5]', async () => {
    const env = await newPostgres()
    const OPENAI_BASE_URL = `${provider.url}/v1`
    await during(env, async (client) => {
      expect(await defaultConnection(client)).toMatchObject({ name: 'Built-in engine' })
    })
    const first = await during({ ...env, OPENAI_BASE_URL, OPENAI_API_KEY: 'sk-first' }, async (client) => {
      const connection = await defaultConnection(client)
      expect(connection).toMatchObject({
        name: environmentName,
        kind: 'openai-compatible',
        baseUrl: OPENAI_BASE_URL,
      })
      expect(await keyInUse(client, connection?.id)).toBe('Bearer sk-first')
      return connection
    })
    await during({ ...env, OPENAI_BASE_URL, OPENAI_API_KEY: 'sk-second' }, async (client) => {
      expect(await defaultConnection(client)).toMatchObject({ id: first?.id })
      expect(await etagOf(client, first?.id)).toBe('"2"')
      expect(await keyInUse(client, first?.id)).toBe('Bearer sk-second')
      const { body } = await client.call<Page<AuditLogRecord>>(
        'GET',
        '/api/v1/AuditLog?Action=connection.update',
      )
      expect(body.items.filter(({ resourceId }) => resourceId === first?.id)).toMatchObject([
        { actor: { type: 'system' }, details: { from: 'OPENAI_API_KEY' } },
      ])

      const chosen = { name: 'Chosen by a person', kind: 'openai', apiKey: 'sk-own', isDefault: true }
      expect((await client.call('POST', '/api/v1/Connection', { body: chosen })).status).toBe(201)
    })
    await during({ ...env, OPENAI_BASE_URL, OPENAI_API_KEY: 'sk-second' }, async (client) => {
      // Only the choice of another default has changed it since.
      expect(await etagOf(client, first?.id)).toBe('"3"')
    })
    await during({ ...env, OPENAI_API_KEY: 'sk-third' }, async (client) => {
      expect(await defaultConnection(client)).toMatchObject({ name: 'Chosen by a person' })
      expect(await environmentConnection(client)).toMatchObject({
        id: first?.id,
        kind: 'openai',
        baseUrl: null,
        hasApiKey: true,
        isDefault: false,
      })
      expect(await etagOf(client, first?.id)).toBe('"4"')
      expect(await listConnections(client)).toHaveLength(3)
    })
  })
})
