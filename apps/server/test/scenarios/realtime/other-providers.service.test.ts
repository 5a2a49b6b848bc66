import type { Usage } from '@parley/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type RealtimeTestService, startRealtimeService } from '../../support/realtime/realtime-service.js'
import { expectEnd } from '../../support/realtime/session-ends.js'
import { answered, committed, endedSession, messagesOf } from '../../support/realtime/spoken-turns.js'

/** A frame of a server: one header byte, a length below 126, and the payload. */
const rawFrame = (firstByte: number, payload: Buffer) =>
  Buffer.concat([Buffer.from([firstByte, payload.length]), payload])
const textByte = 0x81
const reservedBit = 0x40

describe.each(['fast', 'ws'])('with PARLEY_RELAY_IO=%s', (io) => {
  let service: RealtimeTestService

  beforeAll(async () => {
    service = await startRealtimeService({ env: { PARLEY_RELAY_IO: io } })
  })

  afterAll(() => service.close())

  test('a session ends immediately if the provider breaks the protocol [RT-51]', {
    timeout: 20_000,
  }, async () => {
    const session = await service.openSession()
    // The provider keeps its connection open, as one does that has not noticed its fault.
    session.provider.socket.pause()
    session.provider.request.socket.write(rawFrame(textByte | reservedBit, Buffer.from('{}')))
    await expectEnd(service, session, 'provider_closed', /1002: .*RSV1/)
  })

  test('text that is not UTF-8 reaches the client with replacement characters [RT-51]', async () => {
    const { client, provider } = await service.openSession()
    const text = Buffer.concat([
      Buffer.from('{"type":"note","text":"Gr'),
      Buffer.from([0xfc]),
      Buffer.from('n"}'),
    ])
    provider.request.socket.write(rawFrame(textByte, text))
    expect(await client.inbox.takeType('note')).toEqual({ type: 'note', text: 'Gr\ufffdn' })
    client.send({ type: 'input_audio_buffer.commit' })
    await provider.inbox.takeType('input_audio_buffer.commit')
    client.socket.close(1000)
  })
})

describe('a provider that repeats a growing transcript', () => {
  let service: RealtimeTestService

  beforeAll(async () => {
    service = await startRealtimeService()
  })

  afterAll(() => service.close())

  const words = (transcript: string, status: string) => ({
    type: 'conversation.item.input_audio_transcription.completed',
    event_id: `E ${transcript}`,
    item_id: 'U',
    transcript,
    content_index: 0,
    status,
    previous_item_id: null,
  })

  test.each([
    [
      'the whole text is stored',
      [words('Hello, my name is Ada.', 'completed')],
      'Hello, my name is Ada.',
      null,
    ],
    [
      'the last text is stored if the session ends first',
      [],
      'Hello, my',
      'The session ended before this speech was transcribed.',
    ],
  ])('%s [RT-52]', async (_, last, content, failure) => {
    const { ticket, client, provider } = await service.openSession()
    const events = [
      committed('U'),
      words('Hello?', 'in_progress'),
      words('Hello, my', 'in_progress'),
      { type: 'response.created', response: { id: 'R' } },
      answered('A', 'Hi Ada.'),
      ...last,
      { type: 'heard' },
    ]
    for (const event of events) provider.send(event)
    await client.inbox.takeType('heard')
    client.socket.close(1000)
    await endedSession(service.client, ticket.conversationId)
    const messages = await messagesOf(service.client, ticket.conversationId)
    expect(messages.map(({ role, content, failure }) => ({ role, content, failure }))).toEqual([
      { role: 'user', content, failure },
      { role: 'assistant', content: 'Hi Ada.', failure: null },
    ])
  })

  test('its usage beside an empty one is counted, with the seconds that it charges [RT-52]', async () => {
    const { ticket, client, provider } = await service.openSession()
    provider.send({
      type: 'response.done',
      response: { id: 'R', status: 'completed', output: [], status_details: 'unimplemented', usage: {} },
      usage: { input_tokens: 156, output_tokens: 185, total_tokens: 341, billable_audio_seconds: 5 },
    })
    provider.send({ type: 'heard' })
    await client.inbox.takeType('heard')
    client.socket.close(1000)
    const { usage } = await endedSession(service.client, ticket.conversationId)
    expect(usage).toMatchObject({ responses: 1, inputTokens: 156, outputTokens: 185, totalTokens: 341 })
    const report = await service.client.call<Usage>('GET', '/api/v1/Usage')
    expect(report.body.totals).toMatchObject({ audioSeconds: 5, cost: { amount: null, unpricedSeconds: 5 } })
  })
})
