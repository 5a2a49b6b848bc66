import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createResource } from '../../support/http/resources.js'
import type { FrameInbox } from '../../support/realtime/frame-inbox.js'
import {
  agentTools,
  type RealtimeTestService,
  startRealtimeService,
} from '../../support/realtime/realtime-service.js'

const formats = 'pcm16,g711_ulaw,g711_alaw'
const patiently = { timeout: 15_000, interval: 20 }
const pcm = { type: 'audio/pcm', rate: 24_000 }

let service: RealtimeTestService

beforeAll(async () => {
  service = await startRealtimeService({
    env: { PARLEY_REALTIME_INPUT_FORMATS: formats, PARLEY_REALTIME_OUTPUT_FORMATS: formats },
  })
})

afterAll(() => service.close())

async function addAgent(fields: object, models: object = {}): Promise<string> {
  const connection = await createResource(service.client, '/api/v1/Connection', {
    name: 'Another',
    kind: 'openai-compatible',
    baseUrl: service.provider.baseUrl,
    models,
  })
  const body = { name: 'Another', connectionId: connection.made.id, ...fields }
  return (await createResource(service.client, '/api/v1/Agent', body)).made.id
}

/** A session with both ends in hand, of which the provider has taken nothing yet. */
async function open(request: object = {}, agentId = service.agentId) {
  const ticket = await service.createTicket(request, agentId)
  const client = await service.connect(ticket.webSocketPath)
  return { ticket, client, provider: await service.provider.accept() }
}

/** What the provider is told about the session, which is the first thing it is told. */
async function configurationOf(request: object, agentId?: string): Promise<unknown> {
  const { client, provider } = await open(request, agentId)
  const update = await provider.inbox.takeJson()
  expect(update).toEqual({
    type: 'session.update',
    event_id: expect.stringMatching(/^svc_.{1,508}$/),
    session: expect.any(Object),
  })
  client.socket.close()
  await provider.inbox.closed
  return update.session
}

const findBooking = {
  type: 'function',
  name: 'find_booking',
  description: 'Finds a booking.',
  parameters: { type: 'object', properties: { number: { type: 'string' } } },
}

/** The interface's table, for a request and an agent that leave everything out. */
const table = {
  type: 'realtime',
  model: 'gpt-realtime-2.1',
  output_modalities: ['audio'],
  instructions: 'You speak.',
  audio: {
    input: {
      format: pcm,
      transcription: { model: 'gpt-transcribe' },
      turn_detection: { type: 'semantic_vad' },
    },
    output: { format: pcm, voice: 'alloy' },
  },
  tools: [findBooking],
  tool_choice: 'auto',
}

