import type { ServerResponse } from 'node:http'
import type { Connection, ConnectionTest, Problem } from '@parley/contract'
import { type Engine, startEngine } from '@parley/engine'
import { v7 as uuid } from 'uuid'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type ScriptedHttpServer, startScriptedHttpServer } from '../../support/scripted-http-server.js'
import { type RunningService, startService } from '../../support/start-service.js'

const apiKey = 'sk-a-key-that-nobody-may-see'

let provider: ScriptedHttpServer
let running: RunningService

beforeAll(async () => {
  provider = await startScriptedHttpServer()
  running = await startService({ env: { PARLEY_ALLOWED_PRIVATE_HOSTS: '127.0.0.1' } })
})

afterEach(() => {
  provider.verify()
  expect(running.log.join('')).not.toContain(apiKey)
})

afterAll(async () => {
  await running.close()
  await provider.close()
})

const path = '/api/v1/Connection'

async function create(fields: object = {}): Promise<Connection> {
  const defaults = { name: 'Provider', kind: 'openai-compatible', baseUrl: `${provider.url}/v1`, apiKey }
  const { status, body, text } = await running.client.call<Connection>('POST', path, {
    body: { ...defaults, ...fields },
  })
  expect(status, text).toBe(201)
  return body
}

/** Tests the connection. Checks that the key is not in the response. */
async function testConnection({ id }: Connection): Promise<ConnectionTest> {
  const { status, body, text } = await running.client.call<ConnectionTest>('POST', `${path}/${id}/test`)
  expect(status, text).toBe(200)
  expect(text).not.toContain(apiKey)
  expect(body.durationMilliseconds).toBeGreaterThanOrEqual(0)
  return body
}

describe('a standalone engine', () => {
  let engine: Engine
  const addressOf = (path: string) => new URL(path, engine.url.replace('ws:', 'http:')).href

  beforeAll(async () => {
    engine = await startEngine({ port: 0, secret: apiKey })
  })

  afterAll(() => engine.close())

  test.each([
    ['/v1', apiKey, true, 'The provider accepts the key and lists 1 model.'],
    ['/v1', 'sk-another', false, 'The provider answered 401: it rejected the stored key.'],
    ['/', apiKey, false, 'this address has no model list. Check baseUrl. It often ends in /v1.'],
  ])('can be tested at %s [ENG-16]', async (path, key, ok, detail) => {
    const connection = await create({ baseUrl: addressOf(path), apiKey: key })
    expect(await testConnection(connection)).toMatchObject({ ok, detail: expect.stringContaining(detail) })
  })
})

const list = (...ids: string[]) => ({ body: { object: 'list', data: ids.map((id) => ({ id })) } })

test('a voice of GPT-Live without a text model is named [RT-66]', async () => {
  provider.expect('GET /v1/models', list('gpt-live-1'))
  const connection = await create({ kind: 'openai', models: { realtime: ['gpt-live-1'] } })
  expect(await testConnection(connection)).toMatchObject({
    ok: true,
    detail: expect.stringContaining('gpt-live-1 also needs a text model: set models.chat'),
  })
})

