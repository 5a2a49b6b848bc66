import type { Problem } from '@parley/contract'
import { v7 as uuid } from 'uuid'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { systemClock } from '#server/adapters/system/clock.js'
import { Limits, organizationLimits } from '#server/domain/limits/organization-limits.js'
import { operatorCaller } from '#server/domain/operator/operator-act.js'
import { addOwnerLink } from '#server/domain/people/members.js'
import type { ApiAnswer, Credentials } from '../../support/api-client.js'
import { configOf } from '../../support/config/environments.js'
import { upload } from '../../support/files/upload.js'
import { expectProblem } from '../../support/http/expect-problem.js'
import { addOrganization } from '../../support/organizations.js'
import { addMember, addPerson, makeVisitor } from '../../support/people/signed-in.js'
import { databaseKinds, type RunningService, startService } from '../../support/start-service.js'
import { makeMessage } from '../../support/stores/records.js'

const max = 4
const maxFileBytes = 4000
const env = {
  PARLEY_ORG_MAX_AGENTS: String(max),
  PARLEY_ORG_MAX_CONNECTIONS: String(max),
  PARLEY_ORG_MAX_API_KEYS: String(max),
  PARLEY_ORG_MAX_MEMBERS: String(max),
  PARLEY_ORG_MAX_INVITATIONS: String(max),
  PARLEY_ORG_MAX_WEBHOOKS: String(max),
  PARLEY_ORG_MAX_TASKS: String(max),
  PARLEY_ORG_MAX_BUDGETS: String(max),
  PARLEY_ORG_MAX_PHONE_CONNECTIONS: String(max),
  PARLEY_ORG_MAX_CONVERSATIONS: String(max),
  PARLEY_ORG_MAX_MESSAGES: String(max),
  PARLEY_ORG_MAX_FILES: String(max),
  PARLEY_ORG_MAX_FILE_BYTES: String(maxFileBytes),
}

const tokenOf = (link: string) => link.split('token=')[1] ?? ''

interface Resource {
  readonly path: string
  readonly limit: string
  readonly body: (index: number) => object
  /** How many a new organization has. */
  readonly before: number
}

const resources: readonly Resource[] = [
  {
    path: 'Budget',
    limit: 'budgets',
    body: (index) => ({ name: `Budget ${index}`, period: 'day', limit: { tokens: 1 } }),
    before: 0,
  },
  {
    path: 'PhoneConnection',
    limit: 'phoneConnections',
    body: (index) => ({ name: `Provider ${index}`, kind: 'twilio', accountId: 'AC1' }),
    before: 0,
  },
  { path: 'Agent', limit: 'agents', body: (index) => ({ name: `Agent ${index}` }), before: 0 },
  {
    path: 'Connection',
    limit: 'connections',
    body: (index) => ({ name: `Connection ${index}`, kind: 'embedded' }),
    before: 0,
  },
  {
    path: 'ApiKey',
    limit: 'apiKeys',
    body: (index) => ({ name: `Key ${index}`, scopes: ['task:read'] }),
    before: 1,
  },
  {
    path: 'Webhook',
    limit: 'webhooks',
    body: (index) => ({ name: `Hook ${index}`, url: 'https://hooks.example.com/', events: ['turn.ended'] }),
    before: 0,
  },
  {
    path: 'Invitation',
    limit: 'invitations',
    body: (index) => ({ email: `p${index}@example.com`, role: 'viewer' }),
    before: 0,
  },
  { path: 'Task', limit: 'tasks', body: (index) => ({ title: `Task ${index}` }), before: 0 },
]

interface Made extends Problem {
  readonly id: string
  readonly link: string
}

