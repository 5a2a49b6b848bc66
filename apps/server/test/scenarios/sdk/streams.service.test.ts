import { TurnEvent as WireEvent } from '@parley/contract'
import { ConnectionError, NotFoundError, ServiceError, type TurnEvent, type TurnStream } from '@parley/sdk'
import { v7 as uuid } from 'uuid'
import { describe, expect, test } from 'vitest'
import { hold } from '../../support/questions/received-events.js'
import { useSdkService } from '../../support/sdk/sdk-service.js'

const service = useSdkService()

const words = ['Good ', 'morning, ', 'dear ', 'guest. ', 'Grüße 👋.']
const question = { question: 'Hello?' }

async function readAll(stream: TurnStream): Promise<TurnEvent[]> {
  const events: TurnEvent[] = []
  for await (const event of stream) events.push(event)
  return events
}

const answerTextOf = (events: readonly TurnEvent[]) =>
  events.flatMap((event) => (event.type === 'response.text.delta' ? [event.data.delta] : [])).join('')

/** Checks that the events are complete, in order and without duplicates, as in a stream without breaks. */
async function expectCompleteStream(events: readonly TurnEvent[], stream: TurnStream): Promise<void> {
  for (const event of events) expect(WireEvent.parse(event)).toEqual(event)
  const { conversationId, turnId } = await stream.finalAnswer()
  expect(events).toEqual(await readAll(service.parley.questions.followTurn(conversationId, turnId)))
}

describe('a streamed question', () => {
  test('yields typed events and returns its answer afterwards [SDK-8]', async () => {
    const { agentId, model, parley } = service
    model.answer({ text: words })
    const stream = parley.questions.stream(agentId, question)
    const events = await readAll(stream)
    expect(answerTextOf(events)).toBe(words.join(''))
    expect([events[0]?.type, events.at(-1)?.type]).toEqual(['turn.started', 'response.completed'])
    expect(await stream.finalAnswer()).toMatchObject({ status: 'completed', answer: words.join('') })
    await expectCompleteStream(events, stream)
    await expect(readAll(stream)).rejects.toThrow('once')
  })

  test('can return only its answer [SDK-8]', async () => {
    const { agentId, model, parley } = service
    model.answer({ text: words }, { text: 'Once more.' })
    expect((await parley.questions.stream(agentId, question).finalAnswer()).answer).toBe(words.join(''))
    expect((await parley.questions.ask(agentId, question)).answer).toBe('Once more.')
  })

  test('throws the reason of a rejection and is not repeated [SDK-8]', async () => {
    const { parley, proxy } = service
    proxy.failNext()
    await expect(readAll(parley.questions.stream(uuid(), question))).rejects.toBeInstanceOf(NotFoundError)
    expect(proxy.requests).toHaveLength(1)
  })
})

