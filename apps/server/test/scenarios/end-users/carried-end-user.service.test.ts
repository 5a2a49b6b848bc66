import type { AuditLogRecord, EndUser, Page, Usage } from '@parley/contract'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { headersOf } from '../../support/http/operation-requests.js'
import { openReadyStream } from '../../support/live/live-reader.js'
import { addApiKey } from '../../support/organizations.js'
import { type OtlpReceiver, startOtlpReceiver } from '../../support/otlp-receiver.js'
import { ask } from '../../support/questions/ask.js'
import { useQuestionService } from '../../support/questions/question-service.js'
import { endedSession } from '../../support/realtime/spoken-turns.js'
import { refundTool } from '../../support/realtime/waiting-calls.js'
import { type Receiver, startReceiver } from '../../support/webhooks/receiver.js'

const patiently = { timeout: 60_000, interval: 50 }

let spans: OtlpReceiver
let receiver: Receiver

beforeAll(async () => {
  spans = await startOtlpReceiver()
  receiver = await startReceiver()
})

const service = useQuestionService(() => ({ env: { OTEL_EXPORTER_OTLP_ENDPOINT: spans.url } }))

afterAll(() => spans.close())

const get = async <Body>(path: string) =>
  (await service.running.client.call<Body>('GET', `/api/v1/${path}`)).body

const endUserOf = async (externalId: string) =>
  (await get<Page<EndUser>>(`EndUser?ExternalId=${externalId}`)).items[0]?.id ?? ''

const paying = { text: '', calls: [{ id: 'call_a', name: 'pay', arguments: '{"amount": 5}' }] }

async function makePayingAgent(): Promise<string> {
  return service.makeAgent({ tools: [refundTool(service.tools, { name: 'pay', approvalRequired: false })] })
}

/** Waits for events of these types in both webhooks. A webhook that receives IDs gets no external ID. */
async function expectDelivered(types: readonly string[], endUser: { endUserId: string }): Promise<void> {
  for (const type of types) {
    const sent = (path: string) => receiver.at(path).find(({ body }) => body.type === type)?.body.data
    await vi.waitUntil(() => sent('/full') !== undefined && sent('/ids') !== undefined, patiently)
    expect(sent('/full'), type).toMatchObject(endUser)
    expect(sent('/ids'), type).toMatchObject({ endUserId: endUser.endUserId })
    expect(sent('/ids'), type).not.toHaveProperty('externalUserId')
  }
}