describe('the request to the provider', () => {
  const bearer = { authorization: `Bearer ${apiKey}` }
  const kinds: [string, string, string, Record<string, string>][] = [
    ['openai-compatible', '/v1', '/v1/models', bearer],
    ['openai-compatible', '/v1///', '/v1/models', bearer],
    ['openai', '/proxy/openai', '/proxy/openai/models', bearer],
    ['qwen', '', '/compatible-mode/v1/models', bearer],
    ['qwen', '/api-ws/v1', '/compatible-mode/v1/models', bearer],
    ['azure-openai', '', '/openai/v1/models', { 'api-key': apiKey }],
    ['azure-openai', '/openai/v1/', '/openai/v1/models', { 'api-key': apiKey }],
    ['anthropic', '/v1', '/v1/models', { 'x-api-key': apiKey, 'anthropic-version': '2023-06-01' }],
  ]

  test.each(kinds)('carries the stored key: %s at %j [CON-6]', async (kind, base, expected, headers) => {
    const connection = await create({ kind, baseUrl: `${provider.url}${base}` })
    const arrived = provider.expect(`GET ${expected}`, list('a', 'b'))
    expect(await testConnection(connection)).toMatchObject({
      ok: true,
      detail: expect.stringContaining('2 models'),
      providerStatus: 200,
      missingModels: [],
    })
    const request = await arrived
    expect(request).toMatchObject({ headers, body: '' })
    const places = Object.entries(request.headers).filter(([, value]) => String(value).includes(apiKey))
    expect(places.map(([name]) => name)).toEqual([Object.keys(headers)[0]])
  })

  test('carries no key if a compatible provider has none [CON-6]', async () => {
    const connection = await create({ apiKey: null })
    const arrived = provider.expect('GET /v1/models', list())
    expect(await testConnection(connection)).toMatchObject({ ok: true })
    expect((await arrived).headers).not.toHaveProperty('authorization')
  })

  test.each([
    ['openai', { baseUrl: 'http://127.0.0.1:1' }, 'No key is stored'],
    ['anthropic', {}, 'No key is stored'],
    ['azure-openai', { baseUrl: 'http://127.0.0.1:1' }, 'No key is stored'],
  ])('is not made if there is no key to test: %s [CON-6]', async (kind, fields, detail) => {
    const connection = await create({ kind, baseUrl: null, apiKey: null, ...fields })
    expect(await testConnection(connection)).toMatchObject({
      ok: false,
      detail: expect.stringContaining(detail),
      providerStatus: null,
    })
  })

  test('is not needed for the built-in engine [CON-6]', async () => {
    const connection = await create({ kind: 'embedded', baseUrl: null, apiKey: null })
    expect(await testConnection(connection)).toMatchObject({
      ok: true,
      detail: expect.stringContaining('needs no key'),
      providerStatus: null,
    })
  })

  test('is made only for connections of the organization [CON-6]', async () => {
    for (const id of [uuid(), 'no-uuid'])
      expect((await running.client.call('POST', `${path}/${id}/test`)).status).toBe(404)
  })

  test('is not made with a key that was moved from another connection [ACC-5]', async () => {
    const { connections } = running.service.database.stores
    const read = async ({ id }: Connection) => {
      const record = await connections.find(running.organizationId, id)
      if (record === null) throw new Error('The connection is not in the database.')
      return record
    }
    const [one, other] = [await read(await create()), await read(await create({ apiKey: 'sk-other' }))]
    await connections.update({ ...one, sealedApiKey: other.sealedApiKey }, one.version)
    const answer = await running.client.call<Problem>('POST', `${path}/${one.id}/test`)
    expect(answer).toMatchObject({ status: 500, body: { errorCode: 'Internal' } })
    expect(answer.text).not.toContain('sk-other')
    expect(provider.requests).toEqual([])
  })
})

describe('the models of a connection', () => {
  const models = { chat: 'chat', realtime: ['rt-1', 'rt-2'], transcription: 'rt-1', speech: 'tts' }

  test("models are compared with the provider's models [CON-6]", async () => {
    const connection = await create({ models })
    provider.expect('GET /v1/models', list('rt-2', 'chat', 'another'))
    expect(await testConnection(connection)).toMatchObject({
      ok: true,
      detail: expect.stringContaining('rt-1, tts'),
      missingModels: ['rt-1', 'tts'],
    })
    provider.expect('GET /v1/models', list('chat', 'rt-1', 'rt-2', 'tts'))
    expect(await testConnection(connection)).toMatchObject({ ok: true, missingModels: [] })
  })

  test('models are not compared for Azure, because it lists no deployments [CON-6]', async () => {
    const connection = await create({ kind: 'azure-openai', baseUrl: provider.url, models })
    provider.expect('GET /openai/v1/models', list('gpt-5'))
    expect(await testConnection(connection)).toMatchObject({ ok: true, missingModels: [] })
  })
})

describe('a provider that does not list its models', () => {
  test.each([
    [401, 'rejected the stored key'],
    [403, 'rejected the stored key'],
    [404, 'Check baseUrl'],
    [429, 'rate limit or quota'],
    [400, 'answered 400'],
    [500, 'answered 500'],
    [503, 'answered 503'],
  ])('is reported with an explanation: %i [CON-6]', async (status, detail) => {
    const connection = await create({ models: { chat: 'chat' } })
    const body = { error: { message: `Incorrect API key provided: ${apiKey}.` } }
    provider.expect('GET /v1/models', { status, body })
    expect(await testConnection(connection)).toMatchObject({
      ok: false,
      detail: expect.stringContaining(detail),
      providerStatus: status,
      missingModels: [],
    })
  })

  test.each<[string, unknown]>([
    ['a page', '<!doctype html><title>Welcome</title>'],
    ['nothing', ''],
    ['half of a list', '{"data":[{"id":"a"}'],
    ['other JSON', { models: [{ id: 'a' }] }],
    ['a list of something else', { data: [{ name: 'a' }] }],
    ['null', 'null'],
    ['the key itself', apiKey],
  ])('is reported with an explanation: %s [CON-6]', async (_what, body) => {
    const connection = await create()
    provider.expect('GET /v1/models', { body })
    expect(await testConnection(connection)).toMatchObject({
      ok: false,
      detail: expect.stringContaining('did not respond with a list of models'),
      providerStatus: 200,
    })
  })

  test('is reported if its response never ends [CON-6]', async () => {
    const connection = await create()
    const chunk = ' '.repeat(1024 * 1024)
    const closed = new Promise((resolve) => {
      provider.expect('GET /v1/models', (response) => {
        const pour = (error?: Error | null) =>
          void (!error && response.writable && response.write(chunk, pour))
        response.on('close', resolve)
        pour()
      })
    })
    const finding = await testConnection(connection)
    expect(finding).toMatchObject({ ok: false, detail: expect.stringContaining('larger') })
    await closed
  })
})

