import { afterAll, beforeAll, expect, test } from 'vitest'
import { type AnsweringModel, startAnsweringModel } from '../../support/questions/answering-model.js'
import { askStreaming } from '../../support/questions/ask.js'
import { turnOf } from '../../support/questions/question-service.js'
import { expectCompleteStream, hold } from '../../support/questions/received-events.js'
import { patiently } from '../../support/realtime/spoken-turns.js'
import { makeTextAgent } from '../../support/realtime/text-agents.js'
import { countLockWaits, withPostgresClient } from '../../support/services/postgres-connection.js'
import type { PostgresDatabase } from '../../support/services/postgres-database.js'
import { migratedDatabase, type RunningService, startService } from '../../support/start-service.js'

const rest = hold()
let postgres: PostgresDatabase
let service: RunningService
let model: AnsweringModel
let agentId: string

beforeAll(async () => {
  postgres = await migratedDatabase()
  model = await startAnsweringModel((question) => ['Once ', rest.released, question])
  service = await startService({
    env: { DATABASE_URL: postgres.url, PARLEY_ALLOWED_PRIVATE_HOSTS: '127.0.0.1' },
  })
  agentId = await makeTextAgent(service, model, { name: 'Concierge' })
})

afterAll(async () => {
  await service.close()
  await postgres.drop()
  await model.close()
})

test('a turn that is stopped at the moment it starts sends each event once [ASK-5]', async () => {
  const first = await askStreaming(service, agentId, { question: 'A story?' })
  await first.waitFor('response.text.delta')
  const { data: ahead } = await first.waitFor('turn.started')
  const { conversationId } = ahead
  const stream = await askStreaming(service, agentId, { question: 'And then?', conversationId })
  const { data: turn } = await stream.waitFor('turn.started')
  await withPostgresClient(postgres.url, async (holder) => {
    await holder.query('begin')
    await holder.query('select from conversation where id = $1 for update', [conversationId])
    await expect.poll(() => countLockWaits(holder), patiently).toBe(1)
    // When the turn continues, it is first in the queue.
    await withPostgresClient(postgres.url, (client) =>
      client.query('update turn set ended_at = now() where id = $1', [ahead.turnId]),
    )
    const path = `/api/v1/Conversation/${conversationId}/turn/${turn.turnId}`
    expect((await service.client.call('DELETE', path)).status).toBe(204)
    // Gives its instance time to notice the stop.
    for (let round = 0; round < 5; round += 1) await service.client.call('GET', path)
    await holder.query('commit')
  })
  await stream.ended
  expectCompleteStream(stream.received, 'error')
  expect(await turnOf(service, turn)).toMatchObject({ status: 'stopped' })
  rest.release()
  await first.ended
})