describe('[4.4-2] session.update is first and exactly as the interface has it', () => {
  test('[2.1-1] with the defaults, left out or given', async () => {
    expect(await configurationOf({})).toEqual(table)
    const given = {
      conversationId: null,
      inputAudioFormat: 'pcm16',
      outputAudioFormat: 'pcm16',
      voice: 'alloy',
      additionalInstructions: null,
      clientTools: [],
    }
    expect(await configurationOf(given)).toEqual(table)
  })

  const providerFormats = [
    ['pcm16', 'g711_ulaw', pcm, { type: 'audio/pcmu' }],
    ['g711_ulaw', 'g711_alaw', { type: 'audio/pcmu' }, { type: 'audio/pcma' }],
    ['g711_alaw', 'pcm16', { type: 'audio/pcma' }, pcm],
  ] as const
  test.each(providerFormats)('with %s in and %s out', async (input, output, inputFormat, outputFormat) => {
    const request = { inputAudioFormat: input, outputAudioFormat: output }
    expect(await configurationOf(request)).toEqual({
      ...table,
      audio: {
        input: { ...table.audio.input, format: inputFormat },
        output: { ...table.audio.output, format: outputFormat },
      },
    })
  })

  test("with the models of the connection, and of them the agent's", async () => {
    const models = { realtime: ['one', 'two'], transcription: 'writes-it-down' }
    for (const [fields, model] of [
      [{}, 'one'],
      [{ realtimeModel: 'two' }, 'two'],
    ] as const) {
      const agentId = await addAgent(fields, models)
      expect(await configurationOf({}, agentId)).toMatchObject({
        model,
        audio: { input: { transcription: { model: 'writes-it-down' } } },
      })
    }
  })

  test('[2.1-1] with the voice of the request, else of the agent, else alloy', async () => {
    const agentId = await addAgent({ voice: 'sage' })
    const withVoice = (voice: string) => ({ audio: { output: { voice } } })
    expect(await configurationOf({ voice: 'cedar' }, agentId)).toMatchObject(withVoice('cedar'))
    expect(await configurationOf({}, agentId)).toMatchObject(withVoice('sage'))
    expect(await configurationOf({ voice: 'cedar' })).toMatchObject(withVoice('cedar'))
  })

  const wordings: readonly [string, string | null, string][] = [
    ['Be kind.', 'Be brief.', 'Be kind.\n\nBe brief.'],
    ['Be kind.', null, 'Be kind.'],
    ['Be kind.', '', 'Be kind.'],
    ['', 'Be brief.', 'Be brief.'],
    ['', null, ''],
    [' Be\nkind. \n', '  "Be" brief 😀', ' Be\nkind. \n\n\n  "Be" brief 😀'],
  ]
  test.each(wordings)(
    '[2.1-1] with instructions of %j, a blank line and %j',
    async (systemMessage, additionalInstructions, instructions) => {
      const agentId = await addAgent({ systemMessage })
      expect(await configurationOf({ additionalInstructions }, agentId)).toMatchObject({ instructions })
    },
  )

  test("[2.2-1] with the agent's tools, then the client's, in their order", async () => {
    const tools = [
      { kind: 'builtin', name: 'now', builtin: 'current_time' },
      ...agentTools,
      { ...agentTools[0], name: 'cancel_booking', approvalRequired: true, title: 'Cancel' },
    ]
    const agentId = await addAgent({ tools })
    const parameters = { type: 'object', properties: { at: { type: 'string' } }, required: ['at'] }
    const clientTools = [
      { name: 'zoom', description: 'Zooms in.', parameters },
      { name: 'Now', description: 'Tells the time of the client.' },
    ]
    const session = await configurationOf({ clientTools }, agentId)
    expect(session).toMatchObject({
      tool_choice: 'auto',
      tools: [
        { type: 'function', name: 'now', description: expect.stringMatching(/time/) },
        findBooking,
        { ...findBooking, name: 'cancel_booking' },
        { type: 'function', ...clientTools[0] },
        { type: 'function', ...clientTools[1], parameters: { type: 'object', properties: {} } },
      ],
    })
    const keys = (session as { tools: object[] }).tools.map((tool) => Object.keys(tool).sort())
    expect(keys).toEqual(Array(5).fill(['description', 'name', 'parameters', 'type']))
  })

  test('also before what the client sends, and whatever the agent has become since', async () => {
    const agentId = await addAgent({ systemMessage: 'As it was.', tools: agentTools })
    const ticket = await service.createTicket({}, agentId)
    await service.client.call('PATCH', `/api/v1/Agent/${agentId}`, {
      body: { systemMessage: 'As it is.', tools: [], voice: 'sage' },
    })
    const client = await service.connect(ticket.webSocketPath)
    client.send({ type: 'response.create' })
    const provider = await service.provider.accept()
    expect(await provider.inbox.takeJson()).toMatchObject({
      type: 'session.update',
      session: { instructions: 'As it was.', tools: [findBooking], audio: { output: { voice: 'alloy' } } },
    })
    expect(await provider.inbox.takeJson()).toEqual({ type: 'response.create' })
    client.socket.close()
  })
})

/** The n-th turn of a long talk; the user speaks first. */
const roleOf = (turn: number) => (turn % 2 === 0 ? 'user' : 'assistant')

