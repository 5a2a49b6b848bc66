import { scopes } from '@parley/contract'
import { Client } from 'pg'
import { beforeAll, describe, expect, test } from 'vitest'
import { systemClock } from '#server/adapters/system/clock.js'
import { countUse } from '#server/domain/usage/count-use.js'
import type { ConversationRecord } from '#server/ports/conversation-stores.js'
import { addWaitingApproval } from '../../support/approvals.js'
import { uploaded } from '../../support/files/upload.js'
import { headersOf } from '../../support/http/operation-requests.js'
import { openReadyStream } from '../../support/live/live-reader.js'
import { addApiKey, addOrganization } from '../../support/organizations.js'
import { signedIn } from '../../support/people/signed-in.js'
import { type Instances, startInstances } from '../../support/questions/instances.js'
import { makeSession, makeTurn } from '../../support/stores/records.js'
import { makeUse } from '../../support/stores/usage-records.js'
import { makeDelivery, makeWebhook } from '../../support/stores/webhook-records.js'

/** Two instances without Redis between them. Each must find the changes of the other. */
let instances: Instances
let oldTaskId: string

beforeAll(async () => {
  instances = await startInstances()
  oldTaskId = await make('/api/v1/Task', { title: 'Water the plants' })
})

const headers = () => headersOf(instances.one)

/** Makes every kind of change on the first instance. The key is the change that the stream reports. */
const changes: Readonly<Record<string, () => Promise<unknown>>> = {
  'created Task': () => make('/api/v1/Task', { title: 'Water the plants' }),
  'updated Task': () =>
    instances.one.client.call('PATCH', `/api/v1/Task/${oldTaskId}`, { body: { title: 'Done' } }),
  'deleted Task': async () => remove('/api/v1/Task', await make('/api/v1/Task', { title: 'Soon gone' })),
  'created Agent': () => make('/api/v1/Agent', { name: 'Concierge' }),
  'deleted Agent': async () => remove('/api/v1/Agent', await make('/api/v1/Agent', { name: 'Soon gone' })),
  'created Connection': () => make('/api/v1/Connection', { name: 'Provider', kind: 'openai' }),
  'created ApiKey': () => make('/api/v1/ApiKey', { name: 'Reader', scopes: ['agent:read'] }),
  'created Invitation': () => make('/api/v1/Invitation', { role: 'viewer', email: 'kim@example.com' }),
  'created TemporaryFile': () => uploaded(instances.one, { name: 'note.txt', content: 'The roof is new.' }),
  'updated Member': async () => {
    const { memberId } = await signedIn(instances.one, 'viewer')
    await instances.one.client.call('PATCH', `/api/v1/Member/${memberId}`, { body: { role: 'builder' } })
  },
  'created Conversation': addApproval,
  'created Message': addApproval,
  'created Approval': addApproval,
  'created Turn': async () => stores().turns.insert(makeTurn(await addApproval())),
  'created RealtimeSession': async () => stores().realtimeSessions.insert(makeSession(await addApproval())),
  'updated Price': () => instances.one.client.call('PUT', '/api/v1/Price', { body: { items: [] } }),
  'updated Webhook': async () => {
    const webhook = makeWebhook(instances.one.organizationId)
    await stores().webhooks.insert(webhook)
    await stores().webhookDeliveries.insert([makeDelivery(webhook)])
  },
  'updated Usage': countUsage,
  'created AuditLog': () => make('/api/v1/Task', { title: 'Written down' }),
}

function countUsage(): Promise<unknown> {
  const { service, organizationId } = instances.one
  return service.database.transaction((each) =>
    countUse({ clock: systemClock }, each, makeUse(organizationId)),
  )
}

const stores = () => instances.one.service.database.stores

async function make(path: string, body: object): Promise<string> {
  const answer = await instances.one.client.call<{ id: string }>('POST', path, { body })
  expect(answer.status).toBe(201)
  return answer.body.id
}

async function remove(path: string, id: string): Promise<void> {
  expect((await instances.one.client.call('DELETE', `${path}/${id}`)).status).toBe(204)
}

/** Adds a conversation with a message and a waiting call. */
async function addApproval(): Promise<ConversationRecord> {
  const { organizationId } = instances.one
  const { conversationId } = await addWaitingApproval(stores(), organizationId)
  const found = await stores().conversations.find(organizationId, conversationId)
  if (found === null) throw new Error('The conversation is gone.')
  return found
}

