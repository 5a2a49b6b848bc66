import { afterAll, beforeAll, expect, test } from 'vitest'
import { closeAfterwards } from '../../support/close-afterwards.js'
import { type LiveServer, serveLive } from '../../support/realtime/dialects/live-server.js'
import { type RealtimeTestService, startRealtimeService } from '../../support/realtime/realtime-service.js'
import { endedSession, messagesOf, patiently } from '../../support/realtime/spoken-turns.js'
import { loadVendorClient } from '../../support/vendor-client.js'

type Fields = Readonly<Record<string, unknown>>

/** The parts of OpenAI's library that the tests use. */
interface LiveClient {
  on(name: string, listener: (event: Fields) => void): void
  send(event: object): void
  close(): void
}
interface LiveLibrary {
  readonly LiveWS: new (client: object) => LiveClient
}
interface OpenAiLibrary {
  readonly OpenAI: new (options: { readonly apiKey: string; readonly baseURL: string }) => object
}
interface Segment {
  readonly speaker: 'user' | 'assistant'
  readonly text: string
}
interface GrouperLibrary {
  readonly TranscriptGrouper: new () => {
    on(name: 'segment.closed', listener: (event: { readonly segment: Segment }) => void): void
    push(event: object): void
    close(): void
  }
}

let service: RealtimeTestService

beforeAll(async () => {
  service = await startRealtimeService()
})

afterAll(() => service.close())

function connect() {
  const { OpenAI } = loadVendorClient<OpenAiLibrary>('openai')
  const { LiveWS } = loadVendorClient<LiveLibrary>('openai/resources/live/ws')
  const client = new LiveWS(new OpenAI({ apiKey: 'sk-test', baseURL: service.provider.baseUrl }))
  closeAfterwards(() => client.close())
  const events: Fields[] = []
  const errors: string[] = []
  client.on('event', (event) => void events.push(event))
  client.on('error', (error) => void errors.push(String(error.message)))
  return { client, events, errors }
}

const session = {
  model: 'gpt-live-1',
  instructions: 'Be brief.',
  input: [{ type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Hi.' }] }],
  audio: { format: { type: 'audio/pcm', rate: 24_000 }, output: { voice: 'marin' } },
  delegation: {
    type: 'responses',
    responses: { model: 'gpt-5-mini', tools: [{ type: 'function', name: 'clock', parameters: null }] },
  },
}

/** A question, a call of a tool and the answer. */
function playTurn(live: LiveServer): void {
  live.hearWords('What time is it?', 100)
  live.speak(3)
  live.sayWords('It is noon.', 1500)
  live.beQuiet(12)
}

test('OpenAI’s client holds a conversation with the scripted GPT-Live', async () => {
  const { client, events, errors } = connect()
  const live = serveLive(await service.provider.accept())
  client.send({ type: 'session.start', session })
  const typesOf = () => events.map(({ type }) => type)
  await expect.poll(typesOf, patiently).toEqual(['session.started'])
  client.send({ type: 'session.input_audio.append', audio: Buffer.alloc(4800).toString('base64') })
  live.delegate({ id: 'call-1', name: 'clock' })
  live.finishDelegation()
  playTurn(live)
  client.send({
    type: 'response.item.create',
    item: { type: 'function_call_output', call_id: 'call-1', output: 'noon' },
  })
  client.send({ type: 'response.create' })
  await expect.poll(() => live.requested, patiently).toBe(1)
  expect(live.heardMilliseconds).toBe(100)
  client.send({ type: 'session.commentary.append', delegation_id: null, content: 'Hello.' })
  client.send({ type: 'session.close' })
  await expect.poll(() => typesOf().at(-1), patiently).toBe('session.closed')
  expect([live.errors, errors]).toEqual([[], []])
  expect(new Set(typesOf())).toEqual(
    new Set([
      ...['session.started', 'session.delegation.created', 'response.event', 'session.closed'],
      ...['session.input_transcript.delta', 'session.output_audio.delta', 'session.output_transcript.delta'],
    ]),
  )
})

test('the scripted GPT-Live rejects what the real one rejects', async () => {
  const { client, events, errors } = connect()
  const live = serveLive(await service.provider.accept())
  client.send({ type: 'response.create' })
  client.send({ type: 'session.start', session: { ...session, tools: [] } })
  client.send({ type: 'session.start', session })
  await expect.poll(() => events.map(({ type }) => type), patiently).toContain('session.started')
  live.delegate({ id: 'call-1', name: 'clock' })
  client.send({ type: 'conversation.item.create', item: {} })
  client.send({ type: 'response.create' })
  await expect
    .poll(() => live.errors.map((error) => error.split(':')[0]), patiently)
    .toEqual(['session_not_started', 'unknown_parameter', 'unknown_event', 'function_call_outputs_required'])
  await expect.poll(() => errors.length, patiently).toBeGreaterThanOrEqual(4)
})

test('turns are cut as OpenAI’s own grouper cuts them [RT-66]', async () => {
  const connection = await service.client.call<{ id: string }>('POST', '/api/v1/Connection', {
    body: {
      ...{ name: 'Live', kind: 'openai', baseUrl: service.provider.baseUrl, apiKey: 'secret' },
      models: { chat: 'gpt-5-mini', realtime: ['gpt-live-1'] },
    },
  })
  const agent = await service.client.call<{ id: string }>('POST', '/api/v1/Agent', {
    body: { name: 'Live', systemMessage: 'Be brief.', connectionId: connection.body.id },
  })
  const { TranscriptGrouper } = loadVendorClient<GrouperLibrary>('openai/lib/live/transcript-grouper')
  const grouper = new TranscriptGrouper()
  const segments: [string, string][] = []
  grouper.on('segment.closed', ({ segment: { speaker, text } }) => void segments.push([speaker, text]))
  const { provider, client, ticket } = await service.openUnconfigured({}, agent.body.id)
  const live = serveLive({
    ...{ socket: provider.socket, inbox: provider.inbox },
    send(event) {
      if (/_transcript\.delta/.test((event as { type: string }).type)) grouper.push(event)
      provider.send(event)
    },
  })
  await client.inbox.takeType('session.updated')
  const { responses, questions } = {
    responses: () => client.inbox.types.filter((type) => type === 'response.done').length,
    questions: () =>
      client.inbox.types.filter((type) => String(type).endsWith('transcription.completed')).length,
  }
  live.hearWords('What time ', 100)
  live.hearWords('is it?', 300)
  live.speak(3)
  live.sayWords('It is ', 1500)
  live.sayWords('noon.', 1700)
  live.beQuiet(12)
  await expect.poll(responses, patiently).toBe(1)
  live.hearWords('And where ', 6000)
  live.hearWords('are you?', 6200)
  live.speak(3)
  live.sayWords('At the front desk.', 8000)
  live.beQuiet(12)
  await expect.poll(responses, patiently).toBe(2)
  await expect.poll(questions, patiently).toBe(2)
  client.socket.close(1000)
  await endedSession(service.client, ticket.conversationId)
  grouper.close()
  const messages = await messagesOf(service.client, ticket.conversationId)
  expect(messages.map(({ role, content }) => [role, content])).toEqual(segments)
  expect(segments).toHaveLength(4)
})