/** Events that tell of finished turns, as the provider sends them. */
const spoken = (turn: number, words: string) =>
  roleOf(turn) === 'user'
    ? {
        type: 'conversation.item.input_audio_transcription.completed',
        item_id: `item_${turn}`,
        content_index: 0,
        transcript: words,
      }
    : {
        type: 'response.output_audio_transcript.done',
        response_id: `resp_${turn}`,
        item_id: `item_${turn}`,
        content_index: 0,
        transcript: words,
      }

async function messagesOf(conversationId: string): Promise<string[]> {
  const path = `/api/v1/Conversation/${conversationId}/message?Limit=200`
  const { body } = await service.client.call<{ items: { content: string }[] }>('GET', path)
  return body.items.map((message) => message.content)
}

/** Has this said in a session of its own, and stored; answers the conversation. */
async function say(words: readonly string[], request: object = {}): Promise<string> {
  const { ticket, client, provider } = await open(request)
  const before = await messagesOf(ticket.conversationId)
  words.forEach((each, turn) => {
    provider.send(spoken(turn, each))
  })
  await expect.poll(() => messagesOf(ticket.conversationId), patiently).toEqual([...before, ...words])
  client.socket.close()
  await provider.inbox.closed
  return ticket.conversationId
}

interface ToldItem {
  readonly id: string
  readonly role: string
  readonly content: readonly { readonly text: string }[]
}

/** The items that the provider is told before it gets the first frame of the client. */
async function takeHistory(inbox: FrameInbox): Promise<ToldItem[]> {
  expect(await inbox.takeJson()).toMatchObject({ type: 'session.update' })
  const items: ToldItem[] = []
  for (;;) {
    const event = await inbox.takeJson()
    if (event.type === 'response.create') return items
    expect(event).toMatchObject({ type: 'conversation.item.create', event_id: expect.any(String) })
    expect(Object.keys(event).sort()).toEqual(['event_id', 'item', 'type'])
    items.push(event.item as ToldItem)
  }
}

/** What a new session on the conversation is told. */
async function historyOf(conversationId: string) {
  const session = await open({ conversationId })
  session.client.send({ type: 'response.create' })
  return { ...session, items: await takeHistory(session.provider.inbox) }
}

describe('[RT-5] a new session on a conversation', () => {
  test('knows what was said, in order, as items that a provider takes', async () => {
    const words = ['Hello.', 'Good day, "sir" 😀.', 'A room,\nplease.', 'Certainly.']
    const conversationId = await say(words)
    const { client, items } = await historyOf(conversationId)
    expect(items).toEqual(
      words.map((text, turn) => ({
        // OpenAI takes ids of at most 32 characters.
        id: expect.stringMatching(/^[\w-]{1,32}$/),
        type: 'message',
        role: roleOf(turn),
        content: [{ type: roleOf(turn) === 'user' ? 'input_text' : 'output_text', text }],
      })),
    )
    expect(new Set(items.map((item) => item.id)).size).toBe(words.length)
    client.socket.close()
  })

  test('is told nothing where nothing was said', async () => {
    const { client, ticket, items } = await historyOf((await service.createTicket()).conversationId)
    expect(items).toEqual([])
    expect(await messagesOf(ticket.conversationId)).toEqual([])
    client.socket.close()
  })

  test('does not store again what it was told, however the provider echoes it, but stores what is new', async () => {
    const words = ['My name is Ada.', 'Good to meet you, Ada.']
    const conversationId = await say(words)
    const { client, provider, items } = await historyOf(conversationId)
    for (const type of ['conversation.item.added', 'conversation.item.created', 'conversation.item.done'])
      for (const item of items) provider.send({ type, item: { ...item, type: 'message' } })
    provider.send(spoken(0, 'What is my name?'))
    provider.send(spoken(1, 'Ada.'))
    await client.inbox.takeType('message.created')
    await client.inbox.takeType('response.completed')
    const all = [...words, 'What is my name?', 'Ada.']
    expect(await messagesOf(conversationId)).toEqual(all)
    expect(client.inbox.types.filter((type) => type === 'message.created')).toHaveLength(1)
    client.socket.close()
    await provider.inbox.closed
    const third = await historyOf(conversationId)
    expect(third.items.map((item) => item.content[0]?.text)).toEqual(all)
    third.client.socket.close()
  })

  test('is told the last 60 messages of a long one, oldest first', async () => {
    const words = Array.from({ length: 64 }, (_, turn) => `Turn ${turn}.`)
    const { client, items } = await historyOf(await say(words))
    expect(items.map((item) => item.content[0]?.text)).toEqual(words.slice(-60))
    client.socket.close()
  })

  test('is told the last 24000 characters of one with long messages', async () => {
    const words = ['a', 'b', 'c', 'd'].map((letter) => letter.repeat(8000))
    const { client, items } = await historyOf(await say(words))
    expect(items.map((item) => item.content[0]?.text)).toEqual(words.slice(-3))
    client.socket.close()
  })

  test('is told the end of a message that does not fit whole', async () => {
    const { client, items } = await historyOf(await say([`${'a'.repeat(20_000)}${'b'.repeat(20_000)}`]))
    expect(items.map((item) => item.content[0]?.text)).toEqual([`${'a'.repeat(4000)}${'b'.repeat(20_000)}`])
    client.socket.close()
  })
})

