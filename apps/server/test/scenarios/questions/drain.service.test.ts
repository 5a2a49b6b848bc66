import type { Problem } from '@parley/contract'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ask, askStreaming, follow } from '../../support/questions/ask.js'
import { joinInstance } from '../../support/questions/instances.js'
import { turnOf } from '../../support/questions/question-service.js'
import { expectCompleteStream, hold, wordsIn } from '../../support/questions/received-events.js'
import { messagesOf, patiently } from '../../support/realtime/spoken-turns.js'
import { makeTextAgent } from '../../support/realtime/text-agents.js'
import { type ScriptedChatServer, startScriptedChatServer } from '../../support/scripted-chat-server.js'
import { countLockWaits, withPostgresClient } from '../../support/services/postgres-connection.js'
import type { PostgresDatabase } from '../../support/services/postgres-database.js'
import { migratedDatabase, type RunningService, startService } from '../../support/start-service.js'
import { makeTestTimers, type TestTimers } from '../../support/test-timers.js'

const drainSeconds = 20
const question = { question: 'A story?' }
const interrupted = 'The service was shut down while it was answering. Ask again.'
const unasked = 'The service was shut down before it answered this question. Ask again.'

let postgres: PostgresDatabase
let lasting: RunningService
let model: ScriptedChatServer
let agentId: string
let draining: RunningService
let timers: TestTimers

beforeAll(async () => {
  postgres = await migratedDatabase()
  lasting = await startService({
    env: { DATABASE_URL: postgres.url, PARLEY_ALLOWED_PRIVATE_HOSTS: '127.0.0.1' },
  })
  model = await startScriptedChatServer()
  agentId = await makeTextAgent(lasting, model, { name: 'Concierge' })
})

beforeEach(async () => {
  timers = makeTestTimers()
  draining = await joinInstance(lasting, postgres.url, {
    timers,
    env: { PARLEY_DRAIN_SECONDS: String(drainSeconds) },
  })
})

afterEach(async () => {
  await draining.close()
  model.verify()
})

afterAll(async () => {
  await lasting.close()
  await postgres.drop()
  await model.close()
})

/** Asks a question whose model has started to answer and continues when it is released. */
async function speaking(service = draining) {
  const rest = hold()
  model.answer({ text: ['Once ', rest.released, 'upon a time.'] })
  const stream = await askStreaming(service, agentId, question)
  await stream.waitFor('response.text.delta')
  return { rest, stream, turn: (await stream.waitFor('turn.started')).data }
}

describe('a service that shuts down', () => {
  test('rejects new questions, finishes the running ones, and then ends [ASK-13]', async () => {
    const { rest, stream, turn } = await speaking()
    draining.service.drain()
    const refused = await ask(draining, agentId, question)
    expect(refused.status).toBe(503)
    expect(refused.body as unknown as Problem).toMatchObject({ errorCode: 'Unavailable' })
    const late = await follow(draining, turn)
    const closing = draining.service.close()
    rest.release()
    await Promise.all([stream.ended, late.ended, closing])
    expectCompleteStream(stream.received)
    expect(late.received).toEqual(stream.received)
    expect(wordsIn(stream.received)).toBe('Once upon a time.')
    expect(await turnOf(lasting, turn)).toMatchObject({ status: 'completed', answer: 'Once upon a time.' })
    expect(timers.waiting).toBe(0)
  })

  test('sends the whole answer to callers that wait for it [ASK-13]', async () => {
    const rest = hold()
    model.answer({ text: ['Once ', rest.released, 'upon a time.'] })
    const asking = ask(draining, agentId, question)
    await model.nextRequest()
    const closing = draining.service.close()
    rest.release()
    const { status, body } = await asking
    expect([status, body.answer]).toEqual([200, 'Once upon a time.'])
    await closing
  })

  test('fails turns that exceed the drain time, and notifies every caller [ASK-13]', async () => {
    const { stream, turn } = await speaking()
    const { conversationId } = turn
    const queued = await askStreaming(draining, agentId, { question: 'And then?', conversationId })
    const whole = ask(draining, agentId, { question: 'And in the end?', conversationId })
    const storedTurns = async () =>
      withPostgresClient(
        postgres.url,
        async (client) =>
          (await client.query('select from turn where conversation_id = $1', [conversationId])).rowCount,
      )
    await expect.poll(storedTurns, patiently).toBe(3)
    const closing = draining.service.close()
    timers.advance(drainSeconds * 1000 - 1)
    expect((await turnOf(lasting, turn)).status).toBe('running')
    timers.advance(1)
    await Promise.all([stream.ended, queued.ended, closing])
    for (const [each, message] of [
      [stream, interrupted],
      [queued, unasked],
    ] as const) {
      expectCompleteStream(each.received, 'error')
      expect((await each.waitFor('error')).data).toEqual({ code: 'interrupted', message })
    }
    expect(await whole).toMatchObject({
      status: 503,
      body: { errorCode: 'Unavailable', detail: expect.stringMatching(`^${unasked} The question is stored`) },
    })
    expect(await messagesOf(lasting.client, conversationId)).toMatchObject([
      { role: 'user', content: 'A story?' },
      ...Array(5).fill({}),
    ])
    const answers = (await messagesOf(lasting.client, conversationId)).filter(
      ({ role }) => role === 'assistant',
    )
    expect(answers.map(({ content, failure }) => [content, failure]).sort()).toEqual([
      ['', unasked],
      ['', unasked],
      ['Once ', interrupted],
    ])
    // Nothing blocks the next question.
    model.answer({ text: 'Once more.' })
    const next = await ask(lasting, agentId, { question: 'Again?', conversationId })
    expect([next.status, next.body.answer]).toEqual([200, 'Once more.'])
  })

  test('ends the streams of turns that run on another instance, which followers can resume there [ASK-13]', async () => {
    const { rest, stream, turn } = await speaking(lasting)
    const follower = await follow(draining, turn)
    await follower.waitFor('response.text.delta')
    await draining.service.close()
    await follower.ended
    expect(follower.received.at(-1)?.event.type).toBe('response.text.delta')
    rest.release()
    const again = await follow(lasting, turn, follower.received.length)
    await Promise.all([again.ended, stream.ended])
    expect([...follower.received, ...again.received]).toEqual(stream.received)
  })

  test('answers a question that was already being accepted [ASK-13]', async () => {
    const { rest, stream, turn } = await speaking(lasting)
    rest.release()
    await stream.ended
    model.answer({ text: 'Just in time.' })
    const { asking, closing } = await withPostgresClient(postgres.url, async (holder) => {
      await holder.query('begin')
      await holder.query('select from conversation where id = $1 for update', [turn.conversationId])
      const arriving = ask(draining, agentId, { ...question, conversationId: turn.conversationId })
      await expect.poll(() => countLockWaits(holder), patiently).toBe(1)
      const ending = draining.service.close()
      await holder.query('commit')
      return { asking: arriving, closing: ending }
    })
    const { status, body } = await asking
    expect([status, body.answer]).toEqual([200, 'Just in time.'])
    await closing
  })
})
