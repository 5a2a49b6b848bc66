import type { Agent, Problem, RealtimeSessionTicket } from '@parley/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sharedAnsweringModel } from '../../support/questions/answering-model.js'
import { ask } from '../../support/questions/ask.js'
import { joinInstance } from '../../support/questions/instances.js'
import { useQuestionService } from '../../support/questions/question-service.js'
import { openSocket, requestHandshake } from '../../support/realtime/open-socket.js'
import { patiently, responseDone } from '../../support/realtime/spoken-turns.js'
import { makeTextAgent } from '../../support/realtime/text-agents.js'
import type { PostgresDatabase } from '../../support/services/postgres-database.js'
import { migratedDatabase, type RunningService } from '../../support/start-service.js'
import { makeTestClock } from '../../support/test-clock.js'

const noon = new Date('2026-11-19T12:00:00.000Z')
const hour = 60 * 60 * 1000
const clock = makeTestClock(noon)

let postgres: PostgresDatabase
/** The second instance, on the same database, without Redis. */
let other: RunningService
/** A third instance, behind one proxy. */
let proxied: RunningService

beforeAll(async () => {
  postgres = await migratedDatabase()
})

// Hooks run in reverse order, so the database is dropped last.
afterAll(() => postgres.drop())

const service = useQuestionService(() => ({ clock, env: { DATABASE_URL: postgres.url } }))

beforeAll(async () => {
  other = await joinInstance(service.running, postgres.url, { clock })
  proxied = await joinInstance(service.running, postgres.url, { clock, env: { PARLEY_TRUST_PROXY: '1' } })
})

afterAll(async () => {
  await Promise.all([other.close(), proxied.close()])
})

const makeAnsweringAgent = async (endUserLimits: object) =>
  makeTextAgent(service.running, await sharedAnsweringModel(), { name: 'Limited', endUserLimits })

const askOn = ({ client }: Pick<RunningService, 'client'>, agentId: string, body: object = {}) =>
  client.call<Problem>('POST', `/api/v1/Agent/${agentId}/question`, { body: { question: 'Now?', ...body } })

const usage = (inputTokens: number) => ({ usage: { inputTokens, outputTokens: 0 } })

describe('the limits of end users', () => {
  test('are settings of the agent that a patch merges [USR-10]', async () => {
    const { client } = service.running
    const agentId = await service.makeAgent({ endUserLimits: { questionsPerMinute: 5, tokensPerDay: 100 } })
    const path = `/api/v1/Agent/${agentId}`
    const body = { endUserLimits: { tokensPerDay: null, costPerDay: 0.5 } }
    const patched = await client.call<Agent>('PATCH', path, { body })
    expect(patched.body.endUserLimits).toEqual({ questionsPerMinute: 5, tokensPerDay: null, costPerDay: 0.5 })
    const invalid = { endUserLimits: { concurrentSessions: 0, perHour: 5 } }
    const rejected = await client.call<Problem>('PATCH', path, { body: invalid })
    expect(rejected.body.errors?.map((error) => error.path).sort()).toEqual([
      'endUserLimits.concurrentSessions',
      'endUserLimits.perHour',
    ])
    expect((await client.call<Agent>('GET', path)).body.endUserLimits).toEqual(patched.body.endUserLimits)
  })
})

