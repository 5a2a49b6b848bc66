import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { makeLog } from '#server/adapters/system/log.js'
import { closeLostTurns } from '#server/domain/turns/turn-end.js'
import { ask, askStreaming, follow } from '../../support/questions/ask.js'
import { type Instances, startInstances } from '../../support/questions/instances.js'
import { turnOf } from '../../support/questions/question-service.js'
import { expectCompleteStream, hold } from '../../support/questions/received-events.js'
import { messagesOf, patiently } from '../../support/realtime/spoken-turns.js'
import { makeTextAgent } from '../../support/realtime/text-agents.js'
import { type ScriptedChatServer, startScriptedChatServer } from '../../support/scripted-chat-server.js'
import { withPostgresClient } from '../../support/services/postgres-connection.js'

const leaseSeconds = 15
const taskSettings = { runSeconds: 3600, retrySeconds: 10 }
const failure = 'The service stopped while it was answering. The partial answer is stored. Ask again.'
const clock = { kind: 'builtin', name: 'clock', description: 'Tells the time.', builtin: 'current_time' }

let instances: Instances
let model: ScriptedChatServer
let agentId: string

beforeAll(async () => {
  instances = await startInstances()
  model = await startScriptedChatServer()
  agentId = await makeTextAgent(instances.one, model, { name: 'Concierge', tools: [clock] })
})

afterEach(() => model.verify())

afterAll(async () => {
  await instances.close()
  await model.close()
})

/** Closes the turns of the turn's instance, as if it had not reached the database for a minute. */
async function closeAsLost(turnId: string): Promise<void> {
  const { database } = instances.other.service
  const closer = { database, clock: { now: () => new Date() }, log: makeLog('silent', false), taskSettings }
  const expireLease = async () => {
    // Repeats this in case the instance renews its lease in between.
    await withPostgresClient(instances.postgres.url, (client) =>
      client.query(
        `update instance_lease set renewed_at = renewed_at - interval '60 seconds'
         where instance_id = (select instance_id from turn where id = $1)`,
        [turnId],
      ),
    )
    return closeLostTurns(closer, leaseSeconds)
  }
  await expect.poll(expireLease, patiently).toBeGreaterThan(0)
}

/** Asks a question whose model has started to answer and continues when it is released. */
async function speaking(rest: object = {}) {
  const more = hold()
  model.answer({ text: ['Once ', more.released, 'upon a time.'], ...rest })
  const stream = await askStreaming(instances.one, agentId, { question: 'A story?' })
  const request = await model.nextRequest()
  await stream.waitFor('response.text.delta')
  return { more, stream, request, turn: (await stream.waitFor('turn.started')).data }
}

test('a turn is left alone while its instance keeps its lease [ASK-9]', async () => {
  const { more, stream, turn } = await speaking()
  const { database } = instances.other.service
  const closer = { database, clock: { now: () => new Date() }, log: makeLog('silent', false), taskSettings }
  expect(await closeLostTurns(closer, leaseSeconds)).toBe(0)
  expect((await turnOf(instances.other, turn)).status).toBe('running')
  more.release()
  await stream.ended
  expectCompleteStream(stream.received)
})

describe('a turn of a live instance that was declared lost', () => {
  test('is not changed by that instance afterwards, and every follower sees the same events [ASK-9]', async () => {
    const { more, stream, request, turn } = await speaking()
    const elsewhere = await follow(instances.other, turn)
    await closeAsLost(turn.turnId)
    await elsewhere.ended
    expectCompleteStream(elsewhere.received, 'error')
    expect((await elsewhere.waitFor('error')).data).toEqual({ code: 'interrupted', message: failure })
    const closed = await turnOf(instances.other, turn)
    expect(closed).toMatchObject({ status: 'failed', answer: 'Once ', failure })
    more.release()
    await Promise.all([stream.ended, request.closed])
    expect(stream.received).toEqual(elsewhere.received)
    expect(await turnOf(instances.other, turn)).toEqual(closed)
    expect(await messagesOf(instances.one.client, turn.conversationId)).toMatchObject([
      { role: 'user', content: 'A story?', interrupted: false },
      { role: 'assistant', content: 'Once ', interrupted: true, failure },
    ])
  })

  test('calls no more tools [ASK-9]', async () => {
    const { more, stream, turn } = await speaking({ calls: [{ name: 'clock' }] })
    await closeAsLost(turn.turnId)
    more.release()
    await stream.ended
    expectCompleteStream(stream.received, 'error')
    expect(await messagesOf(instances.one.client, turn.conversationId)).toHaveLength(2)
  })

  test('does not block its conversation, and neither do the turns queued behind it [ASK-9]', async () => {
    const { more, stream, turn } = await speaking()
    const { conversationId } = turn
    const waiting = await askStreaming(instances.one, agentId, { question: 'And then?', conversationId })
    await waiting.waitFor('turn.started')
    await closeAsLost(turn.turnId)
    more.release()
    await Promise.all([stream.ended, waiting.ended])
    expectCompleteStream(waiting.received, 'error')
    model.answer({ text: 'One.' }, { text: 'Two.' })
    expect((await ask(instances.one, agentId, { question: 'Once more?', conversationId })).body.answer).toBe(
      'One.',
    )
    expect((await ask(instances.other, agentId, { question: 'And more?', conversationId })).body.answer).toBe(
      'Two.',
    )
    expect((await messagesOf(instances.one.client, conversationId)).map(({ content }) => content)).toEqual([
      'A story?',
      'Once ',
      'And then?',
      '',
      'Once more?',
      'One.',
      'And more?',
      'Two.',
    ])
  })
})