describe('a live stream', () => {
  test('reports the changes of another instance with their ids [LIVE-1]', async () => {
    const reader = await openReadyStream(instances.other.url, headers())
    const id = await make('/api/v1/Task', { title: 'Water the plants' })
    const taskEvent = await reader.waitForChange({ resource: 'Task' })
    expect(taskEvent).toMatchObject({ resource: 'Task', id, change: 'created', parentId: null })
    const { id: conversationId } = await addApproval()
    for (const resource of ['Message', 'Approval'] as const)
      expect(await reader.waitForChange({ resource })).toMatchObject({ parentId: conversationId })
    expect(await reader.waitForChange({ resource: 'Conversation' })).toMatchObject({ id: conversationId })
    // Each change is reported once, although its row and the audit log both show it.
    const tasks = reader.received.filter(({ event }) => event.type === 'changed' && event.data.id === id)
    expect(tasks).toHaveLength(1)
  })

  test('resumes on another instance without missing a change [LIVE-3]', async () => {
    const first = await openReadyStream(instances.one.url, headers())
    await first.cut()
    for (const change of Object.values(changes)) await change()
    const resumed = { ...headers(), 'last-event-id': first.cursor() }
    const second = await openReadyStream(instances.other.url, resumed)
    expect(second.received[0]?.id).toBe(first.cursor())
    await second.waitForChange({ resource: 'RealtimeSession' })
    expect(second.told()).toEqual(expect.arrayContaining(Object.keys(changes)))
    // A stream that is cut within a batch receives the whole batch again.
    const [, early] = second.received
    const third = await openReadyStream(instances.one.url, {
      ...headers(),
      'last-event-id': early?.id ?? '',
    })
    await third.waitForChange({ resource: 'RealtimeSession' })
    expect(third.told()).toEqual(expect.arrayContaining(Object.keys(changes)))
  })

  test('does not report changes that its reader could not read [LIVE-2]', async () => {
    const { one, other } = instances
    const held = scopes.filter((scope) => !/^(task|org|audit)/.test(scope))
    const partly = { ...one, apiKey: await addApiKey(stores(), one.organizationId, held) }
    const viewer = await signedIn(one, 'viewer')
    const asViewer = { cookie: viewer.cookie, 'x-org-id': one.organizationId }
    const [all, some, seen, foreign] = await Promise.all([
      openReadyStream(other.url, headers()),
      openReadyStream(other.url, headersOf(partly)),
      openReadyStream(other.url, asViewer),
      openReadyStream(other.url, headersOf(await addOrganization(one))),
    ])
    await make('/api/v1/Task', { title: 'Secret' })
    await make('/api/v1/ApiKey', { name: 'Reader', scopes: ['agent:read'] })
    const id = await make('/api/v1/Agent', { name: 'The last one' })
    for (const reader of [all, some, seen]) await reader.waitForChange({ id })
    expect(all.told()).toEqual(
      expect.arrayContaining(['created Task', 'created ApiKey', 'created Agent', 'created AuditLog']),
    )
    expect(some.told()).toEqual(['created Agent'])
    expect(seen.told().sort()).toEqual(['created Agent', 'created Task'])
    expect(foreign.received.map(({ event }) => event.type)).toEqual(['ready'])
  })

  test.each([
    ['an invalid cursor', () => 'yesterday'],
    [
      'a cursor that is older than an hour',
      (now: string) => now.replace(/^\d+/, (time) => String(+time - 3.7e9)),
    ],
    ['a cursor from the future', (now: string) => now.replace(/^\d+/, (time) => String(+time + 6e7))],
    ['a cursor of another database', (now: string) => now.replace(/-\d+/, (next) => `${next}0`)],
    ['an endless cursor', () => '1-'.repeat(4000)],
  ])('starts again with a reset after %s [LIVE-4]', async (_, bad) => {
    const { cursor } = await openReadyStream(instances.one.url, headers())
    const reader = await openReadyStream(instances.other.url, {
      ...headers(),
      'last-event-id': bad(cursor()),
    })
    const { id } = await reader.waitFor(({ type }) => type === 'reset')
    expect(reader.received[0]?.id).toBeNull()
    // Its own cursor is valid again.
    const next = await openReadyStream(instances.one.url, { ...headers(), 'last-event-id': id ?? '' })
    await make('/api/v1/Task', { title: 'Behind it' })
    await next.waitForChange({ resource: 'Task' })
  })

  test('sends a single reset if too much changes [LIVE-4]', async () => {
    const own = await addOrganization(instances.one)
    const reader = await openReadyStream(instances.one.url, headersOf(own))
    const client = new Client({ connectionString: instances.postgres.url })
    await client.connect()
    await client.query(
      `insert into audit_record (id, organization_id, at, actor_type, action, outcome, details, canonical)
       select overlay(gen_random_uuid()::text placing $2 from 1 for 13)::uuid, $1, now(), 'system', 'many', 'success', '{}', ''
       from generate_series(1, 501)`,
      [own.organizationId, Date.now().toString(16).padStart(12, '0').replace(/^.{8}/, '$&-')],
    )
    await client.end()
    await reader.waitFor(({ type }) => type === 'reset')
    expect(reader.received.map(({ event }) => event.type)).toEqual(['ready', 'reset'])
  })
})

describe('a live stream whose caller loses access', () => {
  test('ends when its key is deleted [LIVE-5]', async () => {
    const { one, other } = instances
    // Uses its own organization, because other changes would be reported.
    const own = await addOrganization(one)
    const client = one.client.as(own)
    const body = { name: 'Short-lived', scopes: ['task:read'] }
    const made = await client.call<{ id: string; key: string }>('POST', '/api/v1/ApiKey', { body })
    const reader = await openReadyStream(other.url, headersOf({ ...own, apiKey: made.body.key }))
    expect((await client.call('DELETE', `/api/v1/ApiKey/${made.body.id}`)).status).toBe(204)
    await reader.ended
    expect(reader.received).toHaveLength(1)
  })

  test('ends when its person signs out or gets another role [LIVE-5]', async () => {
    const { one, other } = instances
    const [leaving, promoted] = [await signedIn(one, 'viewer'), await signedIn(one, 'viewer')]
    const open = ({ cookie }: { cookie: string }) =>
      openReadyStream(other.url, { cookie, 'x-org-id': one.organizationId })
    const readers = await Promise.all([leaving, promoted].map(open))
    const stays = await open(await signedIn(one, 'viewer'))
    expect((await leaving.call('POST', '/api/v1/SignOut')).status).toBe(204)
    const path = `/api/v1/Member/${promoted.memberId}`
    expect((await one.client.call('PATCH', path, { body: { role: 'admin' } })).status).toBe(200)
    await Promise.all(readers.map((reader) => reader.ended))
    const id = await make('/api/v1/Task', { title: 'Still there' })
    await stays.waitForChange({ id })
  })
})