describe('a provider that cannot be reached', () => {
  const unreached = (detail: string) => ({
    ok: false,
    detail: expect.stringContaining(detail),
    providerStatus: null,
    missingModels: [],
  })

  test('is reported if no server listens at the address [CON-6]', async () => {
    const gone = await startScriptedHttpServer()
    await gone.close()
    const finding = await testConnection(await create({ baseUrl: gone.url }))
    expect(finding).toMatchObject(
      unreached(`Nothing listens at 127.0.0.1:${gone.port}. Check address and port`),
    )
  })

  test('is reported if its host name does not exist [CON-6]', async () => {
    // No label of a name may be this long, so no DNS query is needed.
    const host = `${'x'.repeat(64)}.example.com`
    const connection = await create({ baseUrl: `https://${host}/v1` })
    expect(await testConnection(connection)).toMatchObject(unreached(`${host} was not found`))
  })

  test('is reported if the connection drops before or during the response [CON-6]', async () => {
    const connection = await create()
    provider.expect('GET /v1/models', (response) => response.destroy())
    expect(await testConnection(connection)).toMatchObject(unreached('did not answer properly'))
    provider.expect('GET /v1/models', (response) => {
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .write('{"data":[', () => response.destroy())
    })
    expect(await testConnection(connection)).toMatchObject(unreached('did not answer properly'))
  })

  test('does not block other requests while it is silent [CON-6]', async () => {
    const connection = await create()
    let silent: ServerResponse | undefined
    const arrived = provider.expect('GET /v1/models', (response) => {
      silent = response
    })
    const finding = testConnection(connection)
    await arrived
    const patch = { body: { name: 'Changed meanwhile' } }
    expect((await running.client.call('PATCH', `${path}/${connection.id}`, patch)).status).toBe(200)
    expect((await running.client.call('DELETE', `${path}/${connection.id}`)).status).toBe(204)
    silent?.destroy()
    expect(await finding).toMatchObject(unreached('did not answer properly'))
  })

  test('does not block the shutdown of the service while it is silent [CON-6]', async () => {
    const env = { PARLEY_ALLOWED_PRIVATE_HOSTS: '127.0.0.1', PARLEY_DRAIN_SECONDS: '0' }
    const stopping = await startService({ env })
    const body = { name: 'Provider', kind: 'openai-compatible', baseUrl: `${provider.url}/v1`, apiKey }
    const { id } = (await stopping.client.call<Connection>('POST', path, { body })).body
    let closing: Promise<void> | undefined
    const left = new Promise((resolve) => {
      provider.expect('GET /v1/models', (response) => {
        response.on('close', resolve)
        closing = stopping.close()
      })
    })
    await expect(stopping.client.call('POST', `${path}/${id}/test`)).rejects.toThrow()
    await left
    await closing
    expect(stopping.log.join('')).not.toContain(apiKey)
  })
})

describe('a provider that redirects', () => {
  test.each([
    ['the metadata service', 'http://169.254.169.254/latest/meta-data/'],
    ['this machine under another name', 'http://localhost:1/'],
    ['this machine over IPv6', 'http://[::1]:1/'],
    ['a private network', 'http://10.0.0.1/'],
  ])('is not followed to %s [CON-6] [OUT-4]', async (_where, location) => {
    const connection = await create()
    provider.expect('GET /v1/models', { status: 302, headers: { location } })
    expect(await testConnection(connection)).toMatchObject({
      ok: false,
      detail: expect.stringContaining('PARLEY_ALLOWED_PRIVATE_HOSTS'),
      providerStatus: null,
    })
  })

  test('is followed if the target is allowed, without the key to another origin [CON-6]', async () => {
    const other = await startScriptedHttpServer()
    const connection = await create()
    provider.expect('GET /v1/models', { status: 307, headers: { location: '/v2/models' } })
    provider.expect('GET /v2/models', { status: 307, headers: { location: `${other.url}/models` } })
    const arrived = other.expect('GET /models', { status: 401 })
    expect(await testConnection(connection)).toMatchObject({ ok: false, providerStatus: 401 })
    expect(provider.requests.map(({ headers }) => headers.authorization)).toEqual([
      `Bearer ${apiKey}`,
      `Bearer ${apiKey}`,
    ])
    expect(JSON.stringify((await arrived).headers)).not.toContain(apiKey)
    other.verify()
    await other.close()
  })
})
