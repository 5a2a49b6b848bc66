import type { Problem, QuestionAnswer } from '@parley/contract'
import { v7 as uuid } from 'uuid'
import { describe, expect, test } from 'vitest'
import { ask, askStreaming } from '../../support/questions/ask.js'
import { useConcierge } from '../../support/questions/concierge.js'
import { expectCompleteStream, hold, wordsIn } from '../../support/questions/received-events.js'
import { messagesOf } from '../../support/realtime/spoken-turns.js'
import { makeTextAgent } from '../../support/realtime/text-agents.js'
import type { RunningService } from '../../support/start-service.js'

const concierge = useConcierge()

const question = { question: 'Hello?' }
const newKey = () => ({ 'idempotency-key': uuid() })

describe('a question with a key that was used before', () => {
  test('joins the running turn on both instances, with and without streaming [ASK-10]', async () => {
    const key = newKey()
    const end = hold()
    concierge.model.answer({ text: ['Good ', end.released, 'morning.'] })
    const first = await askStreaming(concierge.instances.one, concierge.agentId, question, key)
    await first.waitFor('response.text.delta')
    const streams = [
      await askStreaming(concierge.instances.one, concierge.agentId, question, key),
      await askStreaming(concierge.instances.other, concierge.agentId, question, key),
    ]
    const whole = [
      ask(concierge.instances.one, concierge.agentId, question, key),
      ask(concierge.instances.other, concierge.agentId, question, key),
    ]
    end.release()
    await Promise.all([first, ...streams].map(({ ended }) => ended))
    expectCompleteStream(first.received)
    for (const stream of streams) expect(stream.received).toEqual(first.received)
    const { data: turn } = await first.waitFor('turn.started')
    for (const { status, body } of await Promise.all(whole)) {
      expect(status).toBe(200)
      expect(body).toMatchObject({ ...turn, answer: 'Good morning.' })
    }
    expect(await messagesOf(concierge.instances.one.client, turn.conversationId)).toHaveLength(2)
  })

  test('is answered once if it is asked ten times at once [ASK-10]', async () => {
    const key = newKey()
    concierge.model.answer({ text: 'Good morning.' })
    const services: RunningService[] = [concierge.instances.one, concierge.instances.other]
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        ask(services[index % 2] ?? concierge.instances.one, concierge.agentId, question, key),
      ),
    )
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200))
    expect(new Set(answers.map(({ body }) => body.turnId)).size).toBe(1)
  })

  test('returns the same answer and events after the end [ASK-10]', async () => {
    const key = newKey()
    concierge.model.answer({ text: 'Good morning.' })
    const first = await ask(concierge.instances.one, concierge.agentId, question, key)
    const again = await ask(concierge.instances.other, concierge.agentId, question, key)
    expect([again.status, again.body]).toEqual([200, first.body])
    const stream = await askStreaming(concierge.instances.other, concierge.agentId, question, key)
    await stream.ended
    expectCompleteStream(stream.received)
    expect(wordsIn(stream.received)).toBe('Good morning.')
  })

  test('is a conflict if its text or agent differs [ASK-10]', async () => {
    const key = newKey()
    concierge.model.answer({ text: 'Good morning.' })
    await ask(concierge.instances.one, concierge.agentId, question, key)
    const another = await makeTextAgent(concierge.instances.one, concierge.model, { name: 'Another' })
    const refused = [
      await ask(concierge.instances.one, concierge.agentId, { question: 'Something else?' }, key),
      await ask(concierge.instances.other, another, question, key),
      await ask(
        concierge.instances.other,
        concierge.agentId,
        { ...question, additionalInstructions: 'Sing.' },
        key,
      ),
    ]
    for (const { status, body } of refused)
      expect([status, (body as unknown as Problem).errorCode]).toEqual([409, 'Conflict'])
  })

  test('is asked again if it failed, and that answer is kept [ASK-10]', async () => {
    const key = newKey()
    concierge.model.answer({ text: ['Half ', 'an'], end: 'cut-off' })
    expect((await ask(concierge.instances.one, concierge.agentId, question, key)).status).toBe(503)
    concierge.model.answer({ text: 'Good morning.' })
    const second = await ask(concierge.instances.other, concierge.agentId, question, key)
    expect([second.status, second.body.answer]).toEqual([200, 'Good morning.'])
    expect((await ask(concierge.instances.one, concierge.agentId, question, key)).body).toEqual(second.body)
  })

  test('is rejected again with the same error if it was rejected [ASK-10]', async () => {
    const key = newKey()
    const unknown = { ...question, conversationId: uuid() }
    const first = await ask(concierge.instances.one, concierge.agentId, unknown, key)
    const again = await ask(concierge.instances.other, concierge.agentId, unknown, key)
    expect([first.status, again.status]).toEqual([404, 404])
    expect(again.body).toEqual(first.body)
    expect(again.headers.get('content-type')).toBe('application/problem+json; charset=utf-8')
  })

  test('returns the partial answer if it was stopped [ASK-10]', async () => {
    const key = newKey()
    concierge.model.answer({ text: 'Once upon', end: 'hanging' })
    const stream = await askStreaming(concierge.instances.one, concierge.agentId, question, key)
    await stream.waitFor('response.text.delta')
    const { data: turn } = await stream.waitFor('turn.started')
    await concierge.instances.other.client.call(
      'DELETE',
      `/api/v1/Conversation/${turn.conversationId}/turn/${turn.turnId}`,
    )
    await stream.ended
    const again: { readonly body: QuestionAnswer } = await ask(
      concierge.instances.one,
      concierge.agentId,
      question,
      key,
    )
    expect(again.body).toMatchObject({ ...turn, status: 'stopped', answer: 'Once upon' })
  })
})
