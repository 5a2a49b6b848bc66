import type { Agent, Connection, Page, Problem } from '@parley/contract'
import { describe, expect, test } from 'vitest'
import type { ApiClient } from '../../support/api-client.js'
import { at, connectionPath, useConnectionService } from '../../support/resources/connection-service.js'

const { change, clock, create, http, keyOf } = useConnectionService()
const { mistakesIn, newOrganization } = http

const noModels = { chat: null, realtime: null, transcription: null, speech: null }

const everyField = {
  name: 'Azure, Sweden',
  kind: 'azure-openai',
  baseUrl: 'https://sweden.openai.azure.com',
  models: { chat: 'chat', realtime: ['rt-1', 'rt-2'], transcription: 'whisper', speech: 'tts' },
  realtimeEnabled: false,
  governanceDisabled: true,
  isDefault: false,
  chatConnectionId: null,
  realtimeProtocol: null,
  externalId: null,
  managedBy: 'hotel',
}

describe('a connection', () => {
  test('has defaults for every field but its name and kind', async () => {
    expect(await create()).toEqual({
      id: expect.any(String),
      createdAt: clock.now().toISOString(),
      updatedAt: clock.now().toISOString(),
      name: 'Provider',
      kind: 'openai',
      baseUrl: null,
      models: noModels,
      realtimeEnabled: true,
      governanceDisabled: false,
      isDefault: false,
      chatConnectionId: null,
      realtimeProtocol: null,
      externalId: null,
      managedBy: null,
      hasApiKey: false,
    })
  })

  test('stores every field', async () => {
    const connection = await create({ ...everyField, apiKey: 'sk-1' })
    expect(connection).toMatchObject({ ...everyField, hasApiKey: true })
    expect((await http.client.call('GET', at(connection))).body).toEqual(connection)
    const page = (await http.client.call<Page<Connection>>('GET', connectionPath)).body
    expect(page.items[0]).toEqual(connection)
  })

  test('returns to the defaults for fields that a replacement omits', async () => {
    const connection = await create(everyField)
    clock.advance(1000)
    const replaced = await change('PUT', connection, { name: 'New', kind: 'anthropic' })
    expect(replaced).toMatchObject({
      kind: 'anthropic',
      baseUrl: null,
      models: noModels,
      realtimeEnabled: true,
    })
    expect(replaced).toMatchObject({ createdAt: connection.createdAt, updatedAt: clock.now().toISOString() })
  })

  test('merges a patch, including its models [API-11]', async () => {
    const connection = await create(everyField)
    const patch = { governanceDisabled: false, models: { chat: null, realtime: [] } }
    expect(await change('PATCH', connection, patch)).toMatchObject({
      ...everyField,
      governanceDisabled: false,
      models: { ...everyField.models, chat: null, realtime: [] },
    })
  })

  test('can be sent back as it was read [API-4]', async () => {
    const connection = await create({ ...everyField, apiKey: 'sk-1' })
    for (const method of ['PUT', 'PATCH']) {
      expect(await change(method, connection, connection)).toEqual({
        ...connection,
        updatedAt: clock.now().toISOString(),
      })
      expect(await keyOf(connection)).toBe('sk-1')
    }
  })

  test('is not found after its deletion or by another organization [7.1-1]', async () => {
    const connection = await create()
    const stranger = await newOrganization()
    for (const [by, method] of [
      [stranger, 'GET'],
      [stranger, 'DELETE'],
    ] as const)
      expect((await by.call(method, at(connection))).status).toBe(404)
    expect((await stranger.call('POST', `${at(connection)}/test`)).status).toBe(404)
    expect((await http.client.call('DELETE', at(connection))).status).toBe(204)
    expect((await http.client.call('GET', at(connection))).status).toBe(404)
    expect((await http.client.call('DELETE', at(connection))).status).toBe(404)
  })

  test.each([
    ['%', ['100%']],
    ['_', ['a_b']],
    ['\\', ['c\\d']],
    ['A', ['a_b']],
    ['%%', []],
  ])('is found by Search, which matches %j literally [AGT-7]', async (text, found) => {
    const by = await newOrganization()
    for (const name of ['100%', 'a_b', 'c\\d']) await create({ name }, by)
    const { body } = await by.call<Page<Connection>>(
      'GET',
      `${connectionPath}?Search=${encodeURIComponent(text)}`,
    )
    expect(body.items.map(({ name }) => name)).toEqual(found)
    expect(body.totalCount).toBe(found.length)
  })

  test.each<[string, object]>([
    ['kind', { name: 'A' }],
    ['kind', { name: 'A', kind: 'openAI' }],
    ['name', { name: ' ', kind: 'openai' }],
    ['baseUrl', { name: 'A', kind: 'openai', baseUrl: 'api.example.com' }],
    ['baseUrl', { name: 'A', kind: 'openai', baseUrl: 'ftp://example.com' }],
    ['baseUrl', { name: 'A', kind: 'openai', baseUrl: 'https://user:key@example.com' }],
    ['apiKey', { name: 'A', kind: 'openai', apiKey: '' }],
    ['apiKey', { name: 'A', kind: 'openai', apiKey: 'two words' }],
    ['apiKey', { name: 'A', kind: 'openai', apiKey: 'line\nbreak' }],
    ['models', { name: 'A', kind: 'openai', models: null }],
    ['models.chat', { name: 'A', kind: 'openai', models: { chat: '' } }],
    ['models.realtime[1]', { name: 'A', kind: 'openai', models: { realtime: ['a', ''] } }],
    ['models.voice', { name: 'A', kind: 'openai', models: { voice: 'alloy' } }],
    ['isDefault', { name: 'A', kind: 'openai', isDefault: null }],
    ['baseUrl', { name: 'A', kind: 'azure-openai' }],
    ['baseUrl', { name: 'A', kind: 'openai-compatible', apiKey: 'sk-1' }],
    ['baseUrl', { name: 'A', kind: 'embedded', baseUrl: 'https://example.com' }],
    ['apiKey', { name: 'A', kind: 'embedded', apiKey: 'sk-1' }],
  ])('is rejected if %s is invalid (%#) [CON-5] [API-15]', async (field, body) => {
    const errors = await mistakesIn('POST', connectionPath, body)
    expect(errors?.map((error) => error.path)).toContain(field)
  })

  test('must satisfy the rules of its kind after a patch too [CON-5]', async () => {
    const compatible = await create({
      kind: 'openai-compatible',
      baseUrl: 'https://example.com/v1',
      apiKey: 'k',
    })
    expect(await mistakesIn('PATCH', at(compatible), { baseUrl: null })).toMatchObject([{ path: 'baseUrl' }])
    expect(await mistakesIn('PATCH', at(compatible), { kind: 'embedded' })).toMatchObject([
      { path: 'baseUrl' },
    ])
    const embedded = await change('PATCH', compatible, { kind: 'embedded', baseUrl: null })
    expect(embedded).toMatchObject({ kind: 'embedded', hasApiKey: false })
    expect(await mistakesIn('PATCH', at(embedded), { apiKey: 'k' })).toMatchObject([{ path: 'apiKey' }])
  })
})

