import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  confirmNext,
  die,
  type MovingSessions,
  startMovingSessions,
} from '../../support/realtime/moving-sessions.js'
import type { OpenSession, RealtimeClient } from '../../support/realtime/realtime-service.js'
import type { ProviderSession } from '../../support/realtime/scripted-provider.js'
import {
  answered,
  committed,
  responseCreated,
  responseDone,
  spoke,
  transcribed,
  typedItem,
} from '../../support/realtime/spoken-turns.js'

let moving: MovingSessions

beforeAll(async () => {
  moving = await startMovingSessions()
})

afterAll(() => moving.close())

beforeEach(() => moving.renew())

const cutOffId = 'past_cut_off'

const responseOf = (itemId: string) => `response of ${itemId}`

const briefly = { type: 'response.create', response: { instructions: 'Be brief.' } }

const question = (itemId: string) => ({
  type: 'conversation.item.create',
  item: typedItem(itemId, 'Another question'),
})

/** Opens a session whose provider is lost during an answer, and waits until the client knows. */
async function openCutOff(): Promise<OpenSession> {
  const session = await moving.open()
  const { client, provider } = session
  for (const event of [
    committed('U'),
    transcribed('U', 'Hello'),
    responseCreated(responseOf('A')),
    spoke('A', 'Good '),
  ])
    provider.send(event)
  await client.inbox.takeType('response.output_audio_transcript.delta')
  die(provider)
  await client.inbox.takeType('response.done')
  return session
}

/** Returns the number of response requests that a provider has received, once it has received everything so far. */
async function requestsTo({ inbox }: ProviderSession, client: RealtimeClient): Promise<number> {
  client.send({ type: 'input_audio_buffer.clear' })
  await inbox.takeType('input_audio_buffer.clear')
  return inbox.types.filter((type) => type === 'response.create').length
}

/** Returns the item ids that a provider has received so far. */
const itemsOf = ({ inbox }: ProviderSession): unknown[] =>
  inbox.all.flatMap(({ data }) => JSON.parse(data.toString()).item?.id ?? [])

/** Plays the response that the service has requested, up to its end. */
async function finishAnswer(next: ProviderSession, client: RealtimeClient): Promise<void> {
  for (const event of [
    responseCreated(responseOf('B')),
    answered('B', 'morning.'),
    responseDone(responseOf('B')),
  ])
    next.send(event)
  await client.inbox.takeType('response.done')
}

