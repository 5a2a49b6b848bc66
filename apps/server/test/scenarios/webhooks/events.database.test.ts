import { type WebhookEventType, webhookEventNames, webhookEventShapes } from '@parley/contract'
import { v7 as uuid } from 'uuid'
import { describe, expect, test } from 'vitest'
import { systemClock } from '#server/adapters/system/clock.js'
import { countUse } from '#server/domain/usage/count-use.js'
import { noTokens } from '#server/domain/usage/model-use.js'
import { addWaitingApproval } from '../../support/approvals.js'
import { sharedAnsweringModel } from '../../support/questions/answering-model.js'
import { ask } from '../../support/questions/ask.js'
import { makeTextAgent } from '../../support/realtime/text-agents.js'
import { databaseKinds } from '../../support/start-service.js'
import { makePhoneCall } from '../../support/stores/phone-records.js'
import { makeSession } from '../../support/stores/records.js'
import { useWebhookService, type WebhookService } from '../../support/webhooks/webhook-service.js'

async function causeEveryEvent(service: WebhookService): Promise<void> {
  const { client, running } = service
  const { organizationId } = running
  const { stores } = running.service.database
  const create = async (path: string, body: object) =>
    (await client.call<{ id: string }>('POST', path, { body })).body.id
  const agentId = await makeTextAgent(running, await sharedAnsweringModel(), { name: 'Concierge' })
  await client.call('PATCH', `/api/v1/Agent/${agentId}`, { body: { name: 'Night porter' } })
  const runId = await create('/api/v1/Task', { title: 'Tell the time', agentId })
  await client.call('POST', `/api/v1/Task/${runId}/run`)
  await service.until(async () => {
    const { body } = await client.call<{ status: string }>('GET', `/api/v1/Task/${runId}`)
    expect(body.status).toBe('done')
  })
  await create('/api/v1/Budget', { name: 'A word', agentId, period: 'day', limit: { tokens: 1 } })
  const { conversationId } = (await ask(running, agentId, { question: 'Is anybody there?' })).body
  // This model reports no token usage, so the test counts some.
  await running.service.database.transaction((all) =>
    countUse({ clock: systemClock }, all, {
      account: {
        organizationId,
        sourceId: uuid(),
        apiKeyId: null,
        channel: 'text',
        rehearsal: false,
        endUserId: null,
      },
      used: { connectionId: uuid(), kind: 'openai', model: 'gpt-5' },
      amount: { tokens: { ...noTokens, textInput: 10 }, audioMilliseconds: 0 },
      ...{ agentId, item: 'step', at: new Date().toISOString(), milliseconds: 1, toolCalls: 0 },
    }),
  )
  const conversation = await stores.conversations.find(organizationId, conversationId)
  if (conversation === null) throw new Error('The conversation is not in the database.')
  const session = makeSession(conversation)
  await stores.realtimeSessions.insert(session)
  const now = new Date(Date.parse(session.expiresAt) - 1000).toISOString()
  await stores.realtimeSessions.consume({
    tokenHash: session.tokenHash,
    now,
    instanceId: uuid(),
    maxRunning: 10,
  })
  // The session's instance renews no lease, so the session is lost and is ended.
  await stores.instanceLeases.closeLost(15)
  const call = makePhoneCall(organizationId, {
    ...{ state: 'queued', endedAt: null, endReason: null, endRequestedAt: null, conversationId: null },
  })
  await stores.phoneCalls.insert(call)
  await stores.phoneCalls.claimQueued({
    ...{ instanceId: uuid(), at: call.createdAt, limit: 1, perOrganization: 1, exceptOrganizations: [] },
    lines: [],
  })
  await stores.phoneCalls.end(call.id, { reason: 'busy', detail: null, at: call.createdAt }, null)
  const approval = await addWaitingApproval(stores, organizationId, { callId: 'call_1' })
  const decision = { callId: 'call_1', decision: 'reject' }
  await client.call('POST', `/api/v1/Conversation/${approval.conversationId}/approval`, { body: decision })
  await addWaitingApproval(stores, organizationId, { deadline: '2020-01-01T00:00:00.000Z' })
  await stores.approvals.expireDue(new Date().toISOString())
  const taskId = await create('/api/v1/Task', { title: 'Water the plants' })
  await client.call('PATCH', `/api/v1/Task/${taskId}`, { body: { status: 'done' } })
  const keyId = await create('/api/v1/ApiKey', { name: 'Short', scopes: ['task:read'] })
  await client.call('DELETE', `/api/v1/ApiKey/${keyId}`)
  await client.call('DELETE', `/api/v1/Conversation/${conversationId}`)
  await client.call('DELETE', `/api/v1/Agent/${agentId}`)
}

/** Events about other webhooks, or sent to the webhook under test. */
const aboutWebhooks: readonly WebhookEventType[] = ['webhook.failing', 'webhook.disabled', 'webhook.test']

