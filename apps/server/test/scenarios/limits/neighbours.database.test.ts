import type { Problem } from '@parley/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ApiClient } from '../../support/api-client.js'
import { addOrganization } from '../../support/organizations.js'
import { type AnsweringModel, startAnsweringModel } from '../../support/questions/answering-model.js'
import { hold } from '../../support/questions/received-events.js'
import { makeTextAgent } from '../../support/realtime/text-agents.js'
import { databaseKinds, type RunningService, startService } from '../../support/start-service.js'

const env = {
  PARLEY_ALLOWED_PRIVATE_HOSTS: '127.0.0.1',
  PARLEY_ORG_MAX_REQUESTS_PER_MINUTE: '80',
  PARLEY_ORG_MAX_TASKS: '20',
  PARLEY_ORG_MAX_RUNNING_TURNS: '3',
  PARLEY_ORG_MAX_QUEUED_TURNS: '20',
}
const rounds = 4

describe.each(databaseKinds)('two organizations on %s', { timeout: 120_000 }, (database) => {
  const rest = hold()
  let running: RunningService
  let model: AnsweringModel

  beforeAll(async () => {
    model = await startAnsweringModel((question) =>
      question === 'Slow?' ? [rest.released, 'Late.'] : ['Yes.'],
    )
    running = await startService({ database, env })
  })

  afterAll(async () => {
    await running.close()
    await model.close()
  })

  async function newNeighbour(): Promise<{ readonly client: ApiClient; readonly agentId: string }> {
    const client = running.client.as(await addOrganization(running))
    return { client, agentId: await makeTextAgent({ client }, model, { name: 'Helper' }) }
  }

  test('one organization that has reached all of its limits does not delay the other [LIM-5]', async () => {
    const [busy, quiet] = [await newNeighbour(), await newNeighbour()]
    const refused = new Set<string | undefined>()
    const questions: Promise<unknown>[] = []

    /** Creates tasks one after the other until the request limit is reached. */
    const createTasks = async () => {
      while (!refused.has('requestsPerMinute')) {
        const { body } = await busy.client.call<Problem>('POST', '/api/v1/Task', { body: { title: 'More' } })
        refused.add(body.limit)
      }
    }
    const askSlowly = async () => {
      const path = `/api/v1/Agent/${busy.agentId}/question`
      const { body } = await busy.client.call<Problem>('POST', path, { body: { question: 'Slow?' } })
      refused.add(body.limit)
    }
    for (let index = 0; index < 30; index += 1) questions.push(askSlowly())
    await expect.poll(() => refused.has('queuedTurns'), { timeout: 60_000 }).toBe(true)
    const lines = Promise.all(Array.from({ length: 4 }, createTasks))

    // The answers to the busy organization's questions are held back, so a call that waited for them would
    // never end.
    for (let round = 0; round < rounds; round += 1) {
      const created = await quiet.client.call('POST', '/api/v1/Task', { body: { title: `Task ${round}` } })
      const path = `/api/v1/Agent/${quiet.agentId}/question`
      const asked = await quiet.client.call('POST', path, { body: { question: 'Now?' } })
      expect([created.status, asked.status]).toEqual([201, 200])
    }
    await lines
    rest.release()
    await Promise.all(questions)
    expect(refused).toEqual(new Set([undefined, 'queuedTurns', 'tasks', 'requestsPerMinute']))
  })
})
