import type {
  Agent,
  Conversation,
  EndUser,
  Page,
  Problem,
  QuestionAnswer,
  RealtimeSession,
} from '@parley/contract'
import { describe, expect, test } from 'vitest'
import { createResource } from '../../support/http/resources.js'
import { ask } from '../../support/questions/ask.js'
import { messagesSentTo, useQuestionService } from '../../support/questions/question-service.js'
import { startService } from '../../support/start-service.js'

const service = useQuestionService()

const get = async <Body>(path: string) =>
  (await service.running.client.call<Body>('GET', `/api/v1/${path}`)).body
const post = <Body>(path: string, body: object) =>
  service.running.client.call<Body & Problem>('POST', `/api/v1/${path}`, { body })
const patch = <Body>(path: string, body: object) =>
  service.running.client.call<Body & Problem>('PATCH', `/api/v1/${path}`, { body })

async function answered(agentId: string, body: object): Promise<QuestionAnswer> {
  service.model.answer({ text: 'Yes.' })
  return (await ask(service.running, agentId, { question: 'Now?', ...body })).body
}

const endUserOf = async (externalId: string) =>
  (await get<Page<EndUser>>(`EndUser?ExternalId=${externalId}`)).items[0]

describe('end users', () => {
  test('are created by the first request that names them, and counted once per conversation [USR-1]', async () => {
    const agentId = await service.makeAgent()
    const { conversationId } = await answered(agentId, { externalUserId: 'ada' })
    const first = await endUserOf('ada')
    expect(first).toMatchObject({ externalId: 'ada', name: null, metadata: {}, conversationCount: 1 })
    await answered(agentId, { externalUserId: 'ada', conversationId })
    await service.createTicket(agentId, { externalUserId: 'ada' })
    const second = await endUserOf('ada')
    expect(second).toMatchObject({ id: first?.id, firstSeenAt: first?.firstSeenAt, conversationCount: 2 })
    expect(Date.parse(second?.lastSeenAt ?? '')).toBeGreaterThan(Date.parse(first?.lastSeenAt ?? ''))
    expect(await get<Conversation>(`Conversation/${conversationId}`)).toMatchObject({
      endUserId: first?.id,
      externalUserId: 'ada',
    })
    await service.running.client.call('DELETE', `/api/v1/Conversation/${conversationId}`)
    expect((await endUserOf('ada'))?.conversationCount).toBe(1)
  })

  test('are created once by concurrent requests [USR-1]', async () => {
    const agentId = await service.makeAgent()
    await Promise.all(
      Array.from({ length: 10 }, () => service.createTicket(agentId, { externalUserId: 'many' })),
    )
    const found = await get<Page<EndUser>>('EndUser?ExternalId=many')
    expect(found).toMatchObject({ totalCount: 1, items: [{ conversationCount: 10 }] })
  })

  test('are changed by a patch that merges metadata, and found by name and metadata [USR-2]', async () => {
    const agentId = await service.makeAgent()
    await answered(agentId, { externalUserId: 'grace' })
    const { id = '' } = (await endUserOf('grace')) ?? {}
    await patch(`EndUser/${id}`, { metadata: { plan: 'pro', seats: 5 } })
    const { body } = await patch<EndUser>(`EndUser/${id}`, {
      name: 'Grace Hopper',
      metadata: { trial: true },
    })
    expect(body).toMatchObject({ name: 'Grace Hopper', metadata: { plan: 'pro', seats: 5, trial: true } })
    const found = async (query: string) =>
      (await get<Page<EndUser>>(`EndUser?${query}`)).items.map(({ externalId }) => externalId)
    expect(await found('Search=hopper')).toEqual(['grace'])
    expect(await found('Metadata.plan=pro&Metadata.seats=5&Metadata.trial=true')).toEqual(['grace'])
    expect(await found('Metadata.plan=free')).toEqual([])
    const rejected = await service.running.client.call<Problem>('GET', '/api/v1/EndUser?Plan=pro')
    expect([rejected.status, rejected.body.errors?.[0]?.path]).toEqual([400, 'Plan'])
    const cleared = await patch<EndUser>(`EndUser/${id}`, { metadata: { plan: null, trial: null } })
    expect(cleared.body.metadata).toEqual({ seats: 5 })
    const tooLarge = await patch(`EndUser/${id}`, { metadata: { text: 'x'.repeat(8192) } })
    expect([tooLarge.status, tooLarge.body.errors?.[0]?.path]).toEqual([400, 'metadata'])
  })

  test('own their conversations: another end user cannot continue one [USR-3]', async () => {
    const agentId = await service.makeAgent()
    const { conversationId } = await answered(agentId, { externalUserId: 'owner' })
    for (const path of ['question', 'realtime-session']) {
      const body = {
        conversationId,
        externalUserId: 'thief',
        ...(path === 'question' && { question: 'Hm?' }),
      }
      const refused = await post(`Agent/${agentId}/${path}`, body)
      expect([refused.status, refused.body.errorCode]).toEqual([403, 'Forbidden'])
    }
    expect(await endUserOf('thief')).toBeUndefined()
    await answered(agentId, { conversationId })
    const anonymous = await answered(agentId, {})
    await answered(agentId, { conversationId: anonymous.conversationId, externalUserId: 'owner' })
    expect((await endUserOf('owner'))?.conversationCount).toBe(2)
  })

  test('own an anonymous conversation once if two are named at the same time [USR-3]', async () => {
    const agentId = await service.makeAgent()
    const { conversationId } = await answered(agentId, {})
    const names = ['first', 'second', 'third', 'fourth']
    const responses = await Promise.all(
      names.map((externalUserId) =>
        post(`Agent/${agentId}/realtime-session`, {
          conversationId,
          externalUserId,
          metadata: { [externalUserId]: 1 },
        }),
      ),
    )
    expect(responses.map(({ status }) => status).sort()).toEqual([201, 403, 403, 403])
    const { externalUserId, metadata } = await get<Conversation>(`Conversation/${conversationId}`)
    expect(metadata).toEqual({ [externalUserId ?? '']: 1 })
  })

  test('are not visible to other organizations [7.1-1]', async () => {
    const other = await startService()
    try {
      const { id = '' } = (await endUserOf('ada')) ?? {}
      expect((await other.client.call('GET', `/api/v1/EndUser/${id}`)).status).toBe(404)
      expect((await other.client.call('PATCH', `/api/v1/EndUser/${id}`, { body: {} })).status).toBe(404)
    } finally {
      await other.close()
    }
  })
})