describe('after an answer was cut off, a request of the client', () => {
  test('waits for the end of the answer if the client has asked something else [RT-61]', async () => {
    const { client } = await openCutOff()
    client.send(question('Q'))
    client.send(briefly)
    const next = await confirmNext(moving.fallback)
    expect(await requestsTo(next, client)).toBe(1)
    expect(itemsOf(next).slice(-2)).toEqual([cutOffId, 'Q'])
    await finishAnswer(next, client)
    expect(await next.inbox.takeType('response.create')).toEqual(briefly)
    expect(client.inbox.types).not.toContain('error')
    client.socket.close(1000)
  })

  test('waits as well if it arrives while the answer continues [RT-61]', async () => {
    const { client } = await openCutOff()
    const next = await confirmNext(moving.fallback)
    await next.inbox.takeType('response.create')
    next.send(responseCreated(responseOf('B')))
    client.send(question('Q'))
    client.send(briefly)
    expect(await requestsTo(next, client)).toBe(1)
    await finishAnswer(next, client)
    expect(await next.inbox.takeType('response.create')).toEqual(briefly)
    client.socket.close(1000)
  })

  test('is sent if the provider does not answer the request of the service [RT-61]', async () => {
    const { client } = await openCutOff()
    client.send(question('Q'))
    client.send(briefly)
    const next = await confirmNext(moving.fallback)
    expect(await requestsTo(next, client)).toBe(1)
    moving.timers.advance(10_000)
    expect(await next.inbox.takeType('response.create')).toEqual(briefly)
    client.socket.close(1000)
  })

  test('is covered by the answer if the client has asked nothing else [RT-61]', async () => {
    const { client } = await openCutOff()
    client.send({ type: 'response.create' })
    const next = await confirmNext(moving.fallback)
    await finishAnswer(next, client)
    expect(await requestsTo(next, client)).toBe(1)
    client.send({ type: 'response.create' })
    expect(await requestsTo(next, client)).toBe(2)
    client.socket.close(1000)
  })

  test('goes to the next provider if the answer is cut off again [RT-61]', async () => {
    const { client } = await openCutOff()
    client.send(question('Q'))
    client.send(briefly)
    const next = await confirmNext(moving.fallback)
    expect(await requestsTo(next, client)).toBe(1)
    for (const event of [responseCreated(responseOf('B')), spoke('B', 'mor')]) next.send(event)
    await client.inbox.takeType('response.output_audio_transcript.delta')
    die(next)
    const last = await confirmNext(moving.service.provider)
    expect(await last.inbox.takeType('response.create')).toEqual(briefly)
    expect(await requestsTo(last, client)).toBe(1)
    expect(itemsOf(last)).toContain('Q')
    expect(itemsOf(last)).not.toContain(cutOffId)
    client.socket.close(1000)
  })

  test('is dropped if the client cancels it [RT-61]', async () => {
    const { client } = await openCutOff()
    client.send(question('Q'))
    client.send({ type: 'response.create' })
    client.send({ type: 'response.cancel' })
    const next = await confirmNext(moving.fallback)
    await next.inbox.takeType('response.cancel')
    await finishAnswer(next, client)
    expect(await requestsTo(next, client)).toBe(1)
    client.socket.close(1000)
  })
})

describe('an answer that was cut off', () => {
  test('continues with a third provider if the second one has not begun [RT-61]', async () => {
    const { client } = await openCutOff()
    const next = await confirmNext(moving.fallback)
    await next.inbox.takeType('response.create')
    next.send(responseCreated(responseOf('B')))
    await client.inbox.takeType('response.created')
    die(next)
    const last = await confirmNext(moving.service.provider)
    await last.inbox.takeType('response.create')
    expect(itemsOf(last).at(-1)).toBe(cutOffId)
    expect(await requestsTo(last, client)).toBe(1)
    client.socket.close(1000)
  })

  test('is not continued if the client has typed something after its beginning [RT-61]', async () => {
    const session = await moving.open()
    const { client, provider } = session
    for (const event of [committed('U'), transcribed('U', 'Hello'), responseCreated(responseOf('A'))])
      provider.send(event)
    client.send(question('Q'))
    await provider.inbox.takeType('conversation.item.create')
    for (const event of [{ type: 'conversation.item.added', item: question('Q').item }, spoke('A', 'Good ')])
      provider.send(event)
    await client.inbox.takeType('response.output_audio_transcript.delta')
    const next = await moving.move(session)
    await next.inbox.takeType('response.create')
    expect(itemsOf(next)).not.toContain(cutOffId)
    client.socket.close(1000)
  })

  test('is requested again after speech that was sent to two providers [RT-61]', async () => {
    const session = await moving.open()
    const { client, provider } = session
    client.send({ type: 'input_audio_buffer.append', audio: 'AAAA' })
    await provider.inbox.takeType('input_audio_buffer.append')
    provider.send(committed('U'))
    await client.inbox.takeType('input_audio_buffer.committed')
    const next = await moving.move(session)
    await next.inbox.takeType('response.create')
    next.send({ type: 'input_audio_buffer.speech_started' })
    for (const event of [
      committed('V'),
      transcribed('V', 'Hello'),
      responseCreated(responseOf('B')),
      spoke('B', 'Good '),
    ])
      next.send(event)
    await client.inbox.takeType('response.output_audio_transcript.delta')
    die(next)
    const last = await confirmNext(moving.service.provider)
    await last.inbox.takeType('response.create')
    expect(itemsOf(last).at(-1)).toBe(cutOffId)
    client.socket.close(1000)
  })
})
