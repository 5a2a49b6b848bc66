import type { Task } from '@parley/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ApiClient, makeApiClient } from '../../support/api-client.js'
import { addOrganization } from '../../support/organizations.js'
import { joinInstance } from '../../support/questions/instances.js'
import { patiently } from '../../support/realtime/spoken-turns.js'
import { makeTextAgent } from '../../support/realtime/text-agents.js'
import { type ScriptedChatServer, startScriptedChatServer } from '../../support/scripted-chat-server.js'
import type { PostgresDatabase } from '../../support/services/postgres-database.js'
import { migratedDatabase, type RunningService, startService } from '../../support/start-service.js'

const env = {
  PARLEY_ALLOWED_PRIVATE_HOSTS: '127.0.0.1',
  PARLEY_TASK_RUNS: '2',
  PARLEY_DRAIN_SECONDS: '0',
  PARLEY_TASK_RETRY_SECONDS: '0',
}

let postgres: PostgresDatabase
let model: ScriptedChatServer
let first: RunningService

beforeAll(async () => {
  postgres = await migratedDatabase()
  model = await startScriptedChatServer()
  first = await startService({ env: { ...env, DATABASE_URL: postgres.url } })
})

afterAll(async () => {
  await first.close()
  await postgres.drop()
  await model.close()
})

/** Creates a task of the organization and starts it. */
async function run(client: ApiClient, agentId: string): Promise<string> {
  const made = await client.call<Task>('POST', '/api/v1/Task', { body: { title: 'Work', agentId } })
  const started = await client.call('POST', `/api/v1/Task/${made.body.id}/run`)
  expect(started.status, started.text).toBe(202)
  return made.body.id
}

async function tasksOf(client: ApiClient): Promise<readonly Task[]> {
  return (await client.call<{ items: Task[] }>('GET', '/api/v1/Task')).body.items
}

const count = (tasks: readonly Task[], attempts: number) =>
  tasks.filter((task) => task.attempts === attempts).length

test('organizations share the run slots of a process, and a shutdown costs no attempt [RUN-13] [RUN-14]', async () => {
  const many = first.client
  const few = makeApiClient(first.url, await addOrganization(first))
  const ofMany = await makeTextAgent({ client: many }, model, { name: 'Busy' })
  const ofFew = await makeTextAgent({ client: few }, model, { name: 'Rare' })
  model.answer('silence', 'silence')
  for (let number = 0; number < 3; number += 1) await run(many, ofMany)
  await model.nextRequest()
  // There are two slots, and the second is reserved for other organizations.
  await run(few, ofFew)
  await model.nextRequest()
  expect([count(await tasksOf(many), 1), count(await tasksOf(few), 1)]).toEqual([1, 1])
  const waiting = (await tasksOf(many)).filter(({ attempts }) => attempts === 0)
  expect(waiting.map(({ status, statusDetail }) => [status, statusDetail])).toEqual([
    ['in_progress', 'The run is waiting for a free slot.'],
    ['in_progress', 'The run is waiting for a free slot.'],
  ])

  await first.close()
  model.answer(...['One.', 'Two.', 'Three.', 'Four.'].map((text) => ({ text })))
  const next = await joinInstance(first, postgres.url, { env })
  const manyThere = next.client
  await expect
    .poll(async () => (await tasksOf(manyThere)).every(({ status }) => status === 'done'), patiently)
    .toBe(true)
  expect(count(await tasksOf(manyThere), 1)).toBe(3)
  await next.close()
  model.verify()
})
