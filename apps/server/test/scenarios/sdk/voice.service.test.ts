import { connect, type VoiceState } from '@parley/sdk/realtime'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { closeAfterwards } from '../../support/close-afterwards.js'
import { type RealtimeTestService, startRealtimeService } from '../../support/realtime/realtime-service.js'
import {
  answered,
  committed,
  messagesOf,
  patiently,
  responseCreated,
  responseDone,
  spoke,
  transcribed,
} from '../../support/realtime/spoken-turns.js'
import { playCalls, takeOutput } from '../../support/realtime/tool-calls.js'
import { acceptSession, openVoice } from '../../support/sdk/scripted-voice.js'
import { startTcpProxy } from '../../support/services/tcp-proxy.js'

let running: RealtimeTestService

beforeAll(async () => {
  running = await startRealtimeService()
})

afterAll(() => running.close())

const until = (what: () => unknown) => expect.poll(what, patiently)

describe('a voice session in Node', () => {
  test('shows the growing words of both sides in their places [SDK-21] [SDK-20]', async () => {
    const { voice, provider } = await openVoice(running)
    const seen: string[] = []
    voice.on('message', ({ role, text, isFinal }) => seen.push(`${role}: ${text}${isFinal ? '.' : ''}`))
    provider.send({ type: 'input_audio_buffer.speech_started', item_id: 'u' })
    await until(() => voice.getState().isPersonSpeaking).toBe(true)
    provider.send(committed('u'))
    provider.send(responseCreated('r'))
    provider.send(spoke('a', 'Good '))
    await until(() => voice.getState().phase).toBe('thinking')
    provider.send(transcribed('u', 'Hello'))
    provider.send(spoke('a', 'morning'))
    provider.send(answered('a', 'Good morning'))
    provider.send(responseDone('r'))
    await until(() => voice.getState().phase).toBe('listening')
    expect(voice.getState().transcript).toMatchObject([
      { id: 'u', role: 'user', text: 'Hello', isFinal: true, isInterrupted: false },
      { id: 'a', role: 'assistant', text: 'Good morning', isFinal: true, isInterrupted: false },
    ])
    expect(seen).toEqual([
      'user: ',
      'assistant: Good ',
      'user: Hello.',
      'assistant: Good morning',
      'assistant: Good morning.',
    ])
  })

  test('marks interrupted and failed transcripts [SDK-21] [SDK-20]', async () => {
    const { voice, provider } = await openVoice(running)
    provider.send(responseCreated('r'))
    provider.send({ ...spoke('a', 'I was about to'), response_id: 'r' })
    provider.send(responseDone('r', { status: 'cancelled', output: [] }))
    provider.send(committed('u'))
    provider.send({
      type: 'conversation.item.input_audio_transcription.failed',
      item_id: 'u',
      content_index: 0,
      error: { message: 'Noise.' },
    })
    await until(() => voice.getState().transcript).toMatchObject([
      { text: 'I was about to', isFinal: true, isInterrupted: true },
      { text: '', isFinal: true, failure: 'Noise.' },
    ])
  })

  test('has one immutable state and passes on every event unchanged [SDK-22] [SDK-20]', async () => {
    const { voice, provider } = await openVoice(running)
    const states: VoiceState[] = [voice.getState()]
    const raw: unknown[] = []
    const unsubscribe = voice.subscribe((state) => states.push(state))
    voice.on('raw', (event) => raw.push(event))
    const before = structuredClone({ ...voice.getState(), approvals: [] })
    provider.send({ ...spoke('a', 'One'), an_unknown_field: 1 })
    await until(() => states.length).toBe(2)
    expect({ ...states[0], approvals: [] }).toEqual(before)
    expect(states[1]).toBe(voice.getState())
    expect(states[1]?.calls).toBe(states[0]?.calls)
    expect(raw).toEqual([{ ...spoke('a', 'One'), an_unknown_field: 1 }])
    provider.send({ type: 'rate_limits.updated' })
    await until(() => raw.length).toBe(2)
    unsubscribe()
    provider.send(spoke('a', ' more'))
    await until(() => raw.length).toBe(3)
    expect(states).toHaveLength(2)
    const sent: unknown[] = []
    voice.on('sent', (message) => sent.push(message))
    voice.send({ type: 'response.create', event_id: 'mine' })
    expect(await provider.inbox.takeType('response.create')).toEqual(sent[0])
  })

  test('accepts typed text and requests one response at a time [SDK-23] [SDK-20]', async () => {
    const { voice, provider } = await openVoice(running)
    await voice.sendText('What is your name?')
    const { item } = await provider.inbox.takeType('conversation.item.create')
    expect(item).toMatchObject({
      role: 'user',
      content: [{ type: 'input_text', text: 'What is your name?' }],
    })
    await provider.inbox.takeType('response.create')
    provider.send(responseCreated('r1'))
    await until(() => voice.getState().isResponding).toBe(true)

    await voice.sendText('And yours?')
    await provider.inbox.takeType('response.cancel')
    await provider.inbox.takeType('conversation.item.create')
    provider.send(responseDone('r1', { status: 'cancelled', output: [] }))
    expect(await provider.inbox.takeJson()).toMatchObject({ type: 'response.create' })

    provider.send({
      type: 'error',
      error: {
        type: 'invalid_request_error',
        code: 'conversation_already_has_active_response',
        message: 'Busy.',
      },
    })
    provider.send(responseDone('r0'))
    expect(await provider.inbox.takeJson()).toMatchObject({ type: 'response.create' })
    expect(voice.getState().transcript.map(({ text }) => text)).toEqual(['What is your name?', 'And yours?'])
  })

  test('sends images and rejects messages that would end the session [SDK-23] [SDK-20]', async () => {
    const { voice, provider } = await openVoice(running)
    const picture = `data:image/png;base64,${'A'.repeat(1000)}`
    await voice.sendImage(picture, { text: 'What is this?', mustRespond: false })
    const { item } = await provider.inbox.takeType('conversation.item.create')
    expect(item).toMatchObject({
      content: [
        { type: 'input_text', text: 'What is this?' },
        { type: 'input_image', image_url: picture },
      ],
    })
    await expect(voice.sendImage(`data:image/png;base64,${'A'.repeat(70_000)}`)).rejects.toThrow(
      'Use a smaller one',
    )
    await expect(voice.sendText('x'.repeat(70_000))).rejects.toThrow('the limit is 65536')
    expect(voice.getState().connection).toBe('open')
  })

  test('runs its own tools with checks and timeouts, and requests one response for all [SDK-24] [SDK-20]', async () => {
    const clientTools = {
      color: {
        description: 'Paints the page.',
        parameters: { type: 'object', properties: { name: { enum: ['red', 'blue'] } }, required: ['name'] },
        run: ({ name }: Readonly<Record<string, unknown>>) => ({ painted: name }),
      },
      slow: { description: 'Never ends.', timeoutSeconds: 0.05, run: () => new Promise(() => undefined) },
      broken: {
        description: 'Fails.',
        run: () => {
          throw new Error('Out of paint.')
        },
      },
    }
    const { voice, provider, ticketRequests } = await openVoice(running, { tools: clientTools })
    expect(ticketRequests[0]?.clientTools.map(({ name }) => name)).toEqual(['color', 'slow', 'broken'])
    playCalls(provider, 'r', [
      { callId: 'c1', name: 'color', arguments: '{"name":"red"}' },
      { callId: 'c2', name: 'color', arguments: '{"name":"green"}' },
      { callId: 'c3', name: 'slow' },
      { callId: 'c4', name: 'broken' },
    ])
    const outputs = new Map<string, string>()
    while (outputs.size < 4) {
      const { callId, output } = await takeOutput(provider)
      outputs.set(callId, output)
    }
    expect(Object.fromEntries(outputs)).toEqual({
      c1: '{"painted":"red"}',
      c2: '{"error":"arguments.name must be one of [\\"red\\",\\"blue\\"]."}',
      c3: '{"error":"The tool did not finish within 0.05 seconds."}',
      c4: '{"error":"Out of paint."}',
    })
    await provider.inbox.takeType('response.create')
    expect(provider.inbox.types.filter((type) => type === 'response.create')).toHaveLength(1)
    expect(voice.getState().calls.map(({ status, isOfClient }) => [status, isOfClient])).toEqual([
      ['done', true],
      ['failed', true],
      ['failed', true],
      ['failed', true],
    ])
  })

  test('uses G.711 if the session says so [SDK-31] [SDK-20]', async () => {
    const connecting = connect({ url: running.url, ticket: () => running.createTicket() })
    const provider = await running.provider.accept()
    const format = { type: 'audio/pcmu' }
    const session = { audio: { input: { format }, output: { format } } }
    provider.send({ type: 'session.updated', session })
    const voice = await connecting
    closeAfterwards(() => voice.close())
    let heardSamples = 0
    voice.on('audio', ({ samples }) => {
      heardSamples += samples.length
    })
    voice.sendAudio(new Int16Array(2400))
    const { audio } = await provider.inbox.takeType('input_audio_buffer.append')
    expect(Buffer.from(String(audio), 'base64')).toEqual(Buffer.alloc(800, 0xff))
    provider.send({ type: 'response.output_audio.delta', item_id: 'a', content_index: 0, delta: audio })
    await until(() => heardSamples).toBe(2400)
  })

  test('has the earlier transcript if it continues a conversation [SDK-21] [SDK-20]', async () => {
    const first = await openVoice(running)
    const { conversationId } = first.voice.getState()
    first.provider.send(committed('u'))
    first.provider.send(transcribed('u', 'Remember the milk.'))
    await until(async () => (await messagesOf(running.client, conversationId ?? '')).length).toBe(1)
    await first.voice.close()
    const { voice, provider } = await openVoice(running, { conversationId: conversationId ?? '' })
    const { item } = await provider.inbox.takeType('conversation.item.create')
    provider.send({ type: 'conversation.item.added', item })
    await until(() => voice.getState().transcript).toMatchObject([
      { role: 'user', text: 'Remember the milk.', isFinal: true },
    ])
  })

  test('continues its conversation after a network failure [SDK-26] [SDK-20]', async () => {
    const address = new URL(running.url)
    const proxy = await startTcpProxy(address.hostname, Number(address.port))
    const { voice, provider, ticketRequests } = await openVoice(running, {
      url: proxy.rewriteUrl(running.url),
    })
    const reconnects: unknown[] = []
    voice.on('reconnecting', ({ attempt, end }) => reconnects.push([attempt, end.reason]))
    const { conversationId } = voice.getState()
    provider.send(responseCreated('r'))
    provider.send({ ...spoke('a', 'Once upon'), response_id: 'r' })
    await until(() => voice.getState().transcript.length).toBe(1)
    await proxy.cut()
    await until(() => voice.getState().phase).toBe('reconnecting')
    await proxy.restore()
    const next = await acceptSession(running)
    await until(() => voice.getState().phase).toBe('listening')
    expect(reconnects[0]).toEqual([1, 'connection_lost'])
    expect(ticketRequests.at(-1)).toMatchObject({ conversationId })
    expect(ticketRequests.at(-1)?.attempt).toBeGreaterThan(0)

    const past = await next.inbox.takeType('conversation.item.create')
    next.send({ type: 'conversation.item.added', item: past.item as object })
    await voice.sendText('Go on.')
    await next.inbox.takeType('response.create')
    expect(voice.getState()).toMatchObject({
      conversationId,
      transcript: [{ text: 'Once upon', isInterrupted: true }, { text: 'Go on.' }],
    })
    await voice.close()
    expect((await messagesOf(running.client, conversationId ?? ''))[0]?.content).toBe('Once upon')
  })
})
