import type { Approval, AuditLogRecord, Problem, Task, Usage } from '@parley/contract'
import { describe, expect, test } from 'vitest'
import { makeApiClient } from '../../support/api-client.js'
import { follow } from '../../support/questions/ask.js'
import { useQuestionService } from '../../support/questions/question-service.js'
import { expectCompleteStream } from '../../support/questions/received-events.js'
import { messagesOf, patiently } from '../../support/realtime/spoken-turns.js'

const tasks = '/api/v1/Task'
const oneUnknown = 'Tool calls with an unknown outcome, which may have taken effect: 1.'
const at = ({ id }: Pick<Task, 'id'>) => `${tasks}/${id}`

// times.embedded.test.ts covers runs on the embedded database, and scenarios/process/task-kills covers
// killed processes.
describe('a task that an agent runs', () => {
  const service = useQuestionService()
  const charge = (fields: object = {}) => ({
    ...{ kind: 'http', name: 'charge', description: 'Takes money.', ...fields },
    request: { method: 'POST', url: `${service.tools.url}/charge` },
  })
  const { call } = {
    call: <Body>(method: string, path: string, body?: object, headers: Record<string, string> = {}) =>
      service.running.client.call<Body>(method, path, { ...(body && { body }), headers }),
  }
  const read = async (task: Pick<Task, 'id'>) => (await call<Task>('GET', at(task))).body
  const create = async (fields: object) => {
    const made = await call<Task>('POST', tasks, { title: 'Charge room 4', ...fields })
    expect(made.status, made.text).toBe(201)
    return made.body
  }
  const run = async (task: Pick<Task, 'id'>, headers = {}) =>
    call<Task>('POST', `${at(task)}/run`, undefined, headers)
  const ended = async (task: Pick<Task, 'id'>) => {
    await expect.poll(async () => (await read(task)).runStartedAt, patiently).toBe(null)
    return read(task)
  }
  const records = async ({ id }: Pick<Task, 'id'>) => {
    const page = await call<{ items: AuditLogRecord[] }>(
      'GET',
      '/api/v1/AuditLog?ResourceType=Task&Limit=200',
    )
    const own = page.body.items.filter(({ resourceId }) => resourceId === id)
    return own.toReversed()
  }

  test('passes on its title and description, has its own conversation, and ends with a result [RUN-1]', async () => {
    const agentId = await service.makeAgent({ tools: [charge()] })
    const task = await create({ agentId, description: 'Two nights, 180 euros.' })
    service.model.answer({ text: 'At once.', calls: [{ name: 'charge' }] }, { text: 'Charged.' })
    const charged = service.tools.expect('POST /charge', { body: { charged: true } })
    const started = await run(task)
    expect(started.status, started.text).toBe(202)
    expect(started.body).toMatchObject({ id: task.id, status: 'in_progress', attempts: 0 })
    const { conversationId } = started.body
    await charged
    const done = await ended(task)
    expect(done).toMatchObject({
      status: 'done',
      attempts: 1,
      conversationId,
      statusDetail: null,
      nextRunAt: null,
    })
    expect(done.result).toBe('At once.\n\nCharged.')
    const messages = await messagesOf(service.running.client, conversationId ?? '')
    expect(messages.map(({ role, content }) => [role, content])).toEqual([
      ['user', 'Charge room 4\n\nTwo nights, 180 euros.'],
      ['tool', expect.stringContaining('true')],
      ['assistant', done.result],
    ])
    const stream = await follow(service.running, {
      conversationId: conversationId ?? '',
      turnId: done.turnId ?? '',
    })
    await stream.ended
    expectCompleteStream(stream.received)
    const actions = (await records(task)).map(({ action }) => action)
    expect(actions, '[RUN-11] one start and one end').toEqual([
      'task.create',
      'task.run.start',
      'task.run.attempt',
      'task.run.end',
    ])
    expect(done.sourceConversationId).toBe(null)
    // The next run has its own conversation.
    service.model.answer({ text: 'Charged again.' })
    expect((await run(task)).body.conversationId).not.toBe(conversationId)
    expect((await ended(task)).result).toBe('Charged again.')
  })

  test('runs once at a time, and not without an agent, while cancelled or without the scope [RUN-2]', async () => {
    const agentId = await service.makeAgent()
    const task = await create({ agentId })
    service.model.answer('silence')
    const first = await run(task, { 'idempotency-key': `run-${task.id}` })
    expect(first.status).toBe(202)
    expect((await run(task, { 'idempotency-key': `run-${task.id}` })).body).toEqual(first.body)
    const second = await run(task)
    expect([second.status, second.text]).toEqual([409, expect.stringContaining('already running')])
    const other = await create({ agentId: null })
    const sameKey = await run(other, { 'idempotency-key': `run-${task.id}` })
    expect([sameKey.status, sameKey.text]).toEqual([409, expect.stringContaining('Idempotency-Key')])
    expect((await run(other)).text).toContain('has no agent')
    const moved = await call('PATCH', at(task), { agentId: await service.makeAgent() })
    expect([moved.status, moved.text]).toEqual([409, expect.stringContaining('Cancel the run')])
    await service.model.nextRequest()
    await call('PATCH', at(task), { status: 'cancelled' })
    expect((await run(task)).text).toContain('is cancelled')
    const reader = await call<{ key: string }>('POST', '/api/v1/ApiKey', {
      name: 'Reader',
      scopes: ['task:read'],
    })
    const client = makeApiClient(service.running.url, { ...service.running, apiKey: reader.body.key })
    expect((await client.call('POST', `${at(task)}/run`)).status).toBe(403)
  })

  test.each(['PATCH', 'DELETE'] as const)('is stopped permanently by %s [RUN-5]', async (method) => {
    const agentId = await service.makeAgent({ tools: [charge({ approvalRequired: true })] })
    const task = await create({ agentId })
    service.model.answer({ calls: [{ id: 'call_1', name: 'charge' }] })
    const { conversationId, id } = (await run(task)).body
    await expect
      .poll(async () => (await read(task)).statusDetail, patiently)
      .toContain('waiting for approval')
    const { turnId } = await read(task)
    const stopped = await call<Task>(
      method,
      at(task),
      method === 'PATCH' ? { status: 'cancelled' } : undefined,
    )
    expect(stopped.status).toBe(method === 'PATCH' ? 200 : 204)
    const turn = `/api/v1/Conversation/${conversationId}/turn/${turnId}`
    await expect
      .poll(async () => (await call<{ status: string }>('GET', turn)).body.status, patiently)
      .toBe('stopped')
    const path = `/api/v1/Conversation/${conversationId}/approval`
    expect((await call('POST', path, { callId: 'call_1', decision: 'approve' })).status).toBe(409)
    if (method === 'DELETE') expect((await call('GET', at({ id }))).status).toBe(404)
    else
      expect(await read(task)).toMatchObject({
        ...{ status: 'cancelled', runStartedAt: null, nextRunAt: null, result: null },
        statusDetail: 'The run was ended: its status became cancelled.',
      })
  })

  test('waiting for approval, reports it, and continues afterwards [RUN-6]', async () => {
    const agentId = await service.makeAgent({ tools: [charge({ approvalRequired: true })] })
    const task = await create({ agentId })
    service.model.answer({ calls: [{ id: 'call_1', name: 'charge' }] }, { text: 'Charged.' })
    const { conversationId } = (await run(task)).body
    await expect
      .poll(async () => (await read(task)).statusDetail, patiently)
      .toContain('waiting for approval')
    service.tools.expect('POST /charge', { body: { charged: true } })
    await call('POST', `/api/v1/Conversation/${conversationId}/approval`, {
      callId: 'call_1',
      decision: 'approve',
    })
    expect(await ended(task)).toMatchObject({ status: 'done', result: 'Charged.' })
  })

  test('asks for approval before it repeats a call with an unknown outcome, whatever the agent says [RUN-9]', async () => {
    const agentId = await service.makeAgent({ tools: [charge({ parameters: { type: 'object' } })] })
    const task = await create({ agentId })
    const given = '{"room":4,"euros":180}'
    service.model.answer({ calls: [{ id: 'call_1', name: 'charge', arguments: given }] })
    const called = service.tools.expect('POST /charge', () => undefined)
    const { conversationId, turnId: _none } = (await run(task)).body
    await called
    const { turnId } = await read(task)
    // Stopping the turn leaves a call with an unknown outcome.
    await call('DELETE', `/api/v1/Conversation/${conversationId}/turn/${turnId}`)
    expect(await ended(task)).toMatchObject({
      status: 'cancelled',
      statusDetail: `The turn of the run was stopped. ${oneUnknown}`,
    })
    await call('PATCH', at(task), { status: 'open' })
    // The same arguments in another spelling.
    const again = '{ "euros": 180, "room": 4 }'
    service.model.answer(
      { calls: [{ id: 'call_2', name: 'charge', arguments: again }] },
      { text: 'As you say.' },
    )
    expect((await run(task)).body.conversationId).toBe(conversationId)
    const path = `/api/v1/Approval?State=waiting&ConversationId=${conversationId}`
    const waiting = async () => (await call<{ items: Approval[] }>('GET', path)).body.items
    await expect.poll(async () => (await waiting()).length, patiently).toBe(1)
    const body = { callId: 'call_2', decision: 'reject', reason: 'It was charged.' }
    await call('POST', `/api/v1/Conversation/${conversationId}/approval`, body)
    expect(await ended(task)).toMatchObject({ status: 'done', result: 'As you say.' })
    const asked = service.model.requests.at(-2)?.body.messages as { role: string; content: string }[]
    expect(JSON.stringify(asked)).toContain('its outcome is unknown')
  })

  test('reports a call that timed out as unknown, and its repetition waits for approval [TOOL-27]', async () => {
    const agentId = await service.makeAgent({
      tools: [charge({ parameters: { type: 'object' }, timeoutSeconds: 1 })],
    })
    const task = await create({ agentId })
    const charging = (id: string) => ({ calls: [{ id, name: 'charge', arguments: '{"room":4}' }] })
    service.model.answer(charging('call_1'), charging('call_2'), { text: 'It may have been charged.' })
    void service.tools.expect('POST /charge', () => undefined)
    const { conversationId } = (await run(task)).body
    await expect
      .poll(async () => (await read(task)).statusDetail, patiently)
      .toContain('waiting for approval')
    const [, sent] = await messagesOf(service.running.client, conversationId ?? '')
    const timeoutText = expect.stringMatching(
      /^The tool did not respond within 1 second\. .*its outcome is unknown/,
    )
    expect(sent).toMatchObject({ callId: 'call_1', status: 2, content: timeoutText, failure: timeoutText })
    expect(JSON.stringify(service.model.requests.at(-1)?.body.messages)).toContain('its outcome is unknown')
    await call('POST', `/api/v1/Conversation/${conversationId}/approval`, {
      ...{ callId: 'call_2', decision: 'reject' },
    })
    expect(await ended(task)).toMatchObject({
      ...{ status: 'done', result: 'It may have been charged.', statusDetail: oneUnknown },
    })
    expect((await records(task)).at(-1)).toMatchObject({
      ...{ action: 'task.run.end', details: { status: 'done', unknownCalls: 1 } },
    })
  })

  test("counts for the key that started or planned it, and that key's budget applies [USE-9]", async () => {
    const agentId = await service.makeAgent()
    const makeKey = async (name: string) => {
      const made = await call<{ id: string; key: string }>('POST', '/api/v1/ApiKey', {
        ...{ name, scopes: ['task:write'] },
      })
      const client = makeApiClient(service.running.url, { ...service.running, apiKey: made.body.key })
      return { id: made.body.id, client }
    }
    const [asker, planner] = [await makeKey('Asker'), await makeKey('Planner')]
    const tokens = (inputTokens: number) => ({ usage: { inputTokens, outputTokens: 0 } })
    const plan = (task: Task, runAt: string) =>
      planner.client.call<Task>('PATCH', at(task), { body: { runAt, status: 'open' } })

    const asked = await create({ agentId })
    service.model.answer({ text: 'Asked.', ...tokens(100) })
    expect((await asker.client.call('POST', `${at(asked)}/run`)).status).toBe(202)
    await ended(asked)
    const task = await create({ agentId, schedule: '0 9 1 1 *' })
    service.model.answer({ text: 'Planned.', ...tokens(30) })
    expect((await plan(task, '2020-01-01T00:00:00Z')).status).toBe(200)
    await expect.poll(async () => (await read(task)).result, patiently).toBe('Planned.')
    // A caller that changes another field has not planned it.
    await call('PATCH', at(task), { priority: 'high' })
    const { tasks: stored } = service.running.service.database.stores
    expect(await stored.find(service.running.organizationId, task.id)).toMatchObject({
      ...{ plannedByKeyId: planner.id, runByKeyId: null },
    })
    const { body } = await call<Usage>('GET', `/api/v1/Usage?GroupBy=key&AgentId=${agentId}`)
    const used = body.items.map(({ group, tokens: { textInput } }) => [group.apiKeyId, textInput] as const)
    expect(new Map(used)).toEqual(
      new Map([
        [asker.id, 100],
        [planner.id, 30],
      ]),
    )

    const budget = { name: 'Small', apiKeyId: planner.id, period: 'month', limit: { tokens: 30 } }
    expect((await call('POST', '/api/v1/Budget', budget)).status).toBe(201)
    expect((await plan(task, '2020-01-02T00:00:00Z')).status).toBe(200)
    await expect.poll(async () => (await read(task)).status, patiently).toBe('failed')
    expect((await read(task)).statusDetail).toMatch(/could not start: The budget Small of this key/)
    const refused = await planner.client.call<Problem>('POST', `${at(task)}/run`)
    expect([refused.status, refused.body.errorCode]).toEqual([403, 'BudgetExceeded'])
    service.model.answer({ text: 'For another.', ...tokens(1) })
    expect((await run(task)).status).toBe(202)
    expect((await ended(task)).result).toBe('For another.')
  })

  test('ends with an explanation if its conversation or agent is deleted [RUN-10]', async () => {
    const agentId = await service.makeAgent()
    const task = await create({ agentId })
    service.model.answer('silence')
    const { conversationId } = (await run(task)).body
    await service.model.nextRequest()
    await call('DELETE', `/api/v1/Conversation/${conversationId}`)
    expect(await ended(task)).toMatchObject({
      status: 'cancelled',
      statusDetail: 'The turn of the run was stopped.',
    })
    await call('DELETE', `/api/v1/Agent/${agentId}`)
    await call('PATCH', at(task), { status: 'open' })
    expect((await run(task)).text).toContain('was deleted')
  })
})
