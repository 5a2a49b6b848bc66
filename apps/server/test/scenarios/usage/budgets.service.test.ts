import type { AuditLogRecord, Budget, Problem } from '@parley/contract'
import { describe, expect, test } from 'vitest'
import { makeApiClient } from '../../support/api-client.js'
import { addApiKey } from '../../support/organizations.js'
import { ask } from '../../support/questions/ask.js'
import { useQuestionService } from '../../support/questions/question-service.js'
import { openSocket } from '../../support/realtime/open-socket.js'
import { endedSession, responseDone } from '../../support/realtime/spoken-turns.js'
import { makeTestClock } from '../../support/test-clock.js'

const clock = makeTestClock(new Date('2026-11-16T10:00:00.000Z'))
const questionService = useQuestionService(() => ({ clock }))
const path = '/api/v1/Budget'

async function make(budget: object): Promise<Budget> {
  const body = { name: 'A budget', period: 'month', ...budget }
  const made = await questionService.running.client.call<Budget>('POST', path, { body })
  expect(made.status, made.text).toBe(201)
  return made.body
}

const read = async ({ id }: Budget) =>
  (await questionService.running.client.call<Budget>('GET', `${path}/${id}`)).body

const usage = (inputTokens: number, outputTokens: number) => ({
  usage: { inputTokens, outputTokens, cachedInputTokens: 0 },
})

async function systemActionsOn({ id }: Budget): Promise<string[]> {
  const { body } = await questionService.running.client.call<{ items: AuditLogRecord[] }>(
    'GET',
    '/api/v1/AuditLog?ResourceType=Budget&Limit=200',
  )
  return body.items
    .filter(({ resourceId, actor }) => resourceId === id && actor.type === 'system')
    .map(({ action }) => action)
    .toReversed()
}

const tokensUsed = (total: number) =>
  responseDone('R', { status: 'completed', output: [], usage: { total_tokens: total, input_tokens: total } })

describe('a budget', () => {
  test('can be created, read with its usage, changed and deleted [BUD-1]', async () => {
    const agentId = await questionService.makeAgent()
    const budget = await make({ agentId, limit: { tokens: 1000 } })
    expect(budget).toMatchObject({
      ...{ agentId, apiKeyId: null, warnAtPercent: 80, onExceeded: 'refuse', state: 'open' },
      ...{ limit: { tokens: 1000 }, periodStartsAt: '2026-11-01T00:00:00.000Z' },
      ...{
        resetsAt: '2026-12-01T00:00:00.000Z',
        spent: { amount: 0, currency: 'USD', tokens: 0, percent: 0 },
      },
    })
    questionService.model.answer({ text: 'Yes.', ...usage(200, 50) })
    await ask(questionService.running, agentId, { question: 'Is it?' })
    expect((await read(budget)).spent).toMatchObject({ tokens: 250, unpricedTokens: 250, percent: 25 })
    const { client } = questionService.running
    const body = { limit: { tokens: null, amount: 2.5 }, period: 'day' }
    const patched = await client.call<Budget>('PATCH', `${path}/${budget.id}`, { body })
    expect(patched.body).toMatchObject({ limit: { amount: 2.5 }, resetsAt: '2026-11-17T00:00:00.000Z' })
    const listed = await client.call<{ items: Budget[] }>('GET', `${path}?AgentId=${agentId}`)
    expect(listed.body.items).toEqual([patched.body])
    expect((await client.call('DELETE', `${path}/${budget.id}`)).status).toBe(204)
  })

  test.each([
    [{ limit: {} }, 'limit'],
    [{ limit: { amount: 1, tokens: 1 } }, 'limit'],
    [{ limit: { amount: 0 } }, 'limit.amount'],
    [{ limit: { tokens: 1 }, period: 'week' }, 'period'],
    [{ limit: { tokens: 1 }, agentId: '018f0000-0000-7000-8000-000000000001' }, 'agentId'],
    [{ limit: { tokens: 1 }, apiKeyId: '018f0000-0000-7000-8000-000000000001' }, 'apiKeyId'],
  ])('is rejected if it is invalid: %j [BUD-1]', async (fields, where) => {
    const body = { name: 'A budget', period: 'day', ...fields }
    const refused = await questionService.running.client.call<Problem>('POST', path, { body })
    expect([refused.status, refused.body.errors?.[0]?.path]).toEqual([400, where])
  })
})

