import type { RealtimeClientEvent } from 'openai/resources/realtime/realtime'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Engine, startEngine } from '#engine/start-engine.js'
import { RealtimeClient, userText } from '../support/realtime-client.js'
import { cancelOrder, sessionTool, weather } from '../support/tools.js'

let engine: Engine
let client: RealtimeClient

beforeAll(async () => {
  engine = await startEngine({ port: 0, secret: null })
})
afterAll(() => engine.close())

beforeEach(async () => {
  client = await RealtimeClient.connect(engine.url)
  client.send({
    type: 'session.update',
    session: {
      type: 'realtime',
      output_modalities: ['text'],
      instructions: 'You are Ada, the assistant of Acme.',
      tools: [sessionTool(weather), sessionTool(cancelOrder)],
    },
  })
  await client.next('session.updated')
  return () => client.close()
})

describe('A text response', () => {
  test('sends its events in the order of the protocol', async () => {
    const response = await client.ask('Hello.')
    await client.next('rate_limits.updated')
    const from = client.types.indexOf('conversation.item.added')
    expect(client.types.slice(from)).toEqual([
      'conversation.item.added',
      'conversation.item.done',
      'response.created',
      'response.output_item.added',
      'conversation.item.added',
      'response.content_part.added',
      'response.output_text.delta',
      'response.output_text.done',
      'response.content_part.done',
      'conversation.item.done',
      'response.output_item.done',
      'response.done',
      'rate_limits.updated',
    ])
    expect(response).toMatchObject({
      status: 'completed',
      output_modalities: ['text'],
      object: 'realtime.response',
    })
    expect(response.output).toMatchObject([
      {
        type: 'message',
        role: 'assistant',
        status: 'completed',
        content: [{ type: 'output_text', text: expect.stringContaining('I am Ada, the assistant of Acme.') }],
      },
    ])
  })

  test('reports its token usage', async () => {
    const { usage } = await client.ask('Hello.')
    expect(usage?.input_tokens).toBeGreaterThan(10)
    expect(usage?.output_tokens).toBeGreaterThan(5)
    expect(usage?.total_tokens).toBe((usage?.input_tokens ?? 0) + (usage?.output_tokens ?? 0))
    expect(usage?.input_token_details).toMatchObject({ audio_tokens: 0, cached_tokens: 0 })
  })

  test('greets if the conversation is empty', async () => {
    client.send({ type: 'response.create' })
    const { response } = await client.next('response.done')
    expect(JSON.stringify(response.output)).toContain('How can I help you?')
  })

  test('calls a tool and continues with its result', async () => {
    const response = await client.ask('What is the weather in London?')
    const [call] = response.output ?? []
    expect(call).toMatchObject({
      type: 'function_call',
      status: 'completed',
      name: 'get_weather',
      arguments: '{"city":"London"}',
    })
    const done = client.events.find((event) => event.type === 'response.function_call_arguments.done')
    expect(done).toMatchObject({ name: 'get_weather', arguments: '{"city":"London"}' })

    const callId = call?.type === 'function_call' ? (call.call_id ?? '') : ''
    client.send({
      type: 'conversation.item.create',
      item: {
        type: 'function_call_output',
        call_id: callId,
        output: '{"temperature":18,"condition":"cloudy"}',
      },
    })
    client.send({ type: 'response.create' })
    const { response: second } = await client.next('response.done')
    expect(second.output).toMatchObject([
      { content: [{ text: 'The temperature is 18 and the condition is cloudy.' }] },
    ])
  })

  test('accepts its own instructions and can stay outside the conversation', async () => {
    client.send({
      type: 'response.create',
      response: {
        conversation: 'none',
        instructions: 'Greet with "Good day to you."',
        metadata: { purpose: 'test' },
        input: [],
      },
    })
    const { response } = await client.next('response.done')
    expect(response.metadata).toEqual({ purpose: 'test' })
    expect(response.conversation_id).toBeUndefined()
    expect(JSON.stringify(response.output)).toContain('Good day to you.')
    expect(client.types).not.toContain('conversation.item.added')
  })

  test('calls no tools if `tool_choice` is `none`', async () => {
    client.send(userText('What is the weather in London?'))
    client.send({ type: 'response.create', response: { tool_choice: 'none' } })
    const { response } = await client.next('response.done')
    expect(response.output).toMatchObject([{ type: 'message' }])
  })
})

describe('Items', () => {
  test('items are inserted at the requested position and can be deleted [ENG-4]', async () => {
    const make = (id: string, previous?: string) =>
      client.send({
        type: 'conversation.item.create',
        ...(previous === undefined ? {} : { previous_item_id: previous }),
        item: { id, type: 'message', role: 'user', content: [{ type: 'input_text', text: id }] },
      })
    make('a')
    make('b')
    make('first', 'root')
    make('between', 'a')
    const previous = []
    for (let count = 0; count < 4; count += 1) {
      const { item, previous_item_id } = await client.next('conversation.item.done')
      previous.push([item.id, previous_item_id])
    }
    expect(previous).toEqual([
      ['a', null],
      ['b', 'a'],
      ['first', null],
      ['between', 'a'],
    ])
    client.send({ type: 'conversation.item.delete', item_id: 'a' })
    expect(await client.next('conversation.item.deleted')).toMatchObject({ item_id: 'a' })
    client.send({ type: 'conversation.item.retrieve', item_id: 'a' })
    expect(await client.next('error')).toMatchObject({ error: { code: 'item_retrieve_invalid_item_id' } })
    client.send({ type: 'conversation.item.retrieve', item_id: 'b' })
    expect(await client.next('conversation.item.retrieved')).toMatchObject({
      item: { id: 'b', role: 'user' },
    })
  })
})