describe.each(databaseKinds)('the events of a service on %s', (database) => {
  const clock = { now: () => new Date() }
  const service = useWebhookService({ database, clock, env: { PARLEY_ALLOWED_PRIVATE_HOSTS: '127.0.0.1' } })

  test('events cover every type, in the form of the API and without secrets [HOOK-2]', async () => {
    const webhook = await service.hook('/all', { events: ['*'] })
    await causeEveryEvent(service)
    const expected = webhookEventNames.filter((type) => !aboutWebhooks.includes(type))
    await service.until(async () => {
      const types = service.receiver.at('/all').map(({ body }) => body.type)
      expect(expected.filter((type) => !types.includes(type))).toEqual([])
    })
    for (const { body, text } of service.receiver.at('/all')) {
      const { resource, extraFields } = webhookEventShapes[body.type as WebhookEventType]
      expect(resource.extend(extraFields).loose().safeParse(body.data).error, body.type).toBeUndefined()
      expect(body).toMatchObject({ organizationId: service.running.organizationId, isShortened: false })
      expect(text).not.toMatch(/token_?hash|sealed|"hash"|tool_?secrets|"setup"/i)
    }
    const waiting = (await service.deliveries(webhook)).filter(({ state }) => state === 'failed')
    expect(waiting).toEqual([])
  })

  test('events name their own resource, also those about a conversation [HOOK-2]', async () => {
    const { client, running, receiver } = service
    await service.hook('/named', { events: ['turn.ended', 'conversation.message.created'] })
    const agentId = await makeTextAgent(running, await sharedAnsweringModel(), { name: 'Concierge' })
    const { conversationId, turnId } = (await ask(running, agentId, { question: 'Who is it?' })).body
    const messages = `/api/v1/Conversation/${conversationId}/message`
    const { items } = (await client.call<{ items: { id: string }[] }>('GET', messages)).body
    const came = await receiver.received('/named', items.length + 1)
    const idsOf = (type: string) => came.flatMap(({ body }) => (body.type === type ? [body.data.id] : []))
    expect(new Set(idsOf('conversation.message.created'))).toEqual(new Set(items.map(({ id }) => id)))
    expect(came.find(({ body }) => body.type === 'turn.ended')?.body.data).toMatchObject({ turnId })
  })

  test('events are delivered in order for each resource [HOOK-2]', async () => {
    await service.hook('/order', { events: ['task.created', 'task.updated'] })
    service.receiver.behave('/order', (response) => setTimeout(() => response.writeHead(204).end(), 5))
    const ids = await Promise.all([1, 2, 3].map(() => service.makeTask()))
    for (let round = 1; round <= 5; round += 1)
      await Promise.all(
        ids.map((id) => service.client.call('PATCH', `/api/v1/Task/${id}`, { body: { title: `${round}` } })),
      )
    const came = await service.receiver.received('/order', 18)
    for (const id of ids)
      expect(came.filter(({ body }) => body.data.id === id).map(({ body }) => body.data.version)).toEqual([
        1, 2, 3, 4, 5, 6,
      ])
  })

  test('events contain no words of a deleted conversation, and none of them is sent later [HOOK-9] [HOOK-2]', async () => {
    const { client, running, receiver } = service
    receiver.behave('/words', 500)
    const webhook = await service.hook('/words', {
      events: ['conversation.message.created', 'conversation.deleted'],
    })
    const agentId = await makeTextAgent(running, await sharedAnsweringModel(), { name: 'Concierge' })
    const { conversationId } = (
      await ask(running, agentId, { question: 'Do you know the Moonlight Sonata?' })
    ).body
    await receiver.received('/words', 1)
    await client.call('DELETE', `/api/v1/Conversation/${conversationId}`)
    receiver.behave('/words', 204)
    await service.until(async () => {
      const deliveredTypes = receiver.at('/words').map(({ body }) => body.type)
      expect(deliveredTypes).toContain('conversation.deleted')
    })
    const kept = await service.deliveries(webhook)
    expect(JSON.stringify(kept)).not.toContain('Moonlight')
    const lost = kept.filter(({ type }) => type === 'conversation.message.created').at(-1)
    expect(lost).toMatchObject({ state: 'failed', body: null })
    expect(lost?.attempts[0]?.detail).toMatch(/deleted/)
    const again = `/api/v1/Webhook/${webhook.id}/delivery/${lost?.id}/redeliver`
    expect((await client.call('POST', again)).status).toBe(409)
  })
})

describe('the choices of a webhook', () => {
  const service = useWebhookService()

  test('the choices cover events, agents and payload, and long texts are shortened [HOOK-2]', async () => {
    const { client } = service
    const make = async (name: string) =>
      (await client.call<{ id: string }>('POST', '/api/v1/Agent', { body: { name } })).body.id
    const [one, other] = [await make('One'), await make('Other')]
    await service.hook('/of-one', { events: ['task.created', 'api_key.created'], agentIds: [one] })
    await service.hook('/ids', { payload: 'ids' })
    await service.hook('/full')
    const description = 'ö'.repeat(20_000)
    for (const agentId of [one, other, null])
      await client.call('POST', '/api/v1/Task', {
        body: { title: 'T', agentId, description, externalId: `crm-${agentId}` },
      })
    await client.call('POST', '/api/v1/ApiKey', { body: { name: 'K', scopes: ['task:read'] } })
    // Events of different resources may arrive in any order.
    const received = async (path: string) =>
      [...(await service.receiver.received(path, 3))].sort((one, other) =>
        String(one.body.data.id).localeCompare(String(other.body.data.id)),
      )
    const full = await received('/full')
    const ids = await received('/ids')
    expect((await service.receiver.received('/of-one', 1)).map(({ body }) => body.data.agentId)).toEqual([
      one,
    ])
    expect(ids.map(({ body }) => body.data)).toEqual(
      full.map(({ body: { data } }) => ({
        id: data.id,
        endUserId: data.endUserId,
        version: 1,
        agentId: data.agentId,
        conversationId: null,
        turnId: null,
      })),
    )
    for (const { body, text } of full) {
      expect(body).toMatchObject({ isShortened: true, data: { description: 'ö'.repeat(4096) } })
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(20_000)
    }
    const nowhere = await service.client.call('POST', '/api/v1/Webhook', {
      body: { name: 'N', url: 'https://example.com/', events: ['*'], agentIds: [uuid()] },
    })
    expect(nowhere.body.errors).toMatchObject([{ path: 'agentIds[0]' }])
  })
})
