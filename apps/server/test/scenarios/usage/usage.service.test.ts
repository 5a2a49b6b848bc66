import type { PriceList, RealtimeSession, Usage, UsageItem } from '@parley/contract'
import { describe, expect, test } from 'vitest'
import { ask } from '../../support/questions/ask.js'
import { useQuestionService } from '../../support/questions/question-service.js'
import { endedSession, responseCreated } from '../../support/realtime/spoken-turns.js'
import { playCalls, takeOutput } from '../../support/realtime/tool-calls.js'
import {
  providerConversation,
  spokenCost,
  spokenTokens,
  transcribedCost,
} from '../../support/usage/provider-conversation.js'

const service = useQuestionService()

const used = async (query: string): Promise<Usage> => {
  const { status, body, text } = await service.running.client.call<Usage>('GET', `/api/v1/Usage?${query}`)
  expect(status, text).toBe(200)
  return body
}

const itemFor = ({ items }: Usage, group: UsageItem['group']) =>
  items.find((item) => JSON.stringify(item.group) === JSON.stringify(group))

/** Creates an agent whose connection has the provider's own kind, so that its models have known prices. */
async function makeOpenAiAgent(agent: object = {}): Promise<{ agentId: string; connectionId: string }> {
  const agentId = await service.makeAgent({ name: 'Spoken', ...agent })
  const { client } = service.running
  const { body } = await client.call<{ connectionId: string }>('GET', `/api/v1/Agent/${agentId}`)
  const path = `/api/v1/Connection/${body.connectionId}`
  const { baseUrl } = (await client.call<{ baseUrl: string }>('GET', path)).body
  const changed = { kind: 'openai', baseUrl, apiKey: 'sk-x', models: { chat: 'gpt-5-mini' } }
  expect((await client.call('PATCH', path, { body: changed })).status).toBe(200)
  return { agentId, connectionId: body.connectionId }
}

describe('the usage of a session', () => {
  test("matches the provider's report to the token and has the right cost [USE-1] [USE-7]", async () => {
    const { agentId, connectionId } = await makeOpenAiAgent()
    const { ticket, client, provider } = await service.speakTo(agentId, {
      clientTools: [{ name: 'show', description: 'Shows.' }],
    })
    for (const event of providerConversation) provider.send(event)
    // An event that is sent twice is counted once.
    for (const event of providerConversation.slice(1, 3)) provider.send(event)
    for (let responses = 0; responses < 4; responses += 1) await client.inbox.takeType('response.done')
    client.socket.close()
    const session = await endedSession(service.running.client, ticket.conversationId)

    const sums = await used(`GroupBy=model,channel&AgentId=${agentId}`)
    expect(itemFor(sums, { model: 'gpt-realtime-2.1', channel: 'realtime' })).toMatchObject({
      ...{ sessions: 1, turns: 0, responses: 3, toolCalls: 1, audioSeconds: 0 },
      tokens: spokenTokens,
      cost: { unpricedTokens: 0, unpricedSeconds: 0, unknownResponses: 0 },
    })
    expect(sums.items.map(({ cost }) => cost.amount)).toEqual([
      expect.closeTo(spokenCost, 12),
      expect.closeTo(transcribedCost, 12),
    ])
    expect(itemFor(sums, { model: 'gpt-transcribe', channel: 'realtime' })).toMatchObject({
      ...{ sessions: 0, responses: 2, audioSeconds: 3.2 },
      tokens: { audioInput: 13, textOutput: 9 },
      // Transcription is priced by time. Its tokens have no price and are not reported as free.
      cost: { unpricedTokens: 22, unpricedSeconds: 0 },
    })
    expect(session.cost).toEqual(sums.totals.cost)
    expect(session.cost.amount).toBeCloseTo(spokenCost + transcribedCost, 12)
    const byKey = await used(`GroupBy=connection,key&AgentId=${agentId}`)
    expect(byKey.items).toHaveLength(1)
    expect(byKey.items[0]).toMatchObject({ group: { connectionId, apiKeyId: expect.any(String) } })
    expect(Object.keys(byKey.names)).toEqual(expect.arrayContaining([connectionId]))
  })

  test('is unknown if the provider reports none or does not finish [USE-1] [USE-7]', async () => {
    const agentId = await service.makeAgent()
    const { ticket, client, provider } = await service.speakTo(agentId)
    playCalls(provider, 'resp_1', [])
    provider.send(responseCreated('resp_2'))
    await client.inbox.takeType('response.created')
    await client.inbox.takeType('response.done')
    await client.inbox.takeType('response.created')
    client.socket.close()
    const { cost } = await endedSession(service.running.client, ticket.conversationId)
    expect(cost).toMatchObject({ amount: null, unknownResponses: 2 })
  })
})

