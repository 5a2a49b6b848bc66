import * as library from '@openai/agents-realtime'
import type { ConnectionTest } from '@parley/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readWithAgents } from '../../support/realtime/agents-reader.js'
import { newGeminiSessions } from '../../support/realtime/dialects/gemini-server.js'
import {
  createGeminiAgent,
  openGemini,
  serveGemini,
} from '../../support/realtime/dialects/gemini-sessions.js'
import type { RealtimeClient } from '../../support/realtime/open-socket.js'
import { type RealtimeTestService, startRealtimeService } from '../../support/realtime/realtime-service.js'
import { endedSession, endReasonOf, messagesOf, patiently } from '../../support/realtime/spoken-turns.js'
import { refundTool } from '../../support/realtime/waiting-calls.js'
import { type ScriptedHttpServer, startScriptedHttpServer } from '../../support/scripted-http-server.js'

let service: RealtimeTestService
let tools: ScriptedHttpServer
let agentId: string

beforeAll(async () => {
  const env = {
    PARLEY_REALTIME_INPUT_FORMATS: 'pcm16,g711_ulaw',
    PARLEY_REALTIME_OUTPUT_FORMATS: 'pcm16,g711_alaw',
  }
  service = await startRealtimeService({ env })
  tools = await startScriptedHttpServer()
  agentId = await createGeminiAgent(service)
})

afterAll(async () => {
  await service.close()
  await tools.close()
})

const audio = { type: 'input_audio_buffer.append', audio: Buffer.alloc(4800).toString('base64') }

const typesOf = ({ inbox }: RealtimeClient) => inbox.types.map(String)

const countOf = (client: RealtimeClient, type: string) =>
  typesOf(client).filter((each) => each === type).length

/** Ends the session after the last words of the user. Returns the stored session and messages. */
async function leave(client: RealtimeClient, conversationId: string) {
  const committed = countOf(client, 'input_audio_buffer.committed')
  const transcribed = 'conversation.item.input_audio_transcription.completed'
  await expect.poll(() => countOf(client, transcribed), patiently).toBe(committed)
  client.socket.close(1000)
  const session = await endedSession(service.client, conversationId)
  const messages = await messagesOf(service.client, conversationId)
  const said = messages.map(({ role, content, interrupted }) => ({ role, content, interrupted }))
  return { session, messages, said, words: messages.map(({ role, content }) => `${role}: ${content}`) }
}

function say(client: RealtimeClient, text: string) {
  const content = [{ type: 'input_text', text }]
  client.send({ type: 'conversation.item.create', item: { type: 'message', role: 'user', content } })
  client.send({ type: 'response.create' })
}