describe('the default connection', () => {
  const defaultsOf = async (by: ApiClient) =>
    (await by.call<Page<Connection>>('GET', connectionPath)).body.items.filter(({ isDefault }) => isDefault)

  test('is unique: a new default replaces the old one [CON-3]', async () => {
    const by = await newOrganization()
    const first = await create({ isDefault: true }, by)
    clock.advance(1000)
    const second = await create({ isDefault: true }, by)
    const unmarked = await by.call<Connection>('GET', at(first))
    expect(unmarked.body).toEqual({ ...first, isDefault: false, updatedAt: clock.now().toISOString() })
    expect(unmarked.headers.get('etag')).toBe('"2"')
    for (const [method, next] of [
      ['PATCH', first],
      ['PUT', second],
    ] as const) {
      await change(method, next, { name: 'Provider', kind: 'openai', isDefault: true }, by)
      expect((await defaultsOf(by)).map(({ id }) => id)).toEqual([next.id])
    }
    await change('PATCH', second, { isDefault: false }, by)
    expect(await defaultsOf(by)).toEqual([])
  })

  test('is unique in each organization [CON-3]', async () => {
    const [one, other] = [await newOrganization(), await newOrganization()]
    const first = await create({ isDefault: true }, one)
    await create({ isDefault: true }, other)
    expect((await defaultsOf(one)).map(({ id }) => id)).toEqual([first.id])
  })

  test('is unique under concurrent changes, and none of them fails [CON-3]', async () => {
    const by = await newOrganization()
    const mark = { name: 'Provider', kind: 'openai', isDefault: true }
    for (let round = 0; round < 5; round += 1) {
      const known = await Promise.all(Array.from({ length: 4 }, () => create({}, by)))
      const [present] = await defaultsOf(by)
      const touched = present ? [by.call('PATCH', at(present), { body: { name: 'Renamed' } })] : []
      const answers = await Promise.all([
        ...touched,
        ...known.map((connection) => by.call('PATCH', at(connection), { body: { isDefault: true } })),
        ...known.map((connection) => by.call('PUT', at(connection), { body: mark })),
        ...known.map(() => by.call('POST', connectionPath, { body: mark })),
      ])
      expect(answers.filter(({ status }) => status >= 300)).toEqual([])
      expect(await defaultsOf(by)).toHaveLength(1)
    }
  })
})