describe('the usage of a turn', () => {
  const usage = (inputTokens: number, outputTokens: number, cachedInputTokens = 0) => ({
    usage: { inputTokens, outputTokens, cachedInputTokens },
  })

  test('is in its answer with its cost, for each agent at the price of its own model [USE-2] [USE-7]', async () => {
    const clerkId = await service.makeAgent({ name: 'Clerk' })
    const { agentId } = await makeOpenAiAgent({ subAgentIds: [clerkId] })
    service.model.answer(
      { calls: [{ name: 'ask_clerk', arguments: '{"question":"Where?"}' }], ...usage(1000, 100, 400) },
      { text: 'On shelf 4.', ...usage(50, 7) },
      { text: 'Shelf 4.', ...usage(2000, 10) },
    )
    const { body } = await ask(service.running, agentId, { question: 'Where is it?' })
    expect(body.usage).toEqual({ inputTokens: 3050, outputTokens: 117, cachedInputTokens: 400 })
    const own = (600 * 0.25 + 400 * 0.025 + 100 * 2 + 2000 * 0.25 + 10 * 2) / 1e6
    // The clerk's model has no known price. Its tokens are reported as unpriced, not as free.
    expect(body.cost).toMatchObject({ unpricedTokens: 57, unknownResponses: 0 })
    expect(body.cost.amount).toBeCloseTo(own, 12)
    const { items, names } = await used(`GroupBy=agent&From=${new Date(Date.now() - 60_000).toISOString()}`)
    expect(items.find(({ group }) => group.agentId === clerkId)).toMatchObject({
      ...{ turns: 0, responses: 1, toolCalls: 0 },
      cost: { amount: null, unpricedTokens: 57 },
    })
    expect(items.find(({ group }) => group.agentId === agentId)).toMatchObject({ turns: 1, toolCalls: 1 })
    expect(names).toMatchObject({ [clerkId]: 'Clerk', [agentId]: 'Spoken' })
  })

  test('includes that of sub-agents in a session, at their price [USE-2] [USE-7]', async () => {
    const { agentId: clerkId } = await makeOpenAiAgent({ name: 'Clerk' })
    const agentId = await service.makeAgent({ subAgentIds: [clerkId] })
    const { ticket, client, provider } = await service.speakTo(agentId)
    service.model.answer({ text: 'On shelf 4.', ...usage(100, 20, 40) })
    playCalls(provider, 'resp_1', [
      { callId: 'outer', name: 'ask_clerk', arguments: '{"question":"Where is it?"}' },
    ])
    await takeOutput(provider)
    client.socket.close()
    const session: RealtimeSession = await endedSession(service.running.client, ticket.conversationId)
    expect(session.cost.amount).toBeCloseTo((60 * 0.25 + 40 * 0.025 + 20 * 2) / 1e6, 12)
    expect(session.cost.unknownResponses).toBe(1)
  })

  test('is unknown if the provider reports none [USE-2] [USE-7]', async () => {
    const { agentId } = await makeOpenAiAgent()
    service.model.answer({ text: 'Well.', usage: null })
    const { body } = await ask(service.running, agentId, { question: 'And now?' })
    expect(body.cost).toMatchObject({ amount: null, unpricedTokens: 0, unknownResponses: 1 })
  })
})

