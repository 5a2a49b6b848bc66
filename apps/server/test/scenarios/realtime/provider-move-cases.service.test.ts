import { customEvents, type Usage } from '@parley/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { holdAnswer } from '../../support/realtime/held-answer.js'
import {
  confirmNext,
  die,
  type MovingSessions,
  startMovingSessions,
} from '../../support/realtime/moving-sessions.js'
import type { RealtimeTestService } from '../../support/realtime/realtime-service.js'
import type { ScriptedProvider } from '../../support/realtime/scripted-provider.js'
import {
  answered,
  committed,
  endedSession,
  patiently,
  responseCreated,
  responseDone,
  sessionsOf,
  spoke,
  transcribed,
  typedItem,
} from '../../support/realtime/spoken-turns.js'
import { playCalls } from '../../support/realtime/tool-calls.js'
import type { ScriptedHttpServer } from '../../support/scripted-http-server.js'

let moving: MovingSessions
let service: RealtimeTestService
let tools: ScriptedHttpServer
let fallback: ScriptedProvider

beforeAll(async () => {
  moving = await startMovingSessions()
  ;({ service, tools, fallback } = moving)
})

afterAll(() => moving.close())

beforeEach(() => moving.renew())

const append = (count: number) => ({ type: 'input_audio_buffer.append', audio: 'AAAA'.repeat(count) })

/** The newest frames of a client, without those that the test has read. */
const typesOf = ({ inbox }: { readonly inbox: { readonly types: unknown[] } }) => inbox.types

