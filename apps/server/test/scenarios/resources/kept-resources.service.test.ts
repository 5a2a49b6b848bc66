import type { Problem } from '@parley/contract'
import { v7 as uuid } from 'uuid'
import { describe, expect, test } from 'vitest'
import type { ApiClient } from '../../support/api-client.js'
import { createResource, type StoredResource } from '../../support/http/resources.js'
import { snapshotOf } from '../../support/http/snapshot.js'
import { useService } from '../../support/http/use-service.js'
import { withPostgresClient } from '../../support/services/postgres-connection.js'

const http = useService()

const url = 'https://example.com/hook'
const kinds = [
  ['Agent', { name: 'Desk' }, { name: '' }],
  ['Connection', { name: 'Models', kind: 'openai' }, { name: 'Models', kind: 'azure-openai' }],
  [
    'Webhook',
    { name: 'Hook', url, events: ['*'] },
    { name: 'Hook', url: 'http://127.0.0.1/', events: ['*'] },
  ],
  [
    'PhoneConnection',
    { name: 'Provider', kind: 'twilio', accountId: 'AC1' },
    { name: 'Provider', kind: 'twilio', accountId: 'A C' },
  ],
  ['Budget', { name: 'All', period: 'day', limit: { tokens: 9 } }, { name: 'All', period: 'day', limit: {} }],
] as const

const put = (by: ApiClient, path: string, body: object, headers = {}) =>
  by.call<StoredResource & Problem>('PUT', path, { body, headers })

describe.each(kinds)('%s', (name, body, refused) => {
  const collection = `/api/v1/${name}`
  const external = (externalId: string) => `${collection}/external/${encodeURIComponent(externalId)}`

  test('has an external id that is unique in the organization [CODE-1]', async () => {
    const externalId = uuid()
    const { made, path } = await createResource(http.client, collection, { ...body, externalId })
    const { path: other } = await createResource(http.client, collection, body)
    for (const [method, to] of [
      ['POST', collection],
      ['PATCH', other],
      ['PUT', other],
    ] as const) {
      const answer = await http.client.call<Problem>(method, to, { body: { ...body, externalId } })
      expect(answer).toMatchObject({ status: 409, body: { errorCode: 'Conflict' } })
      expect(answer.body.detail).toContain('externalId')
    }
    const stranger = await http.newOrganization()
    expect((await put(stranger, external(externalId), body)).body.id).not.toBe(made.id)
    await http.client.call('DELETE', path)
    expect((await put(http.client, external(externalId), body)).status).toBe(201)
  })

  test('is created or replaced by external id, and eight concurrent requests create one [CODE-2]', async () => {
    const by = await http.newOrganization()
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        put(by, external('a/b %'), { ...body, name: `Call ${index}`, managedBy: 'hotel' }),
      ),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array<number>(7).fill(200), 201])
    expect(new Set(answers.map((answer) => answer.body.id)).size).toBe(1)
    const last = answers.find(({ headers }) => headers.get('etag') === '"8"')
    const stored = await by.call('GET', `${collection}/${last?.body.id}`)
    expect(stored.body).toEqual(last?.body)
    expect(stored.body).toMatchObject({ externalId: 'a/b %', managedBy: 'hotel' })
    for (const tag of ['"1"', '"9"'])
      expect((await put(by, external('a/b %'), body, { 'if-match': tag })).status).toBe(412)
    expect((await put(by, external('new'), body, { 'if-match': '*' })).status).toBe(412)
  })

  test('supports a dry run that returns the outcome or error and changes nothing [CODE-3]', async () => {
    const watching = { name: 'Watching', url, events: ['*'] }
    await createResource(http.client, '/api/v1/Webhook', watching)
    const { made, path } = await createResource(http.client, collection, { ...body, externalId: uuid() })
    const { running } = http
    const rowsOf = async (statement: string) =>
      (await withPostgresClient(running.databaseUrl ?? '', (client) => client.query(statement))).rows
    const stored = async () => [
      await snapshotOf(running, running.organizationId),
      await rowsOf(
        'select (select count(*) from webhook_event) + (select count(*) from webhook_delivery), (select count(*) from idempotency_key), (select json_agg(b) from budget b)',
      ),
    ]
    // Waits until the event has been turned into deliveries, so that the rows no longer change.
    await expect.poll(() => rowsOf('select position from webhook_event'), { timeout: 60_000 }).toEqual([])
    const before = await stored()
    const dry = (method: string, to: string, sent?: object, headers = {}) =>
      http.client.call<StoredResource>(method, `${to}?DryRun=true`, { ...(sent && { body: sent }), headers })

    const created = await dry('POST', collection, body, { 'idempotency-key': 'tried' })
    expect(created).toMatchObject({ status: 201, body: { name: body.name } })
    if (name === 'Webhook') expect(created.body.secret).toBe('')
    expect(await dry('PUT', external(uuid()), body)).toMatchObject({ status: 201 })
    const renamed = { ...body, name: 'Renamed' }
    const { externalId } = made
    const changes = [
      await dry('PUT', external(String(externalId)), renamed, { 'if-match': '"1"' }),
      await dry('PUT', path, { ...renamed, externalId }),
      await dry('PATCH', path, { name: 'Renamed' }),
    ]
    for (const { status, body: would, headers } of changes) {
      expect(would).toEqual({ ...made, name: 'Renamed', updatedAt: would.updatedAt })
      expect([status, headers.get('etag'), headers.get('parley-changed')]).toEqual([200, null, 'name'])
    }
    expect((await dry('PATCH', path, {})).headers.get('parley-changed')).toBe('')
    expect(await dry('DELETE', path, undefined, { 'if-match': '"1"' })).toMatchObject({ status: 204 })
    for (const answer of [
      await dry('PUT', path, body, { 'if-match': '"2"' }),
      await dry('DELETE', path, undefined, { 'if-match': '"2"' }),
      await dry('POST', collection, refused),
      await dry('POST', collection, { ...body, externalId }),
      await dry('PUT', `${collection}/${uuid()}`, body),
    ])
      expect(answer.status).toBeGreaterThanOrEqual(400)
    expect(await stored()).toEqual(before)
  })
})