describe('a connection of kind google', () => {
  test('opens Gemini Live with one setup message [RT-64]', async () => {
    const { provider, gemini, client } = await openGemini(service, agentId)
    await client.inbox.takeType('session.updated')
    expect(provider.request.url).toBe(
      '/ws/google.ai.generativelanguage.v1.GenerativeService.BidiGenerateContent?key=gemini-secret',
    )
    expect(gemini.setup).toEqual({
      model: 'models/gemini-3.8-live',
      generationConfig: {
        responseModalities: ['AUDIO'],
        speechConfig: { voiceConfig: { prebuiltVoiceConfig: { voiceName: 'Puck' } } },
      },
      systemInstruction: { parts: [{ text: 'Be brief.' }] },
      tools: [{ functionDeclarations: [expect.objectContaining({ name: 'clock' })] }],
      inputAudioTranscription: {},
      outputAudioTranscription: {},
      sessionResumption: {},
      contextWindowCompression: { slidingWindow: {} },
    })
    expect(typesOf(client)).toEqual(['session.created', 'session.updated'])
  })

  test('stores the words and usage of a spoken turn [RT-64]', async () => {
    const { gemini, client, ticket } = await openGemini(service, agentId)
    await client.inbox.takeType('session.updated')
    for (let sent = 0; sent < 3; sent += 1) client.send(audio)
    await expect.poll(() => gemini.heard.length, patiently).toBe(4800 - 8)
    gemini.hear(' Hello, I am Ada.')
    gemini.answer('Good day, Ada.')
    await client.inbox.takeType('response.done')
    const { session, words } = await leave(client, ticket.conversationId)
    expect(words).toEqual(['user: Hello, I am Ada.', 'assistant: Good day, Ada.'])
    expect(session.usage).toMatchObject({
      ...{ responses: 1, totalTokens: 691, inputTokens: 626, inputAudioTokens: 287, inputTextTokens: 339 },
      ...{ outputTokens: 65, outputAudioTokens: 30, outputTextTokens: 35 },
    })
    expect(gemini.errors).toEqual([])
  })

  test('answers typed questions, also with models before version 3 [RT-64]', async () => {
    const older = await createGeminiAgent(service, { realtime: ['gemini-2.5-flash-native-audio-latest'] })
    for (const id of [agentId, older]) {
      const { gemini, client, ticket } = await openGemini(service, id)
      await client.inbox.takeType('session.updated')
      for (const question of ['Hello?', 'Still there?']) {
        say(client, question)
        await expect.poll(() => gemini.texts.at(-1), patiently).toBe(question)
        gemini.answer('Yes.')
        await client.inbox.takeType('response.done')
      }
      const { words } = await leave(client, ticket.conversationId)
      expect(words).toEqual(['user: Hello?', 'assistant: Yes.', 'user: Still there?', 'assistant: Yes.'])
      expect(gemini.errors).toEqual([])
    }
  })

  test.each([1, 3])('answers once after %i calls [RT-64]', async (count) => {
    const { gemini, client, ticket } = await openGemini(service, agentId)
    await client.inbox.takeType('session.updated')
    say(client, 'What time is it?')
    await expect.poll(() => gemini.texts.length, patiently).toBe(1)
    const ids = Array.from({ length: count }, (_, index) => `function-call-1207357244983911675${index}`)
    gemini.call(...ids.map((id) => ({ id, name: 'clock' })))
    await expect.poll(() => gemini.outputs.length, patiently).toBe(count)
    expect(gemini.outputs.map(({ id }) => id).sort()).toEqual(ids)
    expect(gemini.outputs[0]).toMatchObject({ name: 'clock', scheduling: 'WHEN_IDLE' })
    gemini.answer('It is noon.')
    await expect.poll(() => countOf(client, 'response.done'), patiently).toBe(2)
    const { messages } = await leave(client, ticket.conversationId)
    expect(messages.map(({ role }) => role)).toEqual([
      'user',
      ...Array.from({ length: count }, () => 'tool'),
      'assistant',
    ])
    expect([gemini.texts, gemini.errors]).toEqual([['What time is it?'], []])
  })

  test('waits for an approval, and sends the output as text if Gemini has cancelled the call [RT-64]', async () => {
    const refunds = await createGeminiAgent(service, { tools: [refundTool(tools)] })
    for (const isCancelled of [false, true]) {
      tools.expect('POST /refund', { body: 'Refunded.' })
      const { gemini, client, ticket } = await openGemini(service, refunds)
      await client.inbox.takeType('session.updated')
      say(client, 'Give me my money back.')
      await expect.poll(() => gemini.texts.length, patiently).toBe(1)
      gemini.call({ id: 'call-1', name: 'refund', args: { amount: 5 } })
      const { data } = (await client.inbox.takeType('approval.waiting')) as { data: { callId: string } }
      if (isCancelled) gemini.cancelCalls('call-1')
      client.send({ type: 'approval.approve', callId: data.callId })
      if (isCancelled)
        await expect.poll(() => gemini.texts.at(-1), patiently).toContain('Result of the tool refund')
      else
        await expect.poll(() => gemini.outputs, patiently).toMatchObject([{ id: 'call-1', name: 'refund' }])
      gemini.answer('Done.')
      await expect.poll(() => countOf(client, 'response.done'), patiently).toBe(2)
      const { words } = await leave(client, ticket.conversationId)
      expect(words.at(-1)).toBe('assistant: Done.')
      expect(gemini.errors).toEqual([])
    }
    tools.verify()
  })

  test('lets the user interrupt, and announces the speech before the end of the answer [RT-64]', async () => {
    const { gemini, client, ticket } = await openGemini(service, agentId)
    await client.inbox.takeType('session.updated')
    client.send(audio)
    gemini.hear(' Tell me a story.')
    gemini.say('Once upon a time')
    await client.inbox.takeType('response.output_audio.delta')
    gemini.interrupt()
    gemini.hear(' Stop.')
    gemini.answer('All right.')
    await expect.poll(() => countOf(client, 'response.done'), patiently).toBe(2)
    const types = typesOf(client)
    expect(types.lastIndexOf('input_audio_buffer.speech_started')).toBeLessThan(
      types.indexOf('response.done'),
    )
    const { said } = await leave(client, ticket.conversationId)
    expect(said).toMatchObject([
      { role: 'user', content: 'Tell me a story.' },
      { role: 'assistant', content: 'Once upon a time', interrupted: true },
      { role: 'user', content: 'Stop.' },
      { role: 'assistant', content: 'All right.', interrupted: false },
    ])
  })

  test('drops the rest of an answer that the client cancels, and rejects what Gemini cannot do [RT-64]', async () => {
    const { gemini, client } = await openGemini(service, agentId)
    await client.inbox.takeType('session.updated')
    client.send({ type: 'conversation.item.delete', event_id: 'd', item_id: 'x' })
    expect(await client.inbox.takeType('error')).toMatchObject({
      error: { code: 'unsupported_by_provider', event_id: 'd' },
    })
    client.send({ type: 'response.create', event_id: 't', response: { output_modalities: ['text'] } })
    expect(await client.inbox.takeType('error')).toMatchObject({
      error: { code: 'unsupported_by_provider', event_id: 't' },
    })
    say(client, 'Tell me a story.')
    await expect.poll(() => gemini.texts.length, patiently).toBe(1)
    gemini.say('Once upon a time')
    await client.inbox.takeType('response.output_audio.delta')
    client.send({ type: 'response.create', event_id: 'b' })
    expect(await client.inbox.takeType('error')).toMatchObject({
      error: { code: 'conversation_already_has_active_response' },
    })
    client.send({ type: 'response.cancel' })
    expect(await client.inbox.takeType('response.done')).toMatchObject({
      response: { status: 'cancelled', status_details: { reason: 'client_cancelled' } },
    })
    gemini.answer(' there was a')
    say(client, 'Hello?')
    await expect.poll(() => gemini.texts.length, patiently).toBe(2)
    gemini.answer('Yes.')
    expect(await client.inbox.takeType('response.done')).toMatchObject({
      response: { status: 'completed', output: [{ content: [{ transcript: 'Yes.' }] }] },
    })
  })

  test('ends a session that Gemini refuses with its reason, without the key [RT-64]', async () => {
    const { client, ticket } = await openGemini(service, agentId, { request: { voice: 'alloy' } })
    expect((await client.inbox.closed).code).toBe(4002)
    expect(client.inbox.all.at(-1)?.data.toString()).toContain("Requested voice api_name 'alloy'")
    await expect
      .poll(() => endReasonOf(service.client, ticket.conversationId), patiently)
      .toBe('provider_unavailable')
  })

  test('conceals the key in the reason of a close [RT-64]', async () => {
    const { client, provider } = await openGemini(service, agentId)
    await client.inbox.takeType('session.updated')
    for (let lost = 0; lost < 5; lost += 1) {
      const socket = lost === 0 ? provider.socket : (await service.provider.accept()).socket
      socket.close(1011, 'Bad URL: ?key=gemini-secret')
    }
    await client.inbox.closed
    const texts = client.inbox.all.map(({ data }) => data.toString())
    expect(texts.join()).toContain('Bad URL: ?key=[secret]')
    expect(texts.join()).not.toContain('gemini-secret')
  })

  test('reconnects for goAway within a call, and sends the output as text [RT-65]', async () => {
    const refunds = await createGeminiAgent(service, { tools: [refundTool(tools)] })
    tools.expect('POST /refund', { body: 'Refunded.' })
    const { gemini, client, ticket, sessions, provider } = await openGemini(service, refunds)
    await client.inbox.takeType('session.updated')
    const handle = gemini.offerHandle()
    say(client, 'Give me my money back.')
    await expect.poll(() => gemini.texts.length, patiently).toBe(1)
    gemini.call({ id: 'call-1', name: 'refund', args: { amount: 5 } })
    const { data } = (await client.inbox.takeType('approval.waiting')) as { data: { callId: string } }
    gemini.goAway('3s')
    const next = await service.provider.accept()
    await expect(provider.inbox.closed).resolves.toMatchObject({ code: 1000 })
    const resumed = serveGemini(next, sessions)
    await expect.poll(() => resumed.setup, patiently).toMatchObject({ sessionResumption: { handle } })
    client.send({ type: 'approval.approve', callId: data.callId })
    await expect.poll(() => resumed.texts, patiently).toMatchObject([expect.stringContaining('refund')])
    resumed.answer('Done.')
    await expect.poll(() => countOf(client, 'response.done'), patiently).toBe(2)
    const { words } = await leave(client, ticket.conversationId)
    expect(words.at(-1)).toBe('assistant: Done.')
    expect([gemini.errors, resumed.errors, countOf(client, 'session.created')]).toEqual([[], [], 1])
    tools.verify()
  })

  test('continues in a new session with the history if Gemini refuses to resume [RT-65]', async () => {
    const sessions = newGeminiSessions()
    const { gemini, client, ticket, provider } = await openGemini(service, agentId, { sessions })
    await client.inbox.takeType('session.updated')
    say(client, 'My name is Ada.')
    await expect.poll(() => gemini.texts.length, patiently).toBe(1)
    gemini.answer('Good day.')
    await client.inbox.takeType('response.done')
    gemini.offerHandle()
    sessions.refusesHandles = true
    provider.socket.terminate()
    serveGemini(await service.provider.accept(), sessions)
    client.send(audio)
    const fresh = serveGemini(await service.provider.accept(), sessions)
    await expect
      .poll(() => fresh.history, patiently)
      .toEqual([
        { role: 'user', text: 'My name is Ada.' },
        { role: 'model', text: 'Good day.' },
      ])
    await expect.poll(() => fresh.heard.length, patiently).toBeGreaterThan(1000)
    fresh.hear(' What is my name?')
    fresh.answer('Ada.')
    await expect.poll(() => countOf(client, 'response.done'), patiently).toBe(2)
    const { words } = await leave(client, ticket.conversationId)
    expect(words.slice(2)).toEqual(['user: What is my name?', 'assistant: Ada.'])
    expect(fresh.errors).toEqual([])
  })

  test('replays the conversation to the next session [RT-64]', async () => {
    const first = await openGemini(service, agentId)
    await first.client.inbox.takeType('session.updated')
    say(first.client, 'My name is Ada.')
    await expect.poll(() => first.gemini.texts.length, patiently).toBe(1)
    first.gemini.answer('Good day.')
    await first.client.inbox.takeType('response.done')
    const { conversationId } = first.ticket
    await leave(first.client, conversationId)
    const next = await openGemini(service, agentId, { request: { conversationId } })
    await expect
      .poll(() => next.gemini.history, patiently)
      .toEqual([
        { role: 'user', text: 'My name is Ada.' },
        { role: 'model', text: 'Good day.' },
      ])
    expect(next.gemini.texts).toEqual([])
  })

  test('speaks the first message of the agent, and converts G.711 [RT-64]', async () => {
    const greeter = await createGeminiAgent(service, { firstMessage: 'Welcome!' })
    const formats = { inputAudioFormat: 'g711_ulaw', outputAudioFormat: 'g711_alaw' }
    const { gemini, client } = await openGemini(service, greeter, { request: formats })
    await expect.poll(() => gemini.texts, patiently).toMatchObject([expect.stringContaining('Welcome!')])
    gemini.answer('Welcome!')
    const { delta } = await client.inbox.takeType('response.output_audio.delta')
    expect(Buffer.from(String(delta), 'base64').length).toBeLessThan(160)
    client.send({ type: 'input_audio_buffer.append', audio: Buffer.alloc(1600, 0xff).toString('base64') })
    await expect.poll(() => gemini.heard.length, patiently).toBeGreaterThan(3000)
    expect(Math.max(...gemini.heard)).toBe(0)
  })

  test('is read by @openai/agents-realtime without an error [RT-64]', async () => {
    const ticket = await service.createTicket({}, agentId)
    const url = `${service.url.replace('http', 'ws')}${ticket.webSocketPath}`
    const reader = readWithAgents({ library, url })
    const gemini = serveGemini(await service.provider.accept())
    await reader.connected
    gemini.hear(' What time is it?')
    gemini.answer('It is noon.')
    await expect.poll(reader.words, patiently).toEqual(['What time is it?', 'It is noon.'])
    expect(reader.unexpectedErrors()).toEqual([])
  })
})