describe('a session whose provider is lost', () => {
  test('ends open responses and transcripts for its client, and starts again only for the provider [RT-60]', async () => {
    const session = await moving.open()
    const { client, provider } = session
    client.send(append(10))
    for (const event of [committed('U'), responseCreated('R'), spoke('A', 'Good ')]) provider.send(event)
    await client.inbox.takeType('response.output_audio_transcript.delta')
    const next = await moving.move(session)
    next.send({ type: 'rate_limits.updated' })
    await client.inbox.takeType('rate_limits.updated')
    const relayed = typesOf(client).filter((type) => !(String(type) in customEvents))
    expect(relayed).toEqual([
      'session.created',
      'session.updated',
      'input_audio_buffer.committed',
      'response.created',
      'response.output_audio_transcript.delta',
      'conversation.item.input_audio_transcription.failed',
      'response.done',
      'session.provider_changed',
      'session.updated',
      'rate_limits.updated',
    ])
    const events = client.inbox.all.map(({ data }) => JSON.parse(data.toString()))
    expect(events.find(({ type }) => type === 'response.done').response).toMatchObject({
      id: 'R',
      status: 'failed',
      status_details: { error: { code: 'provider_closed' } },
    })
    client.socket.close(1000)
  })

  test('sends speech without a transcript again, then the commit, the request and the later audio [RT-61]', async () => {
    const session = await moving.open()
    const { client, provider } = session
    client.send(append(1))
    client.send(append(2))
    await provider.inbox.takeType('input_audio_buffer.append')
    await provider.inbox.takeType('input_audio_buffer.append')
    provider.send(committed('U'))
    await client.inbox.takeType('input_audio_buffer.committed')
    client.send(append(3))
    await provider.inbox.takeType('input_audio_buffer.append')
    const next = await moving.move(session)
    const sent: unknown[] = []
    for (let frame = 0; frame < 5; frame += 1) {
      const { type, audio } = await next.inbox.takeJson()
      sent.push(audio ?? type)
    }
    expect(sent).toEqual(['AAAA', 'AAAAAAAA', 'input_audio_buffer.commit', 'response.create', 'AAAAAAAAAAAA'])
    client.socket.close(1000)
  })

  test('keeps at most ten seconds of audio, and one second before the provider detects speech [RT-61]', async () => {
    const session = await moving.open()
    const { client, provider } = session
    provider.send({ type: 'input_audio_buffer.speech_started' })
    provider.send(committed('U'))
    provider.send(transcribed('U', 'Hello'))
    provider.send(responseCreated('R'))
    provider.send(answered('A', 'Hello'))
    provider.send(responseDone('R'))
    await client.inbox.takeType('response.done')
    // Two seconds of silence, and twelve seconds of speech. A frame of 16 000 characters is a quarter of a second.
    for (let frame = 0; frame < 8; frame += 1) client.send(append(4000))
    for (let frame = 0; frame < 8; frame += 1) await provider.inbox.takeType('input_audio_buffer.append')
    provider.send({ type: 'input_audio_buffer.speech_started' })
    await client.inbox.takeType('input_audio_buffer.speech_started')
    const next = await moving.move(session)
    client.send({ type: 'input_audio_buffer.clear' })
    await next.inbox.takeType('input_audio_buffer.clear')
    expect(next.inbox.types.filter((type) => type === 'input_audio_buffer.append')).toHaveLength(3)
    for (let frame = 0; frame < 48; frame += 1) client.send(append(4000))
    for (let frame = 0; frame < 48; frame += 1) await next.inbox.takeType('input_audio_buffer.append')
    die(next)
    const last = await confirmNext(service.provider)
    client.send({ type: 'input_audio_buffer.clear' })
    await last.inbox.takeType('input_audio_buffer.clear')
    expect(last.inbox.types.filter((type) => type === 'input_audio_buffer.append')).toHaveLength(39)
    client.socket.close(1000)
  })

  test('keeps the frames of its client during the move, in order [RT-60]', async () => {
    const { client, provider } = await moving.open()
    die(provider)
    const next = await fallback.accept()
    await next.inbox.takeType('session.update')
    const texts = Array.from({ length: 20 }, (_, index) => `Text ${index}`)
    for (const text of texts) client.send({ type: 'conversation.item.create', item: typedItem(text, text) })
    next.send({ type: 'session.updated' })
    for (const text of texts)
      expect(await next.inbox.takeType('conversation.item.create')).toMatchObject({ item: { id: text } })
    client.socket.close(1000)
  })

  test('sends typed text again that was not confirmed, with the request of its client [RT-61]', async () => {
    const session = await moving.open()
    const { client, provider } = session
    const item = typedItem('T', 'Hello')
    client.send({ type: 'conversation.item.create', previous_item_id: 'before', item })
    client.send({ type: 'response.create', response: { instructions: 'Be brief.' } })
    await provider.inbox.takeType('response.create')
    const next = await moving.move(session)
    expect(await next.inbox.takeType('conversation.item.create')).toEqual({
      type: 'conversation.item.create',
      item,
    })
    expect(await next.inbox.takeType('response.create')).toMatchObject({
      response: { instructions: 'Be brief.' },
    })
    client.socket.close(1000)
  })

  test('gives the output of a running tool to the next provider, which knows the call [RT-61]', async () => {
    const held = holdAnswer(tools, 'POST /note')
    const session = await moving.open()
    const { client, provider } = session
    playCalls(provider, 'R', [{ callId: 'C', name: 'note' }])
    await held.called
    const next = await moving.move(session)
    expect(await next.inbox.takeType('conversation.item.create')).toMatchObject({
      item: { type: 'function_call', call_id: 'C', name: 'note' },
    })
    await held.give('noted')
    expect(await next.inbox.takeType('conversation.item.create')).toMatchObject({
      item: { type: 'function_call_output', call_id: 'C', output: 'noted' },
    })
    await next.inbox.takeType('response.create')
    tools.verify()
    client.socket.close(1000)
  })

  test('keeps the output of a tool that ends during the move [RT-61]', async () => {
    const held = holdAnswer(tools, 'POST /note')
    const { client, provider } = await moving.open()
    playCalls(provider, 'R', [{ callId: 'C', name: 'note' }])
    await held.called
    die(provider)
    const next = await fallback.accept()
    await next.inbox.takeType('conversation.item.create')
    await held.give('noted')
    await client.inbox.takeType('response.function_invocation.done')
    next.send({ type: 'session.updated' })
    expect(await next.inbox.takeType('conversation.item.create')).toMatchObject({
      item: { type: 'function_call_output', call_id: 'C', output: 'noted' },
    })
    await next.inbox.takeType('response.create')
    tools.verify()
    client.socket.close(1000)
  })

  test("leaves the calls of the client's tools to the client [RT-61]", async () => {
    const clientTools = [{ name: 'show_page', description: 'Shows a page.' }]
    const session = await moving.open({ clientTools })
    const { client, provider } = session
    playCalls(provider, 'R', [{ callId: 'C', name: 'show_page' }])
    await client.inbox.takeType('response.done')
    const next = await moving.move(session)
    expect(await next.inbox.takeType('conversation.item.create')).toMatchObject({
      item: { type: 'function_call', call_id: 'C', name: 'show_page' },
    })
    const item = { type: 'function_call_output', call_id: 'C', output: 'shown' }
    client.send({ type: 'conversation.item.create', item })
    client.send({ type: 'response.create' })
    expect(await next.inbox.takeType('conversation.item.create')).toMatchObject({ item })
    await next.inbox.takeType('response.create')
    die(next)
    const last = await confirmNext(service.provider)
    await last.inbox.takeType('conversation.item.create')
    expect(await last.inbox.takeType('conversation.item.create')).toMatchObject({ item })
    await last.inbox.takeType('response.create')
    client.socket.close(1000)
  })

  test('answers events about items of the former provider with an error [RT-63]', async () => {
    const session = await moving.open()
    const { client, provider } = session
    provider.send(responseCreated('R'))
    const item = { id: 'A', type: 'message', role: 'assistant' }
    provider.send({ type: 'response.output_item.added', response_id: 'R', item })
    provider.send(answered('A', 'Hello'))
    provider.send(responseDone('R'))
    await client.inbox.takeType('response.done')
    const next = await moving.move(session)
    client.send({ type: 'conversation.item.truncate', event_id: 'mine', item_id: 'A', audio_end_ms: 1 })
    expect(await client.inbox.takeType('error')).toMatchObject({
      error: { code: 'item_of_former_provider', event_id: 'mine' },
    })
    client.send({ type: 'conversation.item.truncate', item_id: 'other', audio_end_ms: 1 })
    expect(await next.inbox.takeType('conversation.item.truncate')).toMatchObject({ item_id: 'other' })
    client.socket.close(1000)
  })

  test('counts the usage of each response for the model that gave it [RT-60]', async () => {
    const session = await moving.open()
    const { client, provider, ticket } = session
    const usage = { total_tokens: 7, input_tokens: 3, output_tokens: 4 }
    provider.send(responseDone('R', { status: 'completed', output: [], usage }))
    await client.inbox.takeType('response.done')
    const next = await moving.move(session)
    next.send(responseDone('R', { status: 'completed', output: [], usage }))
    await client.inbox.takeType('response.done')
    client.socket.close(1000)
    const { id } = await endedSession(service.client, ticket.conversationId)
    const counted = async () => {
      const path = `/api/v1/Usage?AgentId=${moving.agentId}&GroupBy=model`
      const { body } = await service.client.call<Usage>('GET', path)
      return body.items
        .map(({ group, sessions, responses }) => ({ model: group.model, sessions, responses }))
        .sort((one, other) => String(one.model).localeCompare(String(other.model)))
    }
    await expect.poll(counted, patiently).toEqual([
      { model: 'model-Fallback', sessions: 0, responses: 1 },
      { model: 'model-Own', sessions: 1, responses: 1 },
    ])
    const [stored] = await sessionsOf(service.client, ticket.conversationId)
    expect(stored).toMatchObject({ id, usage: { responses: 2 } })
  })
})