test('filters sessions by end user and metadata of their conversations [USR-7]', async () => {
  const agentId = await service.makeAgent()
  const named = await service.createTicket(agentId, { externalUserId: 'speaker', metadata: { seats: 5 } })
  await service.createTicket(agentId, { externalUserId: 'listener' })
  await service.createTicket(agentId, { metadata: { seats: 6 } })
  const found = async (query: string) =>
    (await get<Page<RealtimeSession>>(`RealtimeSession?AgentId=${agentId}${query}`)).items.map(
      ({ conversationId }) => conversationId,
    )
  expect(await found('')).toHaveLength(3)
  expect(await found('&ExternalUserId=speaker')).toEqual([named.conversationId])
  expect(await found(`&EndUserId=${(await endUserOf('speaker'))?.id}`)).toEqual([named.conversationId])
  expect(await found('&Metadata.seats=5')).toEqual([named.conversationId])
  expect(await found('&ExternalUserId=listener&Metadata.seats=5')).toEqual([])
  const rejected = await service.running.client.call<Problem>('GET', '/api/v1/RealtimeSession?Seats=5')
  expect([rejected.status, rejected.body.errors?.[0]?.path]).toEqual([400, 'Seats'])
})

describe('metadata of a conversation', () => {
  test('is merged by later requests and filters the list [USR-4]', async () => {
    const agentId = await service.makeAgent()
    const { conversationId } = await answered(agentId, { metadata: { order: 'A-17', vip: true } })
    await answered(agentId, { conversationId, metadata: { vip: false, page: '/cart' } })
    const conversation = await get<Conversation>(`Conversation/${conversationId}`)
    expect(conversation.metadata).toEqual({ order: 'A-17', vip: false, page: '/cart' })
    const found = async (query: string) =>
      (await get<Page<Conversation>>(`Conversation?${query}`)).items.map(({ id }) => id)
    expect(await found('Metadata.order=A-17&Metadata.vip=false')).toEqual([conversationId])
    expect(await found('Metadata.vip=true')).toEqual([])
    await answered(agentId, { externalUserId: 'filtered' })
    expect(await found('ExternalUserId=filtered')).toHaveLength(1)
    expect(await found('ExternalUserId=unknown')).toEqual([])
    const keys = Object.fromEntries(Array.from({ length: 48 }, (_, index) => [`key-${index}`, index]))
    const tooMany = await post(`Agent/${agentId}/question`, {
      question: 'Hm?',
      conversationId,
      metadata: keys,
    })
    expect([tooMany.status, tooMany.body.errors]).toEqual([
      400,
      [{ path: 'metadata', message: expect.stringContaining('at most 50 keys') }],
    ])
  })
})