describe('prices', () => {
  const own = { kind: 'openai-compatible', model: 'a-text-*', perMillion: { textInput: 10, textOutput: 20 } }

  test('prices of the organization come first from their date on, and are listed with the defaults [USE-5]', async () => {
    const { client } = service.running
    const before = (await client.call<PriceList>('GET', '/api/v1/Price')).body
    expect(before).toMatchObject({ items: [], updatedAt: null, defaults: { date: '2026-09-23' } })
    const spoken = before.defaults.items.find(
      ({ kind, model }) => kind === 'openai' && model === 'gpt-realtime-2.1',
    )
    expect(spoken?.perMillion).toMatchObject({ audioInput: 32, cachedAudioInput: 0.4, audioOutput: 64 })
    const later = { ...own, validFrom: '2100-01-01T00:00:00Z', perMillion: { textInput: 99 } }
    const put = await client.call<PriceList>('PUT', '/api/v1/Price', {
      body: { ...before, items: [own, later] },
    })
    expect(put.status, put.text).toBe(200)
    expect(put.body.items).toHaveLength(2)
    const agentId = await service.makeAgent()
    service.model.answer({
      text: 'Yes.',
      usage: { inputTokens: 100, outputTokens: 10, cachedInputTokens: 50 },
    })
    const { body } = await ask(service.running, agentId, { question: 'Is it?' })
    // Cached input has no price here, so it costs as much as input.
    expect(body.cost.amount).toBeCloseTo((100 * 10 + 10 * 20) / 1e6, 12)
    expect((await client.call('PUT', '/api/v1/Price', { body: { items: [] } })).status).toBe(200)
  })

  test('prices are one list with a version, so a writer with an old version changes nothing [API-12] [USE-5]', async () => {
    const { client } = service.running
    const put = (items: readonly object[], etag: string | null) =>
      client.call<PriceList>('PUT', '/api/v1/Price', {
        body: { items },
        headers: etag === null ? {} : { 'if-match': etag },
      })
    const { headers } = await client.call('GET', '/api/v1/Price')
    const empty = headers.get('etag')
    // One of two writers that have read the same version succeeds.
    const [one, other] = await Promise.all([put([own], empty), put([{ ...own, perHour: 1 }], empty)])
    expect([one.status, other.status].sort()).toEqual([200, 412])
    const first = (one.status === 200 ? one : other).headers.get('etag')
    const second = (await put([{ ...own, perHour: 2 }], first)).headers.get('etag')
    expect(new Set([empty, first, second]).size).toBe(3)
    expect((await put([], first)).status).toBe(412)
    const { body, headers: now } = await client.call<PriceList>('GET', '/api/v1/Price')
    expect(body.items).toMatchObject([{ perHour: 2 }])
    expect(now.get('etag')).toBe(second)
    expect((await put([], second)).headers.get('etag')).toBe(empty)
  })

  test.each([
    [{ items: [own, own] }, 'items[1]'],
    [{ items: [{ ...own, model: 'a*b' }] }, 'items[0].model'],
    [{ items: [{ ...own, perMillion: { textInput: -1 } }] }, 'items[0].perMillion.textInput'],
    [{ currency: 'EUR', items: [] }, 'currency'],
  ])('prices are rejected if they are invalid: %j [USE-5]', async (body, path) => {
    const refused = await service.running.client.call<{ errors: { path: string }[] }>(
      'PUT',
      '/api/v1/Price',
      {
        body,
      },
    )
    expect([refused.status, refused.body.errors[0]?.path]).toEqual([400, path])
  })
})

describe('sums', () => {
  test.each([
    ['GroupBy=day,week', 'GroupBy'],
    ['GroupBy=day,day', 'GroupBy'],
    ['From=2026-02-01T00:00:00Z&To=2026-01-01T00:00:00Z', 'From'],
  ])('a request for sums is rejected for %s [USE-4]', async (query, path) => {
    const refused = await service.running.client.call<{ errors: { path: string }[] }>(
      'GET',
      `/api/v1/Usage?${query}`,
    )
    expect([refused.status, refused.body.errors[0]?.path]).toEqual([400, path])
  })

  test('sums have no items without usage, and the same totals in every grouping [USE-4]', async () => {
    expect(await used('To=2001-01-01T00:00:00Z&GroupBy=day,model')).toMatchObject({
      items: [],
      totals: { responses: 0, cost: { amount: 0 } },
      names: {},
    })
    const [whole, ...groupings] = await Promise.all(
      ['day', 'day,agent,key,model,connection,channel', 'channel'].map((by) => used(`GroupBy=${by}`)),
    )
    expect(whole?.totals.responses).toBeGreaterThan(5)
    for (const { totals } of groupings) expect(totals).toEqual(whole?.totals)
  })
})
