import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createResource } from '../../support/http/resources.js'
import {
  agentTools,
  type RealtimeTestService,
  startRealtimeService,
} from '../../support/realtime/realtime-service.js'

const formats = 'pcm16,g711_ulaw,g711_alaw'
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

/** Returns the session configuration, the first message that the provider receives. */
async function configurationOf(request: object, agentId?: string): Promise<unknown> {
  const { client, provider } = await service.openUnconfigured(request, agentId)
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

/** The table of the interface for a request and an agent that set no field. */
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

describe('the first session.update of a session', () => {
  test('is the first message and matches the interface, whether the request omits or sends the defaults [2.1-1] [4.4-2]', async () => {
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
  test.each(providerFormats)(
    'has %s as input and %s as output format [4.4-2]',
    async (input, output, inputFormat, outputFormat) => {
      const request = { inputAudioFormat: input, outputAudioFormat: output }
      expect(await configurationOf(request)).toEqual({
        ...table,
        audio: {
          input: { ...table.audio.input, format: inputFormat },
          output: { ...table.audio.output, format: outputFormat },
        },
      })
    },
  )

  test("uses the models of the connection, and the agent's choice among them [4.4-2]", async () => {
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

  test('uses the voice of the request, then of the agent, then alloy [2.1-1] [4.4-2]', async () => {
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
    'joins the instructions %j and %j with a blank line [2.1-1] [4.4-2]',
    async (systemMessage, additionalInstructions, instructions) => {
      const agentId = await addAgent({ systemMessage })
      expect(await configurationOf({ additionalInstructions }, agentId)).toMatchObject({ instructions })
    },
  )

  test("lists the agent's tools before the client's, each in its given order [2.2-1] [4.4-2]", async () => {
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

  test('comes before every client message and ignores later changes of the agent [4.4-2]', async () => {
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

describe('an error of the provider', () => {
  const refused = { type: 'invalid_request_error', code: 'invalid_value', message: 'No such voice.' }
  const refusals: Readonly<Record<string, (updateId: unknown) => object>> = {
    "that names our configuration's event id": (id) => ({ ...refused, param: null, event_id: id }),
    'about the session with a null id': () => ({
      ...refused,
      param: 'session.audio.output.voice',
      event_id: null,
    }),
    'about the session with an empty id': () => ({ ...refused, param: 'session.type', event_id: '' }),
    'about the session without an id': () => ({ ...refused, param: 'session' }),
  }
  test.each(Object.entries(refusals))(
    'an error %s ends the session with 4002 [RT-16]',
    async (_, errorFor) => {
      const { client, provider } = await service.openUnconfigured()
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
    },
  )

  const benign = [
    { code: 'conversation_already_has_active_response', param: null, event_id: null },
    { code: 'response_cancel_not_active', param: null, event_id: 'mine' },
    { code: 'input_audio_buffer_commit_empty', param: null },
    { code: 'invalid_value', param: 'item.content', event_id: null },
    { code: 'unknown_parameter', param: 'session.voice', event_id: 'mine' },
  ]
  test('does not end the session if it is a benign race or concerns a client message [RT-16]', async () => {
    const { client, provider } = await service.openUnconfigured()
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