describe('[RT-16] an error of the provider', () => {
  const refused = { type: 'invalid_request_error', code: 'invalid_value', message: 'No such voice.' }
  const refusals: Readonly<Record<string, (updateId: unknown) => object>> = {
    'that answers our configuration by its id': (id) => ({ ...refused, param: null, event_id: id }),
    'about the session, with no id': () => ({
      ...refused,
      param: 'session.audio.output.voice',
      event_id: null,
    }),
    'about the session, with an empty id': () => ({ ...refused, param: 'session.type', event_id: '' }),
    'about the session, without an id': () => ({ ...refused, param: 'session' }),
  }
  test.each(Object.entries(refusals))('%s ends the session with 4002', async (_, errorFor) => {
    const { client, provider } = await open()
    const update = await provider.inbox.takeJson()
    const raw = { type: 'error', event_id: 'event_1', error: errorFor(update.event_id) }
    provider.send(raw)
    expect(await client.inbox.takeJson()).toEqual(raw)
    expect(await client.inbox.takeJson()).toMatchObject({
      type: 'error',
      error: {
        type: 'service_error',
        code: 'provider_unavailable',
        message: expect.stringContaining('No such voice.'),
      },
    })
    expect(await client.inbox.closed).toEqual({ code: 4002, reason: 'provider_unavailable' })
    expect(await provider.inbox.closed).toMatchObject({ code: 1000 })
  })

  const benign = [
    { code: 'conversation_already_has_active_response', param: null, event_id: null },
    { code: 'response_cancel_not_active', param: null, event_id: 'mine' },
    { code: 'input_audio_buffer_commit_empty', param: null },
    { code: 'invalid_value', param: 'item.content', event_id: null },
    { code: 'unknown_parameter', param: 'session.voice', event_id: 'mine' },
  ]
  test('that is a benign race, or about something of the client, does not', async () => {
    const { client, provider } = await open()
    const errors = benign.map((error) => ({ type: 'error', error: { ...refused, ...error } }))
    const isOpen = async () => {
      for (const error of errors) {
        provider.send(error)
        expect(await client.inbox.takeJson()).toEqual(error)
      }
      client.send({ type: 'input_audio_buffer.clear' })
      await provider.inbox.takeType('input_audio_buffer.clear')
    }
    await isOpen()
    provider.send({ type: 'session.updated', session: {} })
    await client.inbox.takeType('session.updated')
    await isOpen()
    client.socket.close()
    expect(await client.inbox.closed).toMatchObject({ code: 1005 })
  })
})