describe('a stream that breaks', () => {
  const ways = [
    { events: 0, bytes: 9, ending: 'cut' },
    { events: 1, bytes: 0, ending: 'cut' },
    { events: 2, bytes: 9, ending: 'cut' },
    { events: 4, bytes: 9, ending: 'cut' },
    { events: 1, bytes: 0, ending: 'end' },
    { events: 3, bytes: 9, ending: 'end' },
  ] as const

  test.each(ways)('resumes without lost or duplicate events: %j [SDK-9]', async (fault) => {
    const { agentId, model, parley, proxy } = service
    model.answer({ text: words })
    proxy.failNext(fault, { ...fault, events: 1 }, 'drop-request', { status: 503 })
    const stream = parley.questions.stream(agentId, question)
    const events = await readAll(stream)
    const [first, ...later] = proxy.requests
    expect([first?.method, later.at(-1)?.method]).toEqual(['POST', 'GET'])
    expect(later.at(-1)?.headers['last-event-id']).toBe(String(fault.events + 1))
    expect(answerTextOf(events)).toBe(words.join(''))
    await expectCompleteStream(events, stream)
  })

  test('leads to one turn if it breaks before its first event [SDK-9]', async () => {
    const { agentId, model, parley, proxy } = service
    model.answer({ text: words })
    proxy.failNext({ events: 0, bytes: 0, ending: 'cut' }, 'drop-request')
    const stream = parley.questions.stream(agentId, question, { idempotencyKey: undefined })
    const events = await readAll(stream)
    const keys = proxy.requests.map(({ method, headers }) => `${method} ${headers['idempotency-key']}`)
    expect([keys.length, new Set(keys).size]).toEqual([3, 1])
    await expectCompleteStream(events, stream)
  })

  test('is complete if it breaks after its last event [SDK-9]', async () => {
    const { agentId, model, parley, proxy } = service
    model.answer({ text: words }, { text: words })
    const { length } = await readAll(parley.questions.stream(agentId, question))
    proxy.failNext({ events: length, ending: 'cut' })
    const events = await readAll(parley.questions.stream(agentId, question))
    expect([events.length, proxy.requests.length]).toEqual([length, 1])
  })

  test('is resumed if it is silent for too long [SDK-9]', async () => {
    const { agentId, connect, model, proxy } = service
    model.answer({ text: words })
    proxy.failNext({ events: 2, ending: 'silence' })
    const stream = connect({ streamIdleMilliseconds: 200 }).questions.stream(agentId, question)
    const events = await readAll(stream)
    expect(proxy.requests).toHaveLength(2)
    await expectCompleteStream(events, stream)
  })

  test('throws its error if it breaks repeatedly without a new event [SDK-9]', async () => {
    const { agentId, model, parley, proxy } = service
    model.answer({ text: words })
    const cut = { events: 0, ending: 'cut' } as const
    proxy.failNext({ events: 1, ending: 'cut' }, cut, cut, cut, cut, cut, cut)
    const stream = parley.questions.stream(agentId, question, { maxRetries: 2 })
    await expect(readAll(stream)).rejects.toBeInstanceOf(ConnectionError)
    expect([stream.lastEventId, proxy.requests.length]).toEqual(['1', 3])
    proxy.failNext({ status: 503 }, { status: 503 }, { status: 503 })
    await expect(stream.finalAnswer()).rejects.toBeInstanceOf(ServiceError)
    expect((await stream.finalAnswer()).conversationId).toMatch(/./)
  })
})

describe('a reader', () => {
  test('closes the connection if it leaves, and can resume from its last event [SDK-10]', async () => {
    const { agentId, model, parley } = service
    const held = hold()
    model.answer({ text: ['Good ', held.released, 'morning.'] })
    const stream = parley.questions.stream(agentId, question)
    const before: TurnEvent[] = []
    for await (const event of stream) {
      before.push(event)
      if (event.type === 'response.text.delta') break
    }
    held.release()
    const { conversationId, turnId } = await stream.finalAnswer()
    const lastEventId = stream.lastEventId ?? ''
    const elsewhere = parley.questions.followTurn(conversationId, turnId, { lastEventId })
    const after = await readAll(elsewhere)
    expect(answerTextOf([...before, ...after])).toBe('Good morning.')
    const last = elsewhere.lastEventId ?? ''
    expect(await readAll(parley.questions.followTurn(conversationId, turnId, { lastEventId: last }))).toEqual(
      [],
    )
  })

  test('gets its own reason if it cancels, during events and while it waits [SDK-10]', async () => {
    const { agentId, connect, model, proxy } = service
    const reason = new Error('The visitor has left.')
    const held = hold()
    const parley = connect({ backoffMilliseconds: 60_000 })
    for (const fault of ['pass', { events: 1, ending: 'cut' }] as const) {
      model.answer({ text: ['Good ', held.released, 'morning.'] })
      proxy.failNext(fault)
      const controller = new AbortController()
      const read = readAll(parley.questions.stream(agentId, question, { signal: controller.signal }))
      await model.nextRequest()
      controller.abort(reason)
      await expect(read).rejects.toBe(reason)
    }
    held.release()
  })
})
