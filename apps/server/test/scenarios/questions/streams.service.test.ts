import { request as httpRequest } from 'node:http'
import type { Problem } from '@parley/contract'
import { EventSource } from 'eventsource'
import { v7 as uuid } from 'uuid'
import { describe, expect, test } from 'vitest'
import { addOrganization } from '../../support/organizations.js'
import { ask, askStreaming, follow } from '../../support/questions/ask.js'
import { useConcierge } from '../../support/questions/concierge.js'
import type { EventStream } from '../../support/questions/event-stream.js'
import { endedTurn } from '../../support/questions/question-service.js'
import { expectCompleteStream, hold, wordsIn } from '../../support/questions/received-events.js'
import { messagesOf, patiently } from '../../support/realtime/spoken-turns.js'

const concierge = useConcierge()

const question = { question: 'Hello?' }

/** Asks a question and returns its finished stream. */
async function answered(): Promise<{
  stream: EventStream
  turn: { conversationId: string; turnId: string }
}> {
  concierge.model.answer({ text: ['Good ', 'morning.'] })
  const stream = await askStreaming(concierge.instances.one, concierge.agentId, question)
  await stream.ended
  return { stream, turn: (await stream.waitFor('turn.started')).data }
}

const eventsPath = (conversationId: string, turnId: string) =>
  `/api/v1/Conversation/${conversationId}/turn/${turnId}/events`