describe('variables', () => {
  const declared = [
    { name: 'guest', description: 'The name of the guest.' },
    { name: 'room', default: '12' },
    { name: 'note', required: false },
  ]

  test('fill the instructions and the first message in text and voice [USR-5]', async () => {
    const agentId = await service.makeAgent({
      variables: declared,
      systemMessage: 'Serve {{guest}} in {{ room }}.{{note}} Floor {{floor|ground}}. {{endUser.externalId}}',
      firstMessage: 'Hello {{guest}}!',
    })
    const variables = { guest: '{{room}} {x}' }
    const { conversationId } = await answered(agentId, { variables, externalUserId: 'u-1' })
    const instructions = 'Serve {{room}} {x} in 12. Floor ground. u-1'
    expect(messagesSentTo(service.model)[0]).toEqual({ role: 'system', content: instructions })
    const ticket = await service.createTicket(agentId, { variables, externalUserId: 'u-1' })
    const session = await service.openSession(ticket)
    expect(JSON.stringify(await session.provider.inbox.takeJson())).toContain('Hello {{room}} {x}!')
    session.client.socket.close()
    await answered(agentId, { conversationId, variables: { room: '14' } })
    expect(messagesSentTo(service.model)[0]?.content).toContain('in 14.')
  })

  test('are required unless they have a default [USR-5]', async () => {
    const agentId = await service.makeAgent({ variables: declared, systemMessage: 'Serve {{guest}}.' })
    for (const [path, body] of [
      ['question', { question: 'Hm?' }],
      ['realtime-session', {}],
    ] as const) {
      const refused = await post(`Agent/${agentId}/${path}`, body)
      expect([refused.status, refused.body.errors]).toEqual([
        400,
        [{ path: 'variables.guest', message: 'is required by the agent' }],
      ])
    }
    const task = await createResource(service.running.client, '/api/v1/Task', { title: 'T', agentId })
    const run = await post(`Task/${task.made.id}/run`, {})
    expect([run.status, run.body.errors?.[0]?.path]).toEqual([400, 'variables.guest'])
  })

  test('must be declared by the agent [USR-5]', async () => {
    const tool = {
      kind: 'http',
      name: 'find',
      description: 'Finds.',
      request: {
        method: 'POST',
        url: `${service.tools.url}/{{tenant}}`,
        headers: { Authorization: 'Bearer {{token}}' },
        body: { list: ['{{item}}'] },
      },
    }
    const refused = await post<Agent>('Agent', { name: 'A', systemMessage: '{{who}} {{now}}', tools: [tool] })
    expect(refused.status).toBe(400)
    expect(refused.body.errors?.map(({ path }) => path)).toEqual([
      'systemMessage',
      'tools[0].request.url',
      'tools[0].request.body',
      'tools[0].request.headers.Authorization',
    ])
  })

  test('fill the URL, query, headers and body of tools, and never change their structure [USR-6]', async () => {
    const tool = {
      kind: 'http',
      name: 'find',
      description: 'Finds.',
      parameters: { type: 'object', properties: { item: { type: 'string' } } },
      request: {
        method: 'POST',
        url: `${service.tools.url}/hotels/{{hotel}}/items/{item}`,
        query: { guest: '{{endUser.externalId}}' },
        headers: { Authorization: 'Bearer {{token}}' },
        body: { note: 'For {{hotel}}: {item}', '{{hotel}}': 1 },
      },
    }
    const agentId = await service.makeAgent({
      variables: [{ name: 'hotel' }, { name: 'token' }],
      tools: [tool],
    })
    const hotel = 'a/b?x=1&{item}"}'
    const calls = [{ id: 'c1', name: 'find', arguments: { item: '{{token}}' } }]
    service.model.answer({ calls }, { text: 'Found.' })
    const path = `/hotels/${encodeURIComponent(hotel)}/items/${encodeURIComponent('{{token}}')}?guest=eve%26admin%3D1`
    const called = service.tools.expect(`POST ${path}`, { body: { ok: true } })
    const asking = ask(service.running, agentId, {
      question: 'Find!',
      externalUserId: 'eve&admin=1',
      variables: { hotel, token: 'secret' },
    })
    const request = await called
    expect(request.headers.authorization).toBe('Bearer secret')
    expect(JSON.parse(request.body)).toEqual({ note: `For ${hotel}: {{token}}`, '{{hotel}}': 1 })
    expect((await asking).body.answer).toBe('Found.')

    service.model.answer({ calls }, { text: 'Not sent.' })
    const split = { hotel: 'h', token: 'x\r\nX-Admin: 1' }
    const { body } = await ask(service.running, agentId, { question: 'Find!', variables: split })
    expect(body.toolInvocations[0]).toMatchObject({
      status: 2,
      content: expect.stringContaining('a header cannot contain'),
    })
  })
})
