import type { Connection, ConnectionTest, Problem } from '@parley/contract'
import { v7 as uuid } from 'uuid'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { ApiClient } from '../../support/api-client.js'
import { addOrganization } from '../../support/organizations.js'
import { type ScriptedHttpServer, startScriptedHttpServer } from '../../support/scripted-http-server.js'
import { type RunningService, startService } from '../../support/start-service.js'

const path = '/api/v1/Connection'
const at = ({ id }: { readonly id: string }) => `${path}/${id}`

// The store test adapters/database/resource-methods.database.test.ts covers, on both databases, that a
// connection in use cannot be deleted.
describe('an engine connection with a separate chat connection', () => {
  let running: RunningService
  let provider: ScriptedHttpServer
  let client: ApiClient

  beforeAll(async () => {
    provider = await startScriptedHttpServer()
    running = await startService({ env: { PARLEY_ALLOWED_PRIVATE_HOSTS: '127.0.0.1' } })
    client = running.client
  })

  afterEach(() => provider.verify())

  afterAll(async () => {
    await running.close()
    await provider.close()
  })

  async function create(fields: object, by = client): Promise<Connection> {
    const answer = await by.call<Connection>('POST', path, { body: { name: 'Text', ...fields } })
    expect(answer.status, answer.text).toBe(201)
    return answer.body
  }

  const text = (fields: object = {}) => create({ kind: 'anthropic', models: { chat: 'a' }, ...fields })
  const engine = (fields: object = {}) => create({ name: 'Voice', kind: 'embedded', ...fields })

  async function expectMistake(method: string, to: string, body: object, message: string): Promise<void> {
    const refused = await client.call<Problem>(method, to, { body })
    expect(refused.status, refused.text).toBe(400)
    expect(refused.body).toMatchObject({
      errorCode: 'InvalidRequest',
      errors: [{ path: 'chatConnectionId', message: expect.stringContaining(message) }],
    })
  }

  test('stores the reference and can clear it [CON-7]', async () => {
    const other = await text()
    const voice = await engine({ chatConnectionId: other.id.toUpperCase() })
    expect(voice).toMatchObject({ chatConnectionId: other.id })
    expect((await client.call('GET', at(voice))).body).toEqual(voice)
    expect((await client.call('PUT', at(voice), { body: voice })).body).toMatchObject({
      chatConnectionId: other.id,
    })
    const freed = await client.call('PATCH', at(voice), { body: { chatConnectionId: null } })
    expect(freed.body).toMatchObject({ chatConnectionId: null })
    const again = await client.call('PATCH', at(voice), { body: { chatConnectionId: other.id } })
    expect(again.body).toMatchObject({ chatConnectionId: other.id })
  })

  test('must name a connection of its organization that is not an engine [CON-7]', async () => {
    const stranger = client.as(await addOrganization(running))
    const foreign = await create({ kind: 'anthropic' }, stranger)
    const [voice, other] = [await engine(), await engine()]
    const cases = [
      [foreign.id, 'must be a connection of this organization'],
      [uuid(), 'must be a connection of this organization'],
      [other.id, 'of kind embedded'],
    ] as const
    for (const [chatConnectionId, message] of cases) {
      const body = { name: 'Voice', kind: 'embedded', chatConnectionId }
      await expectMistake('POST', path, body, message)
      await expectMistake('PUT', at(voice), body, message)
      await expectMistake('PATCH', at(voice), { chatConnectionId }, message)
    }
    await expectMistake('PATCH', at(voice), { chatConnectionId: voice.id }, 'another connection')
    expect((await client.call('GET', at(voice))).body).toEqual(voice)
  })

  test('is the only kind that may have a chat connection [CON-7]', async () => {
    const other = await text()
    const body = { name: 'A', kind: 'openai', chatConnectionId: other.id }
    await expectMistake('POST', path, body, 'unless kind is embedded')
    const voice = await engine({ chatConnectionId: other.id })
    await expectMistake('PATCH', at(voice), { kind: 'openai' }, 'unless kind is embedded')
    const changed = await client.call('PATCH', at(voice), {
      body: { kind: 'openai', chatConnectionId: null },
    })
    expect(changed.status).toBe(200)
  })

  test('prevents the other connection from being deleted or turned into an engine [CON-7]', async () => {
    const other = await text()
    const voices = [
      await engine({ chatConnectionId: other.id }),
      await engine({ chatConnectionId: other.id }),
    ]
    const toEngine = { body: { kind: 'embedded', baseUrl: null } }
    for (const refused of [
      await client.call<Problem>('DELETE', at(other)),
      await client.call<Problem>('PATCH', at(other), toEngine),
    ])
      expect(refused).toMatchObject({
        status: 409,
        body: { errorCode: 'Conflict', detail: expect.stringContaining('2') },
      })
    expect((await client.call('PATCH', at(other), { body: { kind: 'openai' } })).status).toBe(200)
    for (const voice of voices) expect((await client.call('DELETE', at(voice))).status).toBe(204)
    expect((await client.call('PATCH', at(other), toEngine)).status).toBe(200)
    expect((await client.call('DELETE', at(other))).status).toBe(204)
  })

  test('keeps its chat connection under concurrent changes [CON-7]', async () => {
    const changes = [
      (other: Connection) => client.call('DELETE', at(other)),
      (other: Connection) => client.call('PATCH', at(other), { body: { kind: 'embedded' } }),
    ]
    const rounds = Array.from({ length: 12 }, async (_, round) => {
      const [other, known] = [await text(), await engine()]
      const name = () =>
        round % 3 === 0
          ? client.call('PATCH', at(known), { body: { chatConnectionId: other.id } })
          : client.call('POST', path, { body: { name: 'V', kind: 'embedded', chatConnectionId: other.id } })
      const change = () => changes[round % 2]?.(other) ?? Promise.reject(new Error('no change'))
      const [named, changed] = await Promise.all([name(), change()])
      return { named: named.status, changed: changed.status }
    })
    for (const { named, changed } of await Promise.all(rounds)) {
      if (named === 400) expect([200, 204]).toContain(changed)
      else expect([named, changed]).toEqual([expect.toSatisfy((status) => status < 300), 409])
    }
  })

  const testConnection = async (connection: Connection) =>
    (await client.call<ConnectionTest>('POST', `${at(connection)}/test`)).body

  const compatible = (fields: object = {}) => ({
    kind: 'openai-compatible',
    baseUrl: `${provider.url}/v1`,
    apiKey: 'sk-text',
    ...fields,
  })

  test('is tested by testing the chat connection [CON-6]', async () => {
    const other = await text(compatible())
    const voice = await engine({ chatConnectionId: other.id })
    const asked = provider.expect('GET /v1/models', { body: { data: [{ id: 'b' }] } })
    expect(await testConnection(voice)).toMatchObject({
      ok: true,
      detail: expect.stringMatching(/Text.*does not list a/),
      missingModels: ['a'],
    })
    expect((await asked).headers.authorization).toBe('Bearer sk-text')
    void provider.expect('GET /v1/models', { status: 401 })
    expect(await testConnection(voice)).toMatchObject({ ok: false, providerStatus: 401 })
  })

  test.each([
    ['is disabled', { governanceDisabled: true }, 'has disabled the connection'],
    ['has no text model', { models: {} }, 'has a text model'],
  ])('fails its test if the chat connection %s [CON-6]', async (_, fields, words) => {
    const other = await text(compatible(fields))
    const voice = await engine({ chatConnectionId: other.id })
    expect(await testConnection(voice)).toMatchObject({ ok: false, detail: expect.stringContaining(words) })
  })
})
