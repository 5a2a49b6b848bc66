import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { patiently } from '../realtime/support/spoken-turns.js'
import { makeTextAgent } from '../realtime/support/text-agents.js'
import { type RunningService, startService } from '../support/start-service.js'
import { type AnsweringModel, startAnsweringModel } from './support/answering-model.js'
import { askStreaming } from './support/ask.js'
import { endedTurn } from './support/question-service.js'
import { expectWhole } from './support/told.js'

let service: RunningService
let model: AnsweringModel
let agentId: string

beforeAll(async () => {
  model = await startAnsweringModel(() => ['Perhaps.'])
  service = await startService({ env: { PARLEY_ALLOWED_PRIVATE_HOSTS: '127.0.0.1' } })
  agentId = await makeTextAgent(service, model, { name: 'Concierge' })
})

afterAll(async () => {
  await service.close()
  await model.close()
})

describe('[ASK-5] a turn that is stopped in the moment it starts', () => {
  test('is told as a whole, whichever comes first', async () => {
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, async () => {
        const stream = await askStreaming(service, agentId, { question: 'Now?' })
        const { data: turn } = await stream.waitFor('turn.started')
        const path = `/api/v1/Conversation/${turn.conversationId}/turn/${turn.turnId}`
        await service.client.call('DELETE', path)
        await stream.ended
        const { status } = await endedTurn(service, turn, patiently)
        expectWhole(stream.received, status === 'stopped' ? 'error' : 'response.completed')
        return status
      }),
    )
    expect(outcomes).toHaveLength(20)
  })
})