describe('a test of a connection of kind google', () => {
  const testAt = async (answer: { readonly status?: number; readonly body: object }) => {
    const models = { chat: 'gemini-3.5-flash', realtime: ['gemini-3.8-live'] }
    const body = { name: 'Gemini', kind: 'google', baseUrl: tools.url, apiKey: 'gemini-secret', models }
    const { body: created } = await service.client.call<{ id: string }>('POST', '/api/v1/Connection', {
      body,
    })
    const listed = tools.expect('GET /v1beta/models?pageSize=1000', answer)
    const path = `/api/v1/Connection/${created.id}/test`
    const { body: finding } = await service.client.call<ConnectionTest>('POST', path)
    return { finding, request: await listed }
  }

  test('reads Google’s list of models [CON-6]', async () => {
    const models = [{ name: 'models/gemini-3.8-live' }, { name: 'models/gemini-embedding-2' }]
    const { finding, request } = await testAt({ body: { models } })
    expect(request.headers).toMatchObject({ 'x-goog-api-key': 'gemini-secret' })
    expect(finding).toMatchObject({ ok: true, missingModels: ['gemini-3.5-flash'] })
  })

  test('recognizes Google’s answer to a wrong key [CON-6]', async () => {
    const error = { code: 400, status: 'INVALID_ARGUMENT', details: [{ reason: 'API_KEY_INVALID' }] }
    const { finding } = await testAt({ status: 400, body: { error } })
    expect(finding).toMatchObject({ ok: false, detail: expect.stringContaining('rejected the stored key') })
  })
})
