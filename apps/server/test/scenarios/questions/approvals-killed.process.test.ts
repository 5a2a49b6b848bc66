import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeApiClient } from '../../support/api-client.js'
import { bootstrap, cleanUp, credentials, slow, startParley } from '../../support/process/parley-process.js'
import { ask, follow } from '../../support/questions/ask.js'
import {
  endedTurn,
  messagesSentTo,
  typesIn,
  useQuestionService,
} from '../../support/questions/question-service.js'
import { messagesOf } from '../../support/realtime/spoken-turns.js'
import { approvalsOf, decide, refundTool } from '../../support/realtime/waiting-calls.js'
import { withPostgresClient } from '../../support/services/postgres-connection.js'
import type { PostgresDatabase } from '../../support/services/postgres-database.js'
import { migratedDatabase } from '../../support/start-service.js'
import { makeTestTimers } from '../../support/test-timers.js'

const leaseMilliseconds = 15_000
const timers = makeTestTimers()
let postgres: PostgresDatabase

beforeAll(async () => {
  postgres = await migratedDatabase()
})

afterAll(() => postgres.drop())

const env = () => ({
  ...bootstrap,
  DATABASE_URL: postgres.url,
  PARLEY_SECRET: 'a secret for tests that is long enough',
  PARLEY_ALLOWED_PRIVATE_HOSTS: '127.0.0.1',
})
const service = useQuestionService(() => ({ env: env(), timers }))

afterAll(cleanUp)

const sql = (statement: string) => withPostgresClient(postgres.url, (client) => client.query(statement))
const patiently = { timeout: 60_000, interval: 100 }

describe('a service that is killed while a turn waits for approval', slow, () => {
  test('fails the turn, and the call keeps waiting, runs when decided and is remembered [ASK-9] [ASK-7]', async () => {
    const agentId = await service.makeAgent({ tools: [refundTool(service.tools)] })
    const parley = await startParley({ env: { ...env(), LOG_LEVEL: 'warn' } })
    const url = await parley.ready()
    const place = { url, ...credentials, client: makeApiClient(url, credentials) }
    service.model.answer({ calls: [{ id: 'call_a', name: 'refund', arguments: { amount: 5 } }] })
    const { body: turn } = await ask(place, agentId, { question: 'Money back!' })
    expect(turn.status).toBe('waiting_for_approval')
    parley.signal('SIGKILL')
    await parley.ended
    // Makes the killed instance look silent for a minute, and lets the running instance watch for longer than a
    // lease.
    await sql(`update instance_lease set renewed_at = renewed_at - interval '60 seconds'`)
    const stoppedAt = Date.now()
    const watch = setInterval(() => timers.advance(leaseMilliseconds), 1000)
    const ended = await endedTurn(service.running, turn, patiently).finally(() => clearInterval(watch))
    expect(Date.now() - stoppedAt).toBeLessThan(60_000)

    expect(ended).toMatchObject({
      status: 'failed',
      answer: '',
      failure: expect.stringContaining(
        'The service stopped while a call was waiting for approval. The call is run or closed after the decision',
      ),
      toolInvocations: [{ callId: 'call_a', status: 3, content: '' }],
    })
    const { conversationId } = turn
    const { client } = service.running
    expect(await approvalsOf(client, conversationId)).toMatchObject([{ state: 'waiting' }])
    const stream = await follow(service.running, turn)
    await stream.ended
    expect(typesIn(stream)).toEqual([
      'turn.started',
      'message.created',
      'response.function_invocation.start',
      'approval.waiting',
      'response.id',
      'error',
    ])
    expect(await messagesOf(client, conversationId)).toMatchObject([
      { role: 'user', content: 'Money back!' },
      { role: 'tool', status: 3 },
      { role: 'assistant', content: '', interrupted: true, failure: ended.failure },
    ])

    const called = service.tools.expect('POST /refund', { body: 'Paid late.' })
    expect((await decide(client, conversationId, 'call_a', 'approve')).status).toBe(200)
    expect((await called).headers['idempotency-key']).toBe(turn.toolInvocations[0]?.id)
    await expect
      .poll(async () => (await messagesOf(client, conversationId))[1], patiently)
      .toMatchObject({ status: 1, content: 'Paid late.' })
    service.model.answer({ text: 'It was paid.' })
    const next = await ask(service.running, agentId, { conversationId, question: 'And now?' })
    expect(next.body.answer).toBe('It was paid.')
    expect(messagesSentTo(service.model)).toMatchObject([
      { role: 'user', content: 'Money back!' },
      { role: 'assistant', tool_calls: [{ function: { name: 'refund' } }] },
      { role: 'tool', content: 'Paid late.' },
      { role: 'user', content: 'And now?' },
    ])
    expect(service.tools.requests).toHaveLength(1)
  })
})