describe('a secret that is sent again', () => {
  const path = '/api/v1/Agent'
  const tool = (token: string, to = 'https://example.com/') => ({
    name: 'Desk',
    tools: [
      {
        ...{ kind: 'http', name: 'call', description: 'Calls.' },
        request: { method: 'GET', url: to, headers: { Authorization: token } },
      },
    ],
  })
  const changedBy = async (to: string, body: object) =>
    (await http.client.call('PUT', `${to}?DryRun=true`, { body })).headers.get('parley-changed')

  test('is not a change unless its value or its address differs [CODE-4]', async () => {
    await put(http.client, `${path}/external/tools`, tool('one'))
    expect(await changedBy(`${path}/external/tools`, tool('one'))).toBe('')
    expect(await changedBy(`${path}/external/tools`, tool('two'))).toBe('toolSecrets')
    expect(await changedBy(`${path}/external/tools`, tool('one', 'https://example.com/else'))).toBe(
      'tools,toolSecrets',
    )
    const connection = { name: 'Models', kind: 'openai', apiKey: 'sk-one' }
    await put(http.client, '/api/v1/Connection/external/keyed', connection)
    expect(await changedBy('/api/v1/Connection/external/keyed', connection)).toBe('')
    expect(await changedBy('/api/v1/Connection/external/keyed', { ...connection, apiKey: 'sk-two' })).toBe(
      'apiKey',
    )
  })

  test("a restored revision keeps the agent's external id [AGT-11] [CODE-4]", async () => {
    const { made } = await createResource(http.client, path, { name: 'Before' })
    await http.client.call('PATCH', `${path}/${made.id}`, { body: { name: 'After', externalId: 'kept' } })
    const restore = `${path}/${made.id}/revision/1/restore`
    const tried = await http.client.call('POST', `${restore}?DryRun=true`)
    expect(tried).toMatchObject({ status: 200, body: { name: 'Before' } })
    expect((await http.client.call('GET', `${path}/${made.id}`)).body).toMatchObject({ name: 'After' })
    const restored = await http.client.call('POST', restore)
    expect(restored.body).toMatchObject({ name: 'Before', externalId: 'kept' })
  })
})