describe('a connection in use', () => {
  const createAgent = (by: ApiClient, connectionId: string | null) =>
    by.call<Agent>('POST', '/api/v1/Agent', { body: { name: 'Agent', connectionId } })

  test('is not deleted while an agent names it [CON-4]', async () => {
    const by = await newOrganization()
    const connection = await create({}, by)
    const agents = [await createAgent(by, connection.id), await createAgent(by, connection.id)]
    const refused = await by.call<Problem>('DELETE', at(connection))
    expect(refused).toMatchObject({ status: 409, body: { detail: expect.stringContaining('2') } })
    expect((await by.call('GET', at(connection))).status).toBe(200)
    await by.call('PATCH', `/api/v1/Agent/${agents[0]?.body.id}`, { body: { connectionId: null } })
    expect((await by.call('DELETE', at(connection))).status).toBe(409)
    await by.call('DELETE', `/api/v1/Agent/${agents[1]?.body.id}`)
    expect((await by.call('DELETE', at(connection))).status).toBe(204)
  })

  test('is not deleted while it is the default of an agent that names none [CON-4]', async () => {
    const by = await newOrganization()
    const [first, other] = [await create({ isDefault: true }, by), await create({}, by)]
    const agent = await createAgent(by, null)
    expect((await by.call('DELETE', at(first))).status).toBe(409)
    expect((await by.call('DELETE', at(other))).status).toBe(204)
    const next = await create({ isDefault: true }, by)
    expect((await by.call('DELETE', at(first))).status).toBe(204)
    expect((await by.call('DELETE', at(next))).status).toBe(409)
    await by.call('DELETE', `/api/v1/Agent/${agent.body.id}`)
    expect((await by.call('DELETE', at(next))).status).toBe(204)
  })

  test('is either deleted or referenced if both happen concurrently [CON-4]', async () => {
    const by = await newOrganization()
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, async (_, round) => {
        const connection = await create({}, by)
        const calls = [() => createAgent(by, connection.id), () => by.call('DELETE', at(connection))]
        const order = round % 2 === 0 ? calls : calls.toReversed()
        const answers = await Promise.all(order.map((call) => call()))
        return answers.map(({ status }) => status).sort()
      }),
    )
    const possible = [
      [201, 409],
      [204, 400],
    ].map((statuses) => statuses.sort().join())
    for (const outcome of outcomes) expect(possible).toContain(outcome.join())
  })
})

describe('the address of a connection', () => {
  test.each([
    'http://127.0.0.1:9002/v1',
    'http://localhost/',
    'http://[::1]/',
    'http://169.254.169.254/',
    'http://0x7f000001/',
  ])('is rejected on save if it is private: %s [OUT-5]', async (baseUrl) => {
    const connection = await create()
    const body = { name: 'A', kind: 'openai', baseUrl }
    for (const [method, to] of [
      ['POST', connectionPath],
      ['PUT', at(connection)],
      ['PATCH', at(connection)],
    ] as const)
      expect(await mistakesIn(method, to, body)).toEqual([
        { path: 'baseUrl', message: expect.stringContaining('PARLEY_ALLOWED_PRIVATE_HOSTS') },
      ])
    expect((await http.client.call('GET', at(connection))).body).toEqual(connection)
  })

  test.each(['http://127.0.0.1:9001/v1', 'http://2130706433:9001/', 'https://models.localhost/v1'])(
    'is accepted if the operator allows it: %s [OUT-4]',
    async (baseUrl) => {
      expect(await create({ kind: 'openai-compatible', baseUrl })).toMatchObject({ baseUrl })
    },
  )
})