describe('questionsPerMinute', () => {
  test('admits exactly as many concurrent questions on two instances [USR-11]', async () => {
    const agentId = await makeAnsweringAgent({ questionsPerMinute: 5 })
    const answers = await Promise.all(
      Array.from({ length: 14 }, (_, index) =>
        askOn(index % 2 === 0 ? service.running : other, agentId, { externalUserId: 'eager' }),
      ),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(5)
    const [refused] = answers.filter(({ status }) => status === 429)
    expect(refused?.body).toMatchObject({ errorCode: 'RateLimited', limit: 'questionsPerMinute' })
    expect(refused?.headers.get('retry-after')).toBe('60')
    expect((await askOn(service.running, agentId, { externalUserId: 'patient' })).status).toBe(200)
    expect((await askOn(service.running, agentId)).status).toBe(200)
    const another = await makeAnsweringAgent({ questionsPerMinute: 5 })
    expect((await askOn(service.running, another, { externalUserId: 'eager' })).status).toBe(200)

    clock.advance(59_000)
    const early = await askOn(service.running, agentId, { externalUserId: 'eager' })
    expect([early.status, early.headers.get('retry-after')]).toEqual([429, '1'])
    clock.advance(1000)
    expect((await askOn(service.running, agentId, { externalUserId: 'eager' })).status).toBe(200)
  })

  test('counts questions that continue a named conversation, and not repeated requests [USR-11]', async () => {
    const agentId = await makeAnsweringAgent({ questionsPerMinute: 2 })
    const body = { question: 'Now?', externalUserId: 'steady' }
    const send = () =>
      service.running.client.call<{ conversationId: string }>('POST', `/api/v1/Agent/${agentId}/question`, {
        ...{ body, headers: { 'Idempotency-Key': `once-${agentId}` } },
      })
    const { conversationId } = (await send()).body
    expect((await send()).status).toBe(200)
    expect((await askOn(service.running, agentId, { conversationId })).status).toBe(200)
    expect((await askOn(service.running, agentId, { conversationId })).body.limit).toBe('questionsPerMinute')
    expect((await send()).status).toBe(200)
  })

  test('ignores rehearsals [USR-11]', async () => {
    const agentId = await makeAnsweringAgent({
      questionsPerMinute: 1,
      concurrentSessions: 1,
      tokensPerDay: 1,
    })
    const rehearsing = { externalUserId: 'tester', rehearsal: { tools: [] } }
    for (const _ of [1, 2]) expect((await askOn(service.running, agentId, rehearsing)).status).toBe(200)
    expect((await askOn(service.running, agentId, { externalUserId: 'tester' })).status).toBe(200)
    const { body } = await askOn(service.running, agentId, { externalUserId: 'tester' })
    expect(body.limit).toBe('questionsPerMinute')
  })

  test('limits questions over MCP [USR-11]', async () => {
    const agentId = await makeAnsweringAgent({ questionsPerMinute: 1 })
    const asked = async () => {
      const params = { name: 'ask_agent', arguments: { agentId, question: 'Now?', externalUserId: 'mcp' } }
      const { text } = await service.running.client.call('POST', '/mcp', {
        body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params },
        headers: { accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2025-06-18' },
      })
      return text
    }
    expect(await asked()).toContain('completed')
    expect(await asked()).toContain('at most 1 questions a minute')
  })
})

describe('concurrentSessions', () => {
  const ticketOf = (agentId: string, body: object = {}) =>
    service.running.client.call<RealtimeSessionTicket & Problem>(
      'POST',
      `/api/v1/Agent/${agentId}/realtime-session`,
      { body },
    )

  test('admits exactly as many concurrent sessions of one end user on two instances [USR-12]', async () => {
    const agentId = await service.makeAgent({ endUserLimits: { concurrentSessions: 2 } })
    const tickets = await Promise.all(
      Array.from({ length: 6 }, () => ticketOf(agentId, { externalUserId: 'talker' })),
    )
    const opened = await Promise.allSettled(
      tickets.map(({ body }, index) =>
        openSocket((index % 2 === 0 ? service.running : other).url, body.webSocketPath),
      ),
    )
    for (const { status } of opened) if (status === 'fulfilled') await service.voice.accept()
    const clients = opened.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
    expect(clients).toHaveLength(2)
    const refused = tickets[opened.findIndex(({ status }) => status === 'rejected')]?.body.webSocketPath ?? ''
    const explained = await other.client.call<Problem>('GET', refused)
    expect(explained.body).toMatchObject({ errorCode: 'LimitReached', limit: 'concurrentSessions' })
    const handshake = await requestHandshake(other.url, refused)
    expect([handshake.status, handshake.headers.get('retry-after')]).toEqual([429, '10'])
    const created = await ticketOf(agentId, { externalUserId: 'talker' })
    expect([created.status, created.body.limit]).toEqual([429, 'concurrentSessions'])
    const { webSocketPath } = (await ticketOf(agentId, { externalUserId: 'listener' })).body
    await openSocket(other.url, webSocketPath)
    await service.voice.accept()

    clients[0]?.socket.close()
    const explain = async () => (await other.client.call('GET', refused)).status
    await expect.poll(explain, patiently).toBe(426)
    await openSocket(other.url, refused)
    await service.voice.accept()
  })

  test('counts anonymous sessions by the address that trusted proxies report [USR-12]', async () => {
    const agentId = await service.makeAgent({ endUserLimits: { concurrentSessions: 1 } })
    const path = async () => (await ticketOf(agentId)).body.webSocketPath
    const from = async (url: string, address: string) =>
      (await requestHandshake(url, await path(), [], { headers: { 'X-Forwarded-For': address } })).status
    const hold = async (url: string, headers: Record<string, string>) => {
      await openSocket(url, await path(), [], { headers })
      await service.voice.accept()
    }

    await hold(service.running.url, {})
    // Without a trusted proxy, the header is the client's own claim.
    expect(await from(service.running.url, '203.0.113.7')).toBe(429)
    await hold(proxied.url, { 'X-Forwarded-For': '203.0.113.7' })
    expect(await from(proxied.url, '198.51.100.1, 203.0.113.7')).toBe(429)
    await hold(proxied.url, { 'X-Forwarded-For': '203.0.113.8' })
    await hold(proxied.url, { 'X-Forwarded-For': '2001:db8:1:2::1' })
    expect(await from(proxied.url, '2001:db8:1:2:ffff::9')).toBe(429)
    await hold(proxied.url, { 'X-Forwarded-For': '2001:db8:1:3::1' })
    const { realtimeSessions } = service.running.service.database.stores
    const filter = { agentId, isRunning: true }
    const page = { offset: 0, limit: 10 }
    const { items } = await realtimeSessions.list(service.running.organizationId, filter, page)
    expect(items).toHaveLength(5)
    expect(JSON.stringify(items)).not.toContain('203.0.113')
  })
})

describe('a daily limit', () => {
  test('rejects questions until midnight in UTC [USR-13]', async () => {
    const agentId = await service.makeAgent({ endUserLimits: { tokensPerDay: 100 } })
    const named = { question: 'Now?', externalUserId: 'heavy' }
    service.model.answer({ text: 'Yes.', ...usage(100) })
    expect((await ask(service.running, agentId, named)).status).toBe(200)
    const refused = await askOn(other, agentId, named)
    expect([refused.status, refused.body.limit]).toEqual([429, 'tokensPerDay'])
    const untilMidnight = Date.parse('2026-11-20T00:00:00.000Z') - clock.now().getTime()
    expect(refused.headers.get('retry-after')).toBe(String(untilMidnight / 1000))
    const ticket = await service.running.client.call<Problem>(
      'POST',
      `/api/v1/Agent/${agentId}/realtime-session`,
      { body: { externalUserId: 'heavy' } },
    )
    expect([ticket.status, ticket.body.limit]).toEqual([429, 'tokensPerDay'])
    service.model.answer({ text: 'Yes.', ...usage(100) })
    expect((await askOn(service.running, agentId)).status).toBe(200)

    clock.advance(untilMidnight - 1)
    expect((await askOn(service.running, agentId, named)).headers.get('retry-after')).toBe('1')
    clock.advance(1)
    service.model.answer({ text: 'Yes.', ...usage(1) })
    expect((await askOn(service.running, agentId, named)).status).toBe(200)
  })

  test('counts sub-agents, and stops the turn that uses it up [USR-13]', async () => {
    const clock = { kind: 'builtin', name: 'current_time', builtin: 'current_time' }
    const clerkId = await service.makeAgent({ name: 'Clerk', tools: [clock] })
    const agentId = await service.makeAgent({
      subAgentIds: [clerkId],
      endUserLimits: { tokensPerDay: 1000 },
    })
    const call = { name: 'ask_clerk', arguments: { question: 'Where?' } }
    const look = { name: 'current_time', arguments: '{}' }
    service.model.answer({ calls: [call], ...usage(10) }, { calls: [look], ...usage(990) })
    const { body } = await ask(service.running, agentId, { question: 'Where?', externalUserId: 'curious' })
    expect(body).toMatchObject({ status: 'stopped', failure: expect.stringContaining('tokensPerDay') })
    expect((await askOn(service.running, agentId, { externalUserId: 'curious' })).status).toBe(429)
    service.model.answer({ text: 'Here.', ...usage(1) })
    expect((await askOn(service.running, clerkId, { externalUserId: 'curious' })).status).toBe(200)
  })

  test('counts cost with the prices of the organization [USR-13]', async () => {
    const { client } = service.running
    const agentId = await service.makeAgent({ endUserLimits: { costPerDay: 0.01 } })
    const price = { kind: 'openai-compatible', model: 'a-text-model', perMillion: { textInput: 100 } }
    await client.call('PUT', '/api/v1/Price', { body: { items: [price] } })
    service.model.answer({ text: 'Yes.', ...usage(99) }, { text: 'Yes.', ...usage(1) })
    const asked = () => askOn(service.running, agentId, { externalUserId: 'spender' })
    expect([(await asked()).status, (await asked()).status]).toEqual([200, 200])
    expect((await asked()).body).toMatchObject({ errorCode: 'LimitReached', limit: 'costPerDay' })
    await client.call('PUT', '/api/v1/Price', { body: { items: [] } })
  })

  test.each([
    ['an end user', { externalUserId: 'speaker' }],
    ['an anonymous client', {}],
  ])('ends the running session of %s with a reason [USR-13]', async (_who, request) => {
    const agentId = await service.makeAgent({ endUserLimits: { tokensPerDay: 100 } })
    const late = await service.createTicket(agentId, request)
    const { client, provider } = await service.speakTo(agentId, request)
    const used = { total_tokens: 100, input_tokens: 100 }
    provider.send(responseDone('R', { status: 'completed', output: [], usage: used }))
    const error = await client.inbox.takeType('error')
    expect(error).toMatchObject({
      error: { code: 'budget_exceeded', message: expect.stringContaining('tokensPerDay') },
    })
    const refusal = async () =>
      (await service.running.client.call<Problem>('GET', late.webSocketPath)).body.limit
    await expect.poll(refusal, patiently).toBe('tokensPerDay')
    clock.advance(24 * hour)
  })
})