describe.each(databaseKinds)('the stored resources of an organization on %s', (database) => {
  let running: RunningService
  let organization: Credentials

  beforeAll(async () => {
    running = await startService({ database, env })
    organization = await addOrganization(running)
  })

  afterAll(() => running.close())

  const post = (path: string, body: object, headers = {}, as = organization): Promise<ApiAnswer<Made>> =>
    running.client.as(as).call('POST', `/api/v1/${path}`, { body, headers })

  async function refusals(limit: string): Promise<number> {
    const { text } = await running.client.call('GET', '/metrics')
    const line = new RegExp(`^parley_organization_limit_refusals_total\\{limit="${limit}"\\} (\\d+)$`, 'm')
    return Number(line.exec(text)?.[1])
  }

  test.each(resources)(
    'limits resources: $path leads to 403 above the limit, and a deletion makes room [LIM-2]',
    async (resource) => {
      const { path, limit, body, before } = resource
      const made: string[] = []
      for (let index = before; index < max; index += 1) {
        const answer = await post(path, body(index))
        expect(answer.status, answer.text).toBe(201)
        made.push(answer.body.id)
      }
      const counted = await refusals(limit)
      const key = { 'idempotency-key': `one-more-${path}` }
      const refused = await post(path, body(max), key)
      expect(refused.body).toMatchObject({ status: 403, errorCode: 'QuotaExceeded', limit })
      expect(refused.body.detail).toContain(`${max} `)
      expect(refused.headers.get('retry-after')).toBeNull()
      expect(await refusals(limit)).toBe(counted + 1)

      const neighbour = await addOrganization(running)
      expect((await post(path, body(0), {}, neighbour)).status).toBe(201)

      const deleted = await running.client.as(organization).call('DELETE', `/api/v1/${path}/${made[0]}`)
      expect(deleted.status, deleted.text).toBe(204)
      // The rejection was not stored for the idempotency key.
      expect((await post(path, body(max), key)).status).toBe(201)
      expect((await post(path, body(max + 1))).status).toBe(403)
    },
  )

  test('counts a task with an external id only when it is new [LIM-2]', async () => {
    const own = await addOrganization(running)
    const put = (id: string, title: string) =>
      running.client.as(own).call<Made>('PUT', `/api/v1/Task/external/${id}`, { body: { title } })
    for (let index = 0; index < max; index += 1)
      expect((await put(`T${index}`, 'First')).status).toBeLessThan(300)
    expect((await put('T9', 'One too many')).body).toMatchObject({ errorCode: 'QuotaExceeded' })
    expect((await put('T0', 'Second')).status).toBe(200)
  })

  test("limits accepted members, except for the operator's own link [LIM-2]", async () => {
    const own = await addOrganization(running)
    const { database } = running.service
    for (let index = 0; index < max; index += 1) {
      const { id: personId } = await addPerson(database.stores)
      await addMember(database.stores, { ...own, personId, role: 'viewer' })
    }
    const invited = await post('Invitation', { email: `${uuid()}@example.com`, role: 'viewer' }, {}, own)
    const accept = (token: string, account: object) =>
      makeVisitor(running).call('POST', '/api/v1/Invitation/accept', { body: { token, ...account } })
    const account = { name: 'New', password: 'a new long sentence' }
    const token = tokenOf(invited.body.link)
    const refused = await accept(token, account)
    expect(expectProblem(refused, 'QuotaExceeded').limit).toBe('members')
    const caller = { ...operatorCaller(own.organizationId, { name: 'test' }) }
    const ownerToken = await database.transaction((stores) => addOwnerLink(systemClock, { stores, caller }))
    expect((await accept(ownerToken, { ...account, email: `${uuid()}@example.com` })).status).toBe(201)
    const { items } = await database.stores.members.list(
      own.organizationId,
      {},
      { offset: 0, limit: max + 1 },
    )
    // These are the oldest members. The newest is an owner, and no key can remove owners.
    for (const { id } of items.slice(-2)) await running.client.as(own).call('DELETE', `/api/v1/Member/${id}`)
    expect((await accept(token, account)).status).toBe(201)
  })

  test('limits conversations that a session or a question would start [LIM-2]', async () => {
    const own = await addOrganization(running)
    const connection = await post('Connection', { name: 'Engine', kind: 'embedded' }, {}, own)
    const agent = await post('Agent', { name: 'A', connectionId: connection.body.id }, {}, own)
    const begin = (request: object = {}) =>
      post(`Agent/${agent.body.id}/realtime-session`, request, {}, own) as Promise<
        ApiAnswer<Made & { conversationId: string }>
      >
    const begun: string[] = []
    for (let index = 0; index < max; index += 1) begun.push((await begin()).body.conversationId)
    expect((await begin()).body).toMatchObject({ errorCode: 'QuotaExceeded', limit: 'conversations' })
    const asked = await post(`Agent/${agent.body.id}/question`, { question: 'Hello?' }, {}, own)
    expect(asked.body).toMatchObject({ errorCode: 'QuotaExceeded', limit: 'conversations' })
    expect((await begin({ conversationId: begun[0] })).status).toBe(201)
    await running.client.as(own).call('DELETE', `/api/v1/Conversation/${begun[0]}`)
    expect((await begin()).status).toBe(201)
  })

  test('limits messages when a session or question starts, until their conversation is deleted [LIM-2]', async () => {
    const own = await addOrganization(running)
    const connection = await post('Connection', { name: 'Engine', kind: 'embedded' }, {}, own)
    const agent = await post('Agent', { name: 'A', connectionId: connection.body.id }, {}, own)
    const begin = () =>
      post(`Agent/${agent.body.id}/realtime-session`, {}, {}, own) as Promise<
        ApiAnswer<Made & { conversationId: string }>
      >
    const { conversationId } = (await begin()).body
    const { conversations } = running.service.database.stores
    const conversation = await conversations.find(own.organizationId, conversationId)
    if (conversation === null) throw new Error('The session has no conversation.')
    for (let index = 0; index < max; index += 1) await conversations.addMessage(makeMessage(conversation))
    expect(await begin()).toMatchObject({
      status: 403,
      body: { errorCode: 'QuotaExceeded', limit: 'messages' },
    })
    const asked = await post(
      `Agent/${agent.body.id}/question`,
      { question: 'Hello?', conversationId },
      {},
      own,
    )
    expect(asked.body).toMatchObject({ errorCode: 'QuotaExceeded', limit: 'messages' })
    await running.client.as(own).call('DELETE', `/api/v1/Conversation/${conversationId}`)
    expect((await begin()).status).toBe(201)
  })

  test('limits files by their number and their total size [LIM-2]', async () => {
    const [many, large] = [await addOrganization(running), await addOrganization(running)]
    const send = (owner: Credentials, bytes: number) =>
      upload({ ...owner, url: running.url }, { name: 'a.txt', content: 'x'.repeat(bytes) })
    for (let index = 0; index < max; index += 1) expect((await send(many, 10)).status).toBe(201)
    expect((await send(many, 10)).body).toMatchObject({ errorCode: 'QuotaExceeded', limit: 'files' })

    const first = await send(large, 3000)
    expect(first.status).toBe(201)
    expect((await send(large, 1000)).body).toMatchObject({ errorCode: 'QuotaExceeded', limit: 'fileBytes' })
    expect((await send(large, 300)).status).toBe(201)
    await running.client.as(large).call('DELETE', `/api/v1/TemporaryFile/${first.body.id}`)
    expect((await send(large, 3000)).status).toBe(201)
  })

  test('a burst exceeds a limit by no more than the number of concurrent transactions [LIM-2]', async () => {
    const own = await addOrganization(running)
    const burst = Array.from({ length: 60 }, (_, index) => post('Task', { title: `Task ${index}` }, {}, own))
    const statuses = (await Promise.all(burst)).map(({ status }) => status)
    expect(new Set(statuses)).toEqual(new Set([201, 403]))
    const poolSize = 20
    expect(statuses.filter((status) => status === 201).length).toBeLessThanOrEqual(max + poolSize - 1)
    const { tasks } = running.service.database.stores
    const { totalCount } = await tasks.list(own.organizationId, {}, { offset: 0, limit: 1 })
    const { organizationUsage } = running.service.database.stores
    const amounts = await organizationUsage.amounts(own.organizationId, ['tasks'])
    expect(amounts.get('tasks')).toBe(totalCount)
  })
})

test('every limit names an existing setting, and every rejection its limit [LIM-6]', () => {
  const { organization } = configOf({})
  const limits = new Limits({ maxima: organization, metrics: { limitReached: () => undefined } })
  for (const [name, { setting }] of Object.entries(organizationLimits)) {
    expect(configOf({ [setting]: '12345' }).organization).toHaveProperty(name, 12345)
  }
  expect(limits.refusal('sessions')).toMatchObject({ code: 'LimitReached', retryAfterSeconds: 10 })
})
