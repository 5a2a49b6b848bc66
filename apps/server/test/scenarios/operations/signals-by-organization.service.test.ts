import type { Task } from '@parley/contract'
import { recordStatements, type StatementRecorder } from '@parley/statement-recorder'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeApiClient } from '../../support/api-client.js'
import { addOrganization } from '../../support/organizations.js'
import { joinInstance } from '../../support/questions/instances.js'
import { type RealtimeTestService, startRealtimeService } from '../../support/realtime/realtime-service.js'
import type { PostgresDatabase } from '../../support/services/postgres-database.js'
import { createRedisUrl } from '../../support/services/redis-database.js'
import { migratedDatabase, type RunningService } from '../../support/start-service.js'

const changes = 200

let postgres: PostgresDatabase
let recorder: StatementRecorder
let one: RealtimeTestService
let other: RunningService

beforeAll(async () => {
  postgres = await migratedDatabase()
  recorder = await recordStatements(postgres.url)
  const env = { REDIS_URL: await createRedisUrl() }
  one = await startRealtimeService({ env: { ...env, DATABASE_URL: recorder.url } })
  other = await joinInstance(one, postgres.url, { env })
})

afterAll(async () => {
  await other.close()
  await one.close()
  await recorder.close()
  await postgres.drop()
})

test("an instance does not poll for one organization's sessions when another organization changes records [SIG-4]", async () => {
  await one.openSession()
  const neighbour = makeApiClient(other.url, await addOrganization(one))
  const { body: task } = await neighbour.call<Task>('POST', '/api/v1/Task', { body: { title: 'New' } })
  recorder.take()
  for (let index = 0; index < changes; index += 1)
    await neighbour.call('PATCH', `/api/v1/Task/${task.id}`, { body: { title: `${index}` } })
  const polls = recorder.take().filter(({ text }) => /^select .*"end_requested_at" is not null/s.test(text))
  // The regular polls continue, one per second.
  expect(polls.length).toBeLessThan(changes / 4)
})