describe('an end user of a question', () => {
  test('is sent to HTTP tools as an ID, and never if anonymous [USR-9]', async () => {
    const agentId = await makePayingAgent()
    const called = service.tools.expect('POST /refund', { body: 'Paid.' })
    service.model.answer(paying, { text: 'Done.' })
    await ask(service.running, agentId, { question: 'Pay.', externalUserId: 'payer' })
    expect((await called).headers['parley-end-user-id']).toBe(await endUserOf('payer'))
    const calledAgain = service.tools.expect('POST /refund', { body: 'Paid.' })
    service.model.answer(paying, { text: 'Done.' })
    await ask(service.running, agentId, { question: 'Pay.' })
    expect((await calledAgain).headers).not.toHaveProperty('parley-end-user-id')
  })

  test('is named by webhooks and live events [USR-8]', async () => {
    const { client, url, organizationId } = service.running
    const agentId = await service.makeAgent()
    const hook = (path: string, fields: object) =>
      client.call('POST', '/api/v1/Webhook', {
        body: { name: path, url: `${receiver.url}${path}`, events: ['*'], agentIds: [agentId], ...fields },
      })
    await hook('/full', {})
    await hook('/ids', { payload: 'ids' })
    const { stores } = service.running.service.database
    const limited = await addApiKey(stores, organizationId, ['question:ask'])
    const all = await openReadyStream(url, headersOf(service.running))
    const asking = await openReadyStream(url, { 'X-Org-Id': organizationId, 'X-Api-Key': limited })
    service.model.answer({ text: 'Yes.' })
    const asked = { question: 'Now?', externalUserId: 'observed' }
    const { conversationId, turnId } = (await ask(service.running, agentId, asked)).body
    const endUser = { endUserId: await endUserOf('observed'), externalUserId: 'observed' }

    expect(await all.waitForChange({ resource: 'Conversation', id: conversationId })).toMatchObject(endUser)
    expect(await all.waitForChange({ resource: 'Turn', id: turnId })).toMatchObject(endUser)
    expect(await all.waitForChange({ resource: 'Message' })).toMatchObject(endUser)
    expect(await asking.waitForChange({ resource: 'Turn', id: turnId })).toMatchObject({
      ...{ endUserId: endUser.endUserId, externalUserId: null },
    })
    await all.cut()
    await asking.cut()

    await expectDelivered(['conversation.created', 'conversation.message.created', 'turn.ended'], endUser)
    const { client: socket, ticket } = await service.speakTo(agentId, { conversationId })
    socket.socket.close()
    await endedSession(client, ticket.conversationId)
    await client.call('DELETE', `/api/v1/Conversation/${conversationId}`)
    await expectDelivered(
      ['realtime.session.started', 'realtime.session.ended', 'conversation.deleted'],
      endUser,
    )
  })

  test('is named by webhooks about task runs [USR-8]', async () => {
    const { client } = service.running
    const agentId = await service.makeAgent()
    const body = {
      name: '/runs',
      url: `${receiver.url}/runs`,
      events: ['task.run.started', 'task.run.ended'],
    }
    await client.call('POST', '/api/v1/Webhook', { body })
    service.model.answer({ text: 'Called.' })
    const task = { title: 'Call back', agentId, externalUserId: 'awaited' }
    const { id } = (await client.call<{ id: string }>('POST', '/api/v1/Task', { body: task })).body
    await client.call('POST', `/api/v1/Task/${id}/run`)
    const [started, ended] = await receiver.received('/runs', 2)
    const endUser = { id, endUserId: await endUserOf('awaited'), externalUserId: 'awaited' }
    expect([started?.body.data, ended?.body.data]).toEqual([
      expect.objectContaining(endUser),
      expect.objectContaining(endUser),
    ])
    const { items } = await get<Page<AuditLogRecord>>(`AuditLog?ResourceType=Task&Limit=200`)
    const ofRuns = items.filter(
      ({ action, resourceId }) => resourceId === id && action.startsWith('task.run.'),
    )
    expect(ofRuns.map(({ details }) => details?.endUserId)).toEqual(ofRuns.map(() => endUser.endUserId))
    expect(ofRuns.length).toBeGreaterThan(2)
  })

  test('is in traces and in the audit log only as an ID [USR-8]', async () => {
    const agentId = await makePayingAgent()
    const externalUserId = 'canary@example.com'
    service.tools.expect('POST /refund', { body: 'Paid.' })
    service.model.answer(paying, { text: 'Done.' })
    const named = { externalUserId, metadata: { plan: 'canary' }, variables: { word: 'canary' } }
    await ask(service.running, agentId, { question: 'Pay.', ...named })
    const { client: socket, ticket } = await service.speakTo(agentId, named)
    socket.socket.close()
    await endedSession(service.running.client, ticket.conversationId)
    const endUserId = await endUserOf(encodeURIComponent(externalUserId))
    const ofEndUser = () => spans.spans.filter(({ attributes }) => attributes['enduser.id'] === endUserId)
    await vi.waitUntil(() => ofEndUser().length >= 3, patiently)
    expect(
      ofEndUser()
        .map(({ name }) => name)
        .sort(),
    ).toEqual(['execute_tool pay', 'invoke_agent Helper', 'invoke_agent Helper'])
    expect(JSON.stringify(spans.spans)).not.toContain('canary')
    const { items } = await get<Page<AuditLogRecord>>('AuditLog?Limit=200')
    const actions = items
      .filter(({ details }) => details?.endUserId === endUserId)
      .map(({ action }) => action)
    expect(actions.sort()).toEqual(['question.ask', 'realtime_session.create'])
    expect(JSON.stringify(items)).not.toContain('canary')
  })

  test('groups and filters usage [USE-11]', async () => {
    const agentId = await service.makeAgent()
    for (const endUser of [
      { externalUserId: 'heavy' },
      { externalUserId: 'heavy' },
      { externalUserId: 'light' },
      {},
    ]) {
      service.model.answer({ text: 'Yes.' })
      await ask(service.running, agentId, { question: 'Now?', ...endUser })
    }
    const [heavy, light] = [await endUserOf('heavy'), await endUserOf('light')]
    const grouped = await get<Usage>(`Usage?GroupBy=endUser&AgentId=${agentId}`)
    const turnsOf = (endUserId: string | null) =>
      grouped.items.find(({ group }) => group.endUserId === endUserId)?.turns
    expect([turnsOf(heavy), turnsOf(light), turnsOf(null), grouped.items.length]).toEqual([2, 1, 1, 3])
    const filtered = await get<Usage>(`Usage?GroupBy=day&EndUserId=${heavy}`)
    expect(filtered).toMatchObject({ items: [{ turns: 2 }], totals: { turns: 2 } })
    const tooEarly = await get<Usage>(`Usage?EndUserId=${heavy}&From=2020-01-01T00:00:00Z`)
    expect(Date.parse(tooEarly.from)).toBeGreaterThan(Date.parse('2020-01-02'))
    expect(tooEarly.totals.turns).toBe(2)
    const past = 'From=2020-01-01T00:00:00Z&To=2020-02-01T00:00:00Z'
    expect((await get<Usage>(`Usage?EndUserId=${heavy}&${past}`)).items).toEqual([])
  })
})
