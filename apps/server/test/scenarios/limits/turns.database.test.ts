import type { Problem } from '@parley/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addOrganization } from '../../support/organizations.js'
import { type AnsweringModel, startAnsweringModel } from '../../support/questions/answering-model.js'
import { ask, askStreaming } from '../../support/questions/ask.js'
import type { EventStream } from '../../support/questions/event-stream.js'
import { hold } from '../../support/questions/received-events.js'
import { patiently } from '../../support/realtime/spoken-turns.js'
import { makeTextAgent } from '../../support/realtime/text-agents.js'
import { databaseKinds, type RunningService, startService } from '../../support/start-service.js'

const maxRunning = 2
const maxQueued = 3

describe.each(databaseKinds)('the turns of an organization on %s', (database) => {
  /** The held rest of the answer to each slow question. */
  const rests = Array.from({ length: maxRunning + maxQueued }, hold)
  let service: RunningService
  let neighbour: RunningService
  let model: AnsweringModel
  let agentId: string
  let neighbourAgentId: string

  beforeAll(async () => {
    model = await startAnsweringModel((question) => {
      const rest = rests[Number(question.match(/^Slow (\d)$/)?.[1])]
      return rest === undefined ? ['At once.'] : ['Once ', rest.released, question]
    })
    service = await startService({
      database,
      env: {
        PARLEY_ALLOWED_PRIVATE_HOSTS: '127.0.0.1',
        PARLEY_ORG_MAX_RUNNING_TURNS: String(maxRunning),
        PARLEY_ORG_MAX_QUEUED_TURNS: String(maxQueued),
      },
    })
    const other = await addOrganization(service)
    neighbour = { ...service, ...other, client: service.client.as(other) }
    agentId = await makeTextAgent(service, model, { name: 'Concierge' })
    neighbourAgentId = await makeTextAgent(neighbour, model, { name: 'Neighbour' })
  })

  afterAll(async () => {
    await service.close()
    await model.close()
  })

  const asked = () => model.requests.map(({ question }) => question)

  test('turns are limited and wait in order, and other organizations do not wait for them [LIM-4]', async () => {
    const streams: EventStream[] = []
    for (let index = 0; index < maxRunning + maxQueued; index += 1) {
      const stream = await askStreaming(service, agentId, { question: `Slow ${index}` })
      await stream.waitFor('turn.started')
      streams.push(stream)
      if (index < maxRunning) await stream.waitFor('response.text.delta')
    }
    expect(asked()).toEqual(['Slow 0', 'Slow 1'])

    const refused = await service.client.call<Problem>('POST', `/api/v1/Agent/${agentId}/question`, {
      body: { question: 'Slow and too many' },
      headers: { 'idempotency-key': 'again' },
    })
    expect(refused.body).toMatchObject({ status: 429, errorCode: 'LimitReached', limit: 'queuedTurns' })
    expect(refused.headers.get('retry-after')).toBe('5')

    const answer = await ask(neighbour, neighbourAgentId, { question: 'Quick?' })
    expect(answer.body).toMatchObject({ status: 'completed', answer: 'At once.' })
    expect(asked()).toEqual(['Slow 0', 'Slow 1', 'Quick?'])

    // One slot becomes free at a time. The turn that has waited longest takes it.
    const inTurn = ['Slow 2', 'Slow 3', 'Slow 4']
    for (const [index, rest] of rests.entries()) {
      rest.release()
      await streams[index]?.ended
      await expect.poll(() => asked().slice(3), patiently).toEqual(inTurn.slice(0, index + 1))
    }
    const path = `/api/v1/Agent/${agentId}/question`
    const again = await service.client.call('POST', path, {
      body: { question: 'Slow and too many' },
      headers: { 'idempotency-key': 'again' },
    })
    expect(again.status).toBe(200)
  })

  test('all questions of one conversation take one slot [ASK-6] [LIM-4]', async () => {
    const { body: first } = await ask(service, agentId, { question: 'Hello?' })
    const { conversationId } = first
    const streams: EventStream[] = []
    for (let index = 0; index < 4; index += 1)
      streams.push(await askStreaming(service, agentId, { question: `Next ${index}`, conversationId }))
    await Promise.all(streams.map((stream) => stream.ended))
    const inOrder = () => asked().filter((question) => question.startsWith('Next'))
    await expect.poll(inOrder, patiently).toEqual(['Next 0', 'Next 1', 'Next 2', 'Next 3'])
  })
})