describe('a budget that is used up', () => {
  test('warns once, rejects new work until a stated time, and then starts again [BUD-2] [BUD-3]', async () => {
    const agentId = await questionService.makeAgent()
    const budget = await make({ name: 'Small', agentId, period: 'day', limit: { tokens: 100 } })
    questionService.model.answer(
      { text: 'One.', ...usage(70, 9) },
      { text: 'Two.', ...usage(1, 0) },
      { text: 'Three.', ...usage(60, 0) },
    )
    for (const question of ['1', '2', '3'])
      expect((await ask(questionService.running, agentId, { question })).body.status).toBe('completed')
    expect(await systemActionsOn(budget)).toEqual(['budget.warning', 'budget.exceeded'])
    expect(await read(budget)).toMatchObject({ state: 'exceeded', spent: { tokens: 140, percent: 140 } })
    const until = { id: budget.id, name: 'Small', resetsAt: '2026-11-17T00:00:00.000Z' }
    for (const kind of ['question', 'realtime-session']) {
      const body = kind === 'question' ? { question: 'More?' } : {}
      const refused = await questionService.running.client.call<Problem>(
        'POST',
        `/api/v1/Agent/${agentId}/${kind}`,
        {
          body,
        },
      )
      expect(refused.status).toBe(403)
      expect(refused.body).toMatchObject({ errorCode: 'BudgetExceeded', budget: until })
      expect(refused.body.detail).toContain('Small')
      expect(refused.body.detail).toContain(until.resetsAt)
    }
    clock.advance(14 * 60 * 60 * 1000)
    questionService.model.answer({ text: 'A new day.', ...usage(1, 1) })
    expect((await ask(questionService.running, agentId, { question: 'And now?' })).body.status).toBe(
      'completed',
    )
    expect(await read(budget)).toMatchObject({ state: 'open', spent: { tokens: 2 } })
  })

  test('does not stop other callers if it belongs to a key [BUD-2] [BUD-3]', async () => {
    const agentId = await questionService.makeAgent()
    const { running } = questionService
    const key = await addApiKey(running.service.database.stores, running.organizationId, ['question:ask'])
    const { body: keys } = await running.client.call<{ items: { id: string; prefix: string }[] }>(
      'GET',
      '/api/v1/ApiKey',
    )
    const apiKeyId = keys.items.find(({ prefix }) => key.includes(prefix))?.id
    await make({ apiKeyId, limit: { tokens: 5 } })
    const other = makeApiClient(running.url, { organizationId: running.organizationId, apiKey: key })
    const question = (client: typeof other) =>
      client.call('POST', `/api/v1/Agent/${agentId}/question`, { body: { question: 'Hm?' } })
    questionService.model.answer(
      { text: 'Mine.', ...usage(50, 1) },
      { text: 'Yours.', ...usage(5, 0) },
      { text: 'Mine.', ...usage(5, 0) },
    )
    const answers = [
      await question(running.client),
      await question(other),
      await question(other),
      await question(running.client),
    ]
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 403, 200])
  })

  test('ends a turn after its step, without running tools or asking the model again [BUD-2] [BUD-3]', async () => {
    const look = {
      kind: 'builtin',
      name: 'current_time',
      description: 'Tells the time.',
      builtin: 'current_time',
    }
    const agentId = await questionService.makeAgent({ tools: [look] })
    await make({ name: 'Little', agentId, limit: { tokens: 10 } })
    questionService.model.answer({
      text: 'Let me look.',
      calls: [{ name: 'current_time', arguments: '{}' }],
      ...usage(9, 1),
    })
    const { body } = await ask(questionService.running, agentId, { question: 'What time is it?' })
    expect(body).toMatchObject({
      ...{ status: 'stopped', answer: 'Let me look.', toolInvocations: [] },
      usage: { inputTokens: 9, outputTokens: 1 },
    })
    expect(body.failure).toContain('Little')
  })

  test('is reported when its limit is lowered below the usage [BUD-2] [BUD-3]', async () => {
    const agentId = await questionService.makeAgent()
    const budget = await make({ agentId, limit: { tokens: 1000 } })
    questionService.model.answer({ text: 'Yes.', ...usage(100, 0) })
    await ask(questionService.running, agentId, { question: 'Is it?' })
    const body = { limit: { tokens: 50 } }
    await questionService.running.client.call('PATCH', `${path}/${budget.id}`, { body })
    expect(await systemActionsOn(budget)).toEqual(['budget.warning', 'budget.exceeded'])
  })
})

describe('a session whose budget is used up', () => {
  test.each([
    ['end', { code: 4006, reason: 'budget_exceeded' }, 'budget_exceeded'],
    ['refuse', { code: 1000, reason: '' }, 'client_left'],
  ] as const)('is ended or may finish with onExceeded %s [BUD-4]', async (onExceeded, closed, reason) => {
    const agentId = await questionService.makeAgent()
    await make({ name: 'Voices', agentId, limit: { tokens: 100 }, onExceeded })
    // Both tickets are created while there is room.
    const late = await questionService.createTicket(agentId)
    const { ticket, client, provider } = await questionService.speakTo(agentId)
    provider.send(tokensUsed(60))
    await client.inbox.takeType('response.done')
    provider.send({ ...tokensUsed(60), response: { ...tokensUsed(60).response, id: 'R2' } })
    if (onExceeded === 'end') {
      const errorEvent = await client.inbox.takeType('error')
      expect(errorEvent).toMatchObject({
        error: { code: 'budget_exceeded', message: expect.stringContaining('Voices') },
      })
    } else {
      const room = async () =>
        (await questionService.running.client.call<Problem>('GET', late.webSocketPath)).body.errorCode
      await expect.poll(room, { timeout: 60_000, interval: 20 }).toBe('BudgetExceeded')
      client.socket.close(1000)
    }
    expect(await client.inbox.closed).toMatchObject(closed)
    expect((await endedSession(questionService.running.client, ticket.conversationId)).endReason).toBe(reason)
    // A ticket that is used now is rejected as well.
    await expect(openSocket(questionService.running.url, late.webSocketPath)).rejects.toThrow(/403/)
  })
})