describe('the events of a turn', () => {
  test('events match the contract, are numbered from 1 and agree with the stored messages [ASK-2]', async () => {
    const { stream, turn } = await answered()
    expectCompleteStream(stream.received)
    expect(wordsIn(stream.received)).toBe('Good morning.')
    const [asked, given] = await messagesOf(concierge.instances.one.client, turn.conversationId)
    const created = await stream.waitFor('message.created')
    expect(created.data).toEqual({
      chatbotId: concierge.agentId,
      id: asked?.id,
      role: 'user',
      content: 'Hello?',
      createdAt: asked?.createdAt,
    })
    expect(await stream.waitFor('response.id')).toMatchObject({
      data: { chatbotId: concierge.agentId, id: given?.id },
    })
    for (const { event } of stream.received)
      if (event.type === 'response.text.delta')
        expect(event.data).toMatchObject({ chatbotId: concierge.agentId, id: given?.id })
  })

  test.each([
    'text/event-stream',
    'TEXT/EVENT-STREAM',
    'text/event-stream; charset=utf-8',
    'application/json;q=0.5, text/event-stream',
  ])('events are streamed with Accept: %s [ASK-2]', async (accept) => {
    concierge.model.answer({ text: 'Good morning.' })
    const stream = await askStreaming(concierge.instances.one, concierge.agentId, question, { accept })
    expect(stream.response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
    expect(stream.response.headers.get('cache-control')).toContain('no-store')
    await stream.ended
    expectCompleteStream(stream.received)
  })

  test.each(['application/json', '*/*', 'text/*'])(
    'events are not streamed with Accept: %s [ASK-2]',
    async (accept) => {
      concierge.model.answer({ text: 'Good morning.' })
      const { status, headers, body } = await ask(concierge.instances.one, concierge.agentId, question, {
        accept,
      })
      expect([status, headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8'])
      expect(body.answer).toBe('Good morning.')
    },
  )

  test('events are not streamed for a rejected question [ASK-2]', async () => {
    const refused = await askStreaming(concierge.instances.one, uuid(), question)
    expect(refused.response.status).toBe(404)
    expect(refused.response.headers.get('content-type')).toBe('application/problem+json; charset=utf-8')
  })
})

describe('resuming a stream', () => {
  test('returns the events after any given event, on both instances [ASK-3]', async () => {
    const { stream, turn } = await answered()
    for (const instance of [concierge.instances.one, concierge.instances.other])
      for (const last of [undefined, ...stream.received.map(({ id }) => id)]) {
        const again = await follow(instance, turn, last)
        await again.ended
        expect(again.received).toEqual(stream.received.slice(last ?? 0))
      }
  })

  test('returns new events while the turn runs, on both instances [ASK-3]', async () => {
    const [more, end] = [hold(), hold()]
    concierge.model.answer({ text: ['One ', more.released, 'two ', end.released, 'three'] })
    const stream = await askStreaming(concierge.instances.one, concierge.agentId, question)
    await stream.waitFor('response.text.delta')
    const turn = (await stream.waitFor('turn.started')).data
    const here = await follow(concierge.instances.one, turn, 2)
    const elsewhere = await follow(concierge.instances.other, turn)
    await elsewhere.waitFor('response.text.delta')
    more.release()
    await Promise.all(
      [here, elsewhere].map((each) => expect.poll(() => wordsIn(each.received)).toBe('One two ')),
    )
    here.cut()
    const late = await follow(concierge.instances.other, turn, 3)
    end.release()
    await Promise.all([stream, elsewhere, late].map(({ ended }) => ended))
    expectCompleteStream(stream.received)
    expect(elsewhere.received).toEqual(stream.received)
    expect(late.received).toEqual(stream.received.slice(3))
    expect(wordsIn(stream.received)).toBe('One two three')
  })

  test('returns 204 after the last event of an ended turn, and 200 before it [ASK-15] [ASK-3]', async () => {
    const { stream, turn } = await answered()
    const last = stream.received.length
    for (const instance of [concierge.instances.one, concierge.instances.other]) {
      expect((await follow(instance, turn, last)).response.status).toBe(204)
      expect((await follow(instance, turn, last - 1)).response.status).toBe(200)
    }
    const end = hold()
    concierge.model.answer({ text: ['One ', end.released, 'two'] })
    const running = await askStreaming(concierge.instances.one, concierge.agentId, question)
    await running.waitFor('response.text.delta')
    const open = (await running.waitFor('turn.started')).data
    const waiting = await follow(concierge.instances.one, open, running.received.length)
    expect(waiting.response.status).toBe(200)
    end.release()
    await Promise.all([running.ended, waiting.ended])
  })

  test('works with an EventSource, which reconnects once and then stops [ASK-15] [ASK-3]', async () => {
    const { stream, turn } = await answered()
    const { apiKey, organizationId, url } = concierge.instances.one
    const statuses: number[] = []
    const source = new EventSource(`${url}${eventsPath(turn.conversationId, turn.turnId)}`, {
      fetch: async (input, init) => {
        const headers = { ...init.headers, 'x-api-key': apiKey, 'x-org-id': organizationId }
        const response = await fetch(input, { ...init, headers })
        statuses.push(response.status)
        return response
      },
    })
    const ids: number[] = []
    source.addEventListener('message', ({ lastEventId }) => ids.push(Number(lastEventId)))
    await expect.poll(() => source.readyState, { timeout: 60_000 }).toBe(source.CLOSED)
    expect(statuses).toEqual([200, 204])
    expect(ids).toEqual(stream.received.map(({ id }) => id))
  })

  test.each(['x', '-1', '1.5', '1 2', '99999999999', '999'])(
    'is rejected after an unknown event id (%s), and the error names the header [ASK-3]',
    async (lastEventId) => {
      const { turn } = await answered()
      const path = eventsPath(turn.conversationId, turn.turnId)
      const headers = { 'last-event-id': lastEventId }
      const { status, body } = await concierge.instances.one.client.call<Problem>('GET', path, { headers })
      expect(status).toBe(400)
      expect(body).toMatchObject({ errorCode: 'InvalidRequest', errors: [{ path: 'Last-Event-ID' }] })
    },
  )

  test('returns 404 for an unknown turn, a foreign one, or one of another conversation [ASK-3]', async () => {
    const [{ turn }, { turn: another }] = [await answered(), await answered()]
    const stranger = concierge.instances.one.client.as(await addOrganization(concierge.instances.one))
    const calls: readonly (readonly [typeof stranger, string])[] = [
      [concierge.instances.one.client, eventsPath(turn.conversationId, uuid())],
      [concierge.instances.one.client, eventsPath(uuid(), turn.turnId)],
      [concierge.instances.one.client, eventsPath(another.conversationId, turn.turnId)],
      [concierge.instances.one.client, eventsPath(turn.conversationId, 'none')],
      [stranger, eventsPath(turn.conversationId, turn.turnId)],
    ]
    for (const [client, path] of calls) {
      const { status, headers, body } = await client.call<Problem>('GET', path)
      expect([status, body.errorCode]).toEqual([404, 'NotFound'])
      expect(headers.get('content-type')).toBe('application/problem+json; charset=utf-8')
    }
  })
})

describe('a caller that disconnects', () => {
  test('does not stop the turn [ASK-4]', async () => {
    const end = hold()
    concierge.model.answer({ text: ['Good ', end.released, 'morning.'] })
    const stream = await askStreaming(concierge.instances.one, concierge.agentId, question)
    const { data: turn } = await stream.waitFor('turn.started')
    await stream.waitFor('response.text.delta')
    stream.cut()
    end.release()
    expect(await endedTurn(concierge.instances.one, turn)).toMatchObject({
      status: 'completed',
      answer: 'Good morning.',
    })
  })

  test('does not stop the turn before the first event either [ASK-4]', async () => {
    const end = hold()
    concierge.model.answer({ text: [end.released, 'Still here.'] })
    const leaving = httpRequest(`${concierge.instances.one.url}/api/v1/Agent/${concierge.agentId}/question`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-api-key': concierge.instances.one.apiKey,
        'x-org-id': concierge.instances.one.organizationId,
      },
    })
    leaving.on('error', () => undefined).end(JSON.stringify({ question: 'Are you there?' }))
    await concierge.model.nextRequest()
    leaving.destroy()
    end.release()
    const path = `/api/v1/Conversation?AgentId=${concierge.agentId}&Search=Are%20you%20there`
    const found = async () =>
      (await concierge.instances.one.client.call<{ items: { id: string }[] }>('GET', path)).body.items[0]
        ?.id ?? ''
    await expect.poll(found, patiently).not.toBe('')
    const conversationId = await found()
    await expect
      .poll(async () => (await messagesOf(concierge.instances.one.client, conversationId)).at(-1), patiently)
      .toMatchObject({ role: 'assistant', content: 'Still here.', interrupted: false })
  })
})
