import type { RealtimeSessionTicket } from '@parley/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { describeStop } from '#server/edge/terminal/start-failure.js'
import { makeApiClient } from '../../support/api-client.js'
import { ask, askStreaming, follow } from '../../support/questions/ask.js'
import {
  endedTurn,
  messagesSentTo,
  typesIn,
  useQuestionService,
} from '../../support/questions/question-service.js'
import { openSocket } from '../../support/realtime/open-socket.js'
import { takeOutput } from '../../support/realtime/tool-calls.js'
import { approvalsOf, decide, refundTool, takeQuestion } from '../../support/realtime/waiting-calls.js'
import type { PostgresDatabase } from '../../support/services/postgres-database.js'
import { migratedDatabase, type RunningService, startService } from '../../support/start-service.js'

let postgres: PostgresDatabase
let other: RunningService

beforeAll(async () => {
  postgres = await migratedDatabase()
})

afterAll(() => postgres.drop())

const env = () => ({ DATABASE_URL: postgres.url, PARLEY_ALLOWED_PRIVATE_HOSTS: '127.0.0.1' })
const questionService = useQuestionService(() => ({ env: env() }))

beforeAll(async () => {
  other = await asInstance(await startService({ env: env() }))
})

afterAll(() => other.close())

/** Returns another instance with a client that uses the first one's key. */
async function asInstance(service: RunningService): Promise<RunningService> {
  const { organizationId, apiKey } = questionService.running
  return {
    ...service,
    organizationId,
    apiKey,
    client: makeApiClient(service.url, { organizationId, apiKey }),
  }
}

const makeClerk = () =>
  questionService.makeAgent({ name: 'Clerk', tools: [refundTool(questionService.tools)] })
const refund = (id: string) => ({ id, name: 'refund', arguments: { amount: 5 } })

describe('a call of a turn, decided on another instance', () => {
  test('runs on the instance of its turn, and both instances show the turn and its events [ASK-7]', async () => {
    questionService.model.answer({ calls: [refund('call_a')] })
    const { body: waiting } = await ask(questionService.running, await makeClerk(), {
      question: 'Money back!',
    })
    const stream = await follow(other, waiting)
    await stream.waitFor('approval.waiting')
    const called = questionService.tools.expect('POST /refund', { body: 'Paid.' })
    questionService.model.answer({ text: 'Done.' })
    expect((await decide(other.client, waiting.conversationId, 'call_a', 'approve')).status).toBe(200)
    await called
    await stream.ended
    expect(typesIn(stream).slice(3)).toEqual([
      'approval.waiting',
      'approval.approved',
      'response.function_invocation.done',
      'response.id',
      'response.completed',
    ])
    const ended = await endedTurn(other, waiting)
    expect(ended).toMatchObject({ status: 'completed', answer: 'Done.', toolInvocations: [{ status: 1 }] })
    expect(await endedTurn(questionService.running, waiting)).toEqual(ended)
  })

  test('returns a rejection and its reason to the turn [ASK-7]', async () => {
    questionService.model.answer({ calls: [refund('call_a')] })
    const { body: waiting } = await ask(questionService.running, await makeClerk(), {
      question: 'Money back!',
    })
    questionService.model.answer({ text: 'Sorry.' })
    await decide(other.client, waiting.conversationId, 'call_a', 'reject', 'Not today.')
    expect((await endedTurn(other, waiting)).answer).toBe('Sorry.')
    expect(messagesSentTo(questionService.model).at(-1)?.content).toContain('Not today.')
  })

  test('runs once and its turn has the outcome, however many turns wait on either instance [ASK-7]', async () => {
    const agentId = await makeClerk()
    const turns = []
    for (let count = 0; count < 8; count += 1) {
      questionService.model.answer({ calls: [refund('call_a')] })
      const place = count % 2 ? other : questionService.running
      turns.push((await ask(place, agentId, { question: 'Money back!' })).body)
    }
    const called = turns.map(() => questionService.tools.expect('POST /refund', { body: 'Paid.' }))
    for (const _ of turns) questionService.model.answer({ text: 'Done.' })
    // Each decision goes to the instance without the turn, which must leave the call alone.
    await Promise.all(
      turns.map(({ conversationId }, index) =>
        decide(
          index % 2 ? questionService.running.client : other.client,
          conversationId,
          'call_a',
          'approve',
        ),
      ),
    )
    const keys = (await Promise.all(called)).map(({ headers }) => headers['idempotency-key'])
    expect(new Set(keys).size).toBe(turns.length)
    for (const turn of turns)
      expect(await endedTurn(questionService.running, turn)).toMatchObject({
        status: 'completed',
        answer: 'Done.',
        toolInvocations: [{ content: 'Paid.', status: 1 }],
      })
    expect(questionService.tools.requests).toHaveLength(turns.length)
  })
})