describe('Invalid input', () => {
  type Row = readonly [what: string, event: object, code: string, param: string | null]
  const session = (fields: object) => ({ type: 'session.update', session: { type: 'realtime', ...fields } })
  const rows: readonly Row[] = [
    ['an unknown event', { type: 'approval.approve' }, 'invalid_value', 'type'],
    ['an event without a type', {}, 'missing_required_parameter', 'type'],
    [
      'a session without its type',
      { type: 'session.update', session: {} },
      'missing_required_parameter',
      'session.type',
    ],
    ['an unknown field', session({ modalities: ['text'] }), 'unknown_parameter', 'session.modalities'],
    ['a field of the wrong type', session({ instructions: 1 }), 'invalid_type', 'session.instructions'],
    [
      'both modalities',
      session({ output_modalities: ['text', 'audio'] }),
      'invalid_value',
      'session.output_modalities',
    ],
    ['another model', session({ model: 'other' }), 'invalid_value', 'session.model'],
    [
      'a speed out of range',
      session({ audio: { output: { speed: 2 } } }),
      'decimal_above_max_value',
      'session.audio.output.speed',
    ],
    [
      'a rate out of range',
      session({ audio: { input: { format: { type: 'audio/pcm', rate: 16000 } } } }),
      'integer_below_min_value',
      'session.audio.input.format.rate',
    ],
    [
      'an unknown detector',
      session({ audio: { input: { turn_detection: { type: 'vad' } } } }),
      'invalid_value',
      'session.audio.input.turn_detection.type',
    ],
    [
      'a tool of an unknown type',
      session({ tools: [{ type: 'mcp' }] }),
      'invalid_value',
      'session.tools[0].type',
    ],
    [
      'two tools with the same name',
      session({
        tools: [
          { type: 'function', name: 'a' },
          { type: 'function', name: 'a' },
        ],
      }),
      'invalid_value',
      'session.tools[1].name',
    ],
    ['nothing to commit', { type: 'input_audio_buffer.commit' }, 'input_audio_buffer_commit_empty', null],
    [
      'audio that is not base64',
      { type: 'input_audio_buffer.append', audio: '***' },
      'invalid_value',
      'audio',
    ],
    ['nothing to cancel', { type: 'response.cancel' }, 'response_cancel_not_active', null],
    [
      'an item that does not exist',
      { type: 'conversation.item.delete', item_id: 'x' },
      'item_delete_invalid_item_id',
      'item_id',
    ],
    [
      'nothing to truncate',
      { type: 'conversation.item.truncate', item_id: 'x', content_index: 0, audio_end_ms: 0 },
      'item_truncate_invalid_item_id',
      'item_id',
    ],
    [
      'a result without a call',
      { type: 'conversation.item.create', item: { type: 'function_call_output', call_id: 'x', output: '' } },
      'invalid_tool_call_id',
      'item.call_id',
    ],
    [
      'a position that does not exist',
      {
        type: 'conversation.item.create',
        previous_item_id: 'x',
        item: { type: 'message', role: 'user', content: [] },
      },
      'item_create_invalid_previous_item_id',
      'previous_item_id',
    ],
    ['a buffer of another transport', { type: 'output_audio_buffer.clear' }, 'invalid_value', 'type'],
  ]

  test.each(rows)('is rejected: %s [ENG-4]', async (_, event, code, param) => {
    client.sendRaw(JSON.stringify({ event_id: 'mine', ...event }))
    const { error } = await client.next('error')
    expect(error).toMatchObject({ type: 'invalid_request_error', code, param, event_id: 'mine' })
    expect(error.message).not.toBe('')
  })

  test('is rejected: a frame that is not JSON [ENG-4]', async () => {
    client.sendRaw('{')
    expect(await client.next('error')).toMatchObject({ error: { code: 'invalid_json', event_id: null } })
  })

  test('is rejected: a second response while one is active [ENG-4]', async () => {
    client.send({ type: 'response.create' })
    client.send({ type: 'response.create' })
    const { error } = await client.next('error')
    expect(error.code).toBe('conversation_already_has_active_response')
    expect((await client.next('response.done')).response.status).toBe('completed')
  })

  test('leaves the session usable [ENG-4]', async () => {
    client.sendRaw('nothing')
    client.send({ type: 'nothing' } as unknown as RealtimeClientEvent)
    expect((await client.ask('Hello.')).status).toBe('completed')
  })
})

test('cancels a response immediately and closes all its items [ENG-4]', async () => {
  client.send(userText('Hello.'))
  client.send({ type: 'response.create' })
  client.send({ type: 'response.cancel' })
  const { response } = await client.next('response.done')
  expect(response).toMatchObject({
    status: 'cancelled',
    status_details: { type: 'cancelled', reason: 'client_cancelled' },
  })
  // The cancelled response does not delay the next one.
  expect((await client.ask('Hello.')).status).toBe('completed')
})
