import type { QuestionAnswer } from '@parley/contract'
import { v7 as uuid } from 'uuid'
import { describe, expect, test } from 'vitest'
import { readRecords } from '../../support/audit/audit-fixture.js'
import { addOrganization } from '../../support/organizations.js'
import { ask, askStreaming } from '../../support/questions/ask.js'
import { useConcierge } from '../../support/questions/concierge.js'
import { turnOf } from '../../support/questions/question-service.js'
import { expectCompleteStream, wordsIn } from '../../support/questions/received-events.js'
import { messagesOf } from '../../support/realtime/spoken-turns.js'
import type { RunningService } from '../../support/start-service.js'

const concierge = useConcierge()

type Turn = Pick<QuestionAnswer, 'conversationId' | 'turnId'>

const pathOf = ({ conversationId, turnId }: Turn) => `/api/v1/Conversation/${conversationId}/turn/${turnId}`
const stop = ({ client }: RunningService, turn: Turn) => client.call('DELETE', pathOf(turn))

/** Asks a question whose model has started to answer and then hangs. */
async function speaking(conversationId?: string) {
  concierge.model.answer({ text: ['Once ', 'upon'], end: 'hanging' })
  const body = { question: 'A story?', ...(conversationId !== undefined && { conversationId }) }
  const stream = await askStreaming(concierge.instances.one, concierge.agentId, body)
  const request = await concierge.model.nextRequest()
  await expect.poll(() => wordsIn(stream.received)).toBe('Once upon')
  return { stream, request, turn: (await stream.waitFor('turn.started')).data }
}

describe('stopping a turn', () => {
  const from = [
    ['its own instance', () => concierge.instances.one],
    ['another instance', () => concierge.instances.other],
  ] as const

  test.each(from)(
    'ends the turn immediately through %s, keeps the partial answer and closes the model request [ASK-5]',
    async (_, service) => {
      const { stream, request, turn } = await speaking()
      expect((await stop(service(), turn)).status).toBe(204)
      await Promise.all([stream.ended, request.closed])
      expectCompleteStream(stream.received, 'error')
      expect((await stream.waitFor('error')).data).toEqual({
        code: 'turn_stopped',
        message: 'The turn was stopped.',
      })
      expect(await turnOf(concierge.instances.one, turn)).toMatchObject({
        status: 'stopped',
        answer: 'Once upon',
      })
      expect(await messagesOf(concierge.instances.one.client, turn.conversationId)).toMatchObject([
        { role: 'user', content: 'A story?', interrupted: false },
        { role: 'assistant', content: 'Once upon', interrupted: true, failure: 'The turn was stopped.' },
      ])
    },
  )

  test('returns the partial answer to a caller that waits for the whole answer [ASK-5]', async () => {
    concierge.model.answer({ text: ['Once ', 'upon'], end: 'hanging' })
    const asking = ask(
      concierge.instances.one,
      concierge.agentId,
      { question: 'A whole story?' },
      { 'idempotency-key': uuid() },
    )
    await concierge.model.nextRequest()
    const { body } = await concierge.instances.one.client.call<{ items: { id: string }[] }>(
      'GET',
      `/api/v1/Conversation?AgentId=${concierge.agentId}&Search=whole`,
    )
    const conversationId = body.items[0]?.id ?? ''
    const [record] = await readRecords(concierge.instances.one.client, '&Action=question.ask')
    const turn = { conversationId, turnId: record?.resourceId ?? '' }
    await stop(concierge.instances.one, turn)
    const answer = await asking
    expect(answer.status).toBe(200)
    expect(answer.body).toMatchObject({ ...turn, status: 'stopped', failure: 'The turn was stopped.' })
    expect(['', 'Once ', 'Once upon']).toContain(answer.body.answer)
  })

  test('skips a queued turn, and the other turns are answered [ASK-5]', async () => {
    const { turn: first, stream } = await speaking()
    const { conversationId } = first
    const queued = await askStreaming(concierge.instances.one, concierge.agentId, {
      question: 'Queued?',
      conversationId,
    })
    const { data: waiting } = await queued.waitFor('turn.started')
    const last = await askStreaming(concierge.instances.other, concierge.agentId, {
      question: 'Last?',
      conversationId,
    })
    expect(await turnOf(concierge.instances.one, waiting)).toMatchObject({ status: 'queued', answer: null })
    await stop(concierge.instances.other, waiting)
    await queued.ended
    expectCompleteStream(queued.received, 'error')
    expect(await turnOf(concierge.instances.one, waiting)).toMatchObject({ status: 'stopped', answer: '' })
    concierge.model.answer({ text: 'The end.' })
    await stop(concierge.instances.one, first)
    await Promise.all([stream.ended, last.ended])
    expectCompleteStream(last.received)
    const sent = (concierge.model.requests.at(-1)?.body.messages ?? []) as { role: string; content: string }[]
    expect(sent.map(({ content }) => content)).toEqual(['A story?', 'Queued?', 'Once upon', 'Last?'])
    expect(await messagesOf(concierge.instances.one.client, conversationId)).toHaveLength(6)
  })

  test('happens once if it is requested twice or concurrently [ASK-5]', async () => {
    const { stream, turn } = await speaking()
    const stops = [
      concierge.instances.one,
      concierge.instances.other,
      concierge.instances.one,
      concierge.instances.other,
    ]
    expect(
      (await Promise.all(stops.map((service) => stop(service, turn)))).map(({ status }) => status),
    ).toEqual([204, 204, 204, 204])
    await stream.ended
    expectCompleteStream(stream.received, 'error')
    expect((await stop(concierge.instances.one, turn)).status).toBe(204)
    expect(await messagesOf(concierge.instances.one.client, turn.conversationId)).toHaveLength(2)
  })

  test('has no effect after its end [ASK-5]', async () => {
    concierge.model.answer({ text: 'Yes.' })
    const { body } = await ask(concierge.instances.one, concierge.agentId, { question: 'Done?' })
    expect((await stop(concierge.instances.one, body)).status).toBe(204)
    expect(await turnOf(concierge.instances.one, body)).toEqual(body)
    const records = await readRecords(concierge.instances.one.client, '&Action=turn.stop')
    expect(records.filter(({ resourceId }) => resourceId === body.turnId)).toEqual([])
  })

  test('returns 404 for an unknown or foreign turn [ASK-5]', async () => {
    const { stream, turn } = await speaking()
    const { client } = concierge.instances.one
    const stranger = client.as(await addOrganization(concierge.instances.one))
    expect((await stranger.call('DELETE', pathOf(turn))).status).toBe(404)
    expect((await client.call('DELETE', pathOf({ ...turn, turnId: uuid() }))).status).toBe(404)
    expect((await client.call('DELETE', pathOf({ ...turn, conversationId: uuid() }))).status).toBe(404)
    expect(await turnOf(concierge.instances.one, turn)).toMatchObject({ status: 'running' })
    await stop(concierge.instances.one, turn)
    await stream.ended
  })
})