describe('a session that starts on another instance while a turn waits', () => {
  test('presents the call, the tool runs once, and both receive the outcome [ASK-7]', async () => {
    const agentId = await makeClerk()
    questionService.model.answer({ calls: [refund('call_a')] })
    const { body: waiting } = await ask(questionService.running, agentId, { question: 'Money back!' })
    const { conversationId } = waiting
    const path = `/api/v1/Agent/${agentId}/realtime-session`
    const ticket = await other.client.call<RealtimeSessionTicket>('POST', path, { body: { conversationId } })
    const client = await openSocket(other.url, ticket.body.webSocketPath)
    const provider = await questionService.voice.accept()
    await takeQuestion({ client })
    const called = questionService.tools.expect('POST /refund', { body: 'Paid.' })
    questionService.model.answer({ text: 'It is paid.' })
    expect((await decide(questionService.running.client, conversationId, 'call_a', 'approve')).status).toBe(
      200,
    )
    await called
    // The items are the question, the call, and then its output.
    for (const _ of ['question', 'call']) await provider.inbox.takeType('conversation.item.create')
    expect(await takeOutput(provider)).toEqual({ callId: 'call_a', output: 'Paid.' })
    expect(await endedTurn(questionService.running, waiting)).toMatchObject({
      answer: 'It is paid.',
      toolInvocations: [{ content: 'Paid.', status: 1 }],
    })
    expect(messagesSentTo(questionService.model).at(-1)?.content).toBe('Paid.')
    expect(questionService.tools.requests).toHaveLength(1)
    client.socket.close()
  })
})

describe('conversations that are deleted on another instance while their turns wait', () => {
  test('deleted conversations lose their calls: no tool runs and no model is asked again [ASK-12]', async () => {
    const agentId = await makeClerk()
    for (let count = 0; count < 4; count += 1) {
      questionService.model.answer({ calls: [refund('call_a')] })
      const { body } = await ask(questionService.running, agentId, { question: 'Money back!' })
      const stream = await follow(questionService.running, body)
      // Another call starts to wait right after the deletion. Its instance polls the approvals, not the
      // turns.
      let goOn: (value?: unknown) => void = () => undefined
      const wait = new Promise((resolve) => {
        goOn = resolve
      })
      questionService.model.answer({ text: ['One ', wait, 'moment.'], calls: [refund('call_b')] })
      const next = await askStreaming(questionService.running, agentId, { question: 'Mine, too!' })
      await next.waitFor('response.text.delta')
      await other.client.call('DELETE', `/api/v1/Conversation/${body.conversationId}`)
      goOn()
      await next.waitFor('approval.waiting')
      await stream.ended
      const turn = (await next.waitFor('turn.started')).data
      await questionService.running.client.call('DELETE', `/api/v1/Conversation/${turn.conversationId}`)
      await next.ended
    }
    expect(questionService.model.requests).toHaveLength(8)
    expect(questionService.tools.requests).toEqual([])
  })
})

describe('a service that shuts down while a turn waits', () => {
  test('fails the turn immediately, and the call keeps waiting and is known to later questions [ASK-17] [ASK-13]', async () => {
    const agentId = await makeClerk()
    const third = await asInstance(await startService({ env: { ...env(), PARLEY_DRAIN_SECONDS: '600' } }))
    questionService.model.answer({ calls: [refund('call_a')] })
    const { body: turn } = await ask(third, agentId, { question: 'Money back!' })
    expect(turn.status).toBe('waiting_for_approval')
    const inProgress = third.service.inProgress()
    expect(inProgress).toEqual({ sessions: 0, turns: 0, waitingTurns: 1 })
    expect(describeStop(inProgress, 600)).toMatch(
      /not waiting for 1 turn pending approval, .*; send a second/,
    )
    await third.close()
    const ended = await endedTurn(questionService.running, turn)
    expect(ended).toMatchObject({
      status: 'failed',
      failure: expect.stringContaining(
        'shut down while a call was waiting for approval. The call is run or closed after the decision',
      ),
    })
    expect(ended.toolInvocations).toMatchObject([{ status: 3, content: '' }])
    const { client } = questionService.running
    const { conversationId } = turn
    expect(await approvalsOf(client, conversationId)).toMatchObject([{ state: 'waiting' }])

    questionService.model.answer({ text: 'It still waits.' })
    await ask(questionService.running, agentId, { conversationId, question: 'And?' })
    expect(messagesSentTo(questionService.model).slice(1, 3)).toMatchObject([
      { role: 'assistant', tool_calls: [{ function: { name: 'refund' } }] },
      { role: 'tool', content: 'The outcome of the call is not known yet.' },
    ])

    const called = questionService.tools.expect('POST /refund', { body: 'Paid late.' })
    await decide(client, conversationId, 'call_a', 'approve')
    await called
    await expect
      .poll(async () => (await endedTurn(questionService.running, turn)).toolInvocations[0]?.status)
      .toBe(1)
    questionService.model.answer({ text: 'It was paid.' })
    await ask(questionService.running, agentId, { conversationId, question: 'And now?' })
    expect(messagesSentTo(questionService.model)[2]).toMatchObject({ role: 'tool', content: 'Paid late.' })
  })

  test('allows a decision until the deadline if a client follows the turn [ASK-17] [ASK-13]', async () => {
    const agentId = await makeClerk()
    const third = await asInstance(await startService({ env: { ...env(), PARLEY_DRAIN_SECONDS: '600' } }))
    questionService.model.answer({ calls: [refund('call_a')] })
    const stream = await askStreaming(third, agentId, { question: 'Money back!' })
    await stream.waitFor('approval.waiting')
    const { conversationId } = (await stream.waitFor('turn.started')).data
    expect(third.service.inProgress()).toEqual({ sessions: 0, turns: 1, waitingTurns: 0 })
    const closing = third.close()
    const called = questionService.tools.expect('POST /refund', { body: 'Paid.' })
    questionService.model.answer({ text: 'It is paid.' })
    await decide(questionService.running.client, conversationId, 'call_a', 'approve')
    await Promise.all([called, stream.ended, closing])
    expect(typesIn(stream).at(-1)).toBe('response.completed')
  })
})
