import { describe, expect, test } from 'vitest'
import { ConversationItems } from '#server/adapters/realtime-dialects/conversation-items.js'
import { ResponseWriter } from '#server/adapters/realtime-dialects/response-writer.js'
import { collectEvents } from '../../support/realtime/dialects/emitted-events.js'

function makeWriter() {
  const events = collectEvents()
  const writer = new ResponseWriter(events.emit, new ConversationItems(events.emit), 'Kore')
  return { writer, events }
}

const opening = [
  'response.created',
  'response.output_item.added',
  'conversation.item.added',
  'response.content_part.added',
]

const ending = [
  'response.output_audio.done',
  'response.output_audio_transcript.done',
  'response.content_part.done',
  'conversation.item.done',
  'response.output_item.done',
]

describe('ResponseWriter', () => {
  test('opens a message with its first sound or words, and closes it with the response', () => {
    const { writer, events } = makeWriter()
    writer.addWords('Good ')
    expect(events.takeTypes()).toEqual([...opening, 'response.output_audio_transcript.delta'])
    writer.addAudio('AAAA')
    writer.addWords('day.')
    expect(events.takeTypes()).toEqual([
      'response.output_audio.delta',
      'response.output_audio_transcript.delta',
    ])
    writer.end({ status: 'completed', usage: null })
    const done = events.take()
    expect(done.map(({ type }) => type)).toEqual([...ending, 'response.done'])
    expect(done.at(-1)?.response).toMatchObject({
      status: 'completed',
      status_details: null,
      usage: null,
      output: [{ status: 'completed', content: [{ type: 'output_audio', transcript: 'Good day.' }] }],
    })
  })

  test('leaves out spaces before the first words of a message', () => {
    const { writer, events } = makeWriter()
    for (const words of [' ', ' Good', ' day.']) writer.addWords(words)
    writer.end({ status: 'completed', usage: null })
    const deltas = events.all.filter(({ type }) => type === 'response.output_audio_transcript.delta')
    expect(deltas.map(({ delta }) => delta)).toEqual(['Good', ' day.'])
    expect(events.all.at(-1)?.response).toMatchObject({
      output: [{ content: [{ transcript: 'Good day.' }] }],
    })
  })

  test('ends the sound early, and reports its end once', () => {
    const { writer, events } = makeWriter()
    writer.addAudio('AAAA')
    writer.finishAudio()
    writer.finishAudio()
    writer.addWords('Late words.')
    writer.end({ status: 'completed', usage: null })
    const types = events.takeTypes()
    expect(types.filter((type) => type === 'response.output_audio.done')).toHaveLength(1)
    expect(events.all.at(-1)?.response).toMatchObject({
      output: [{ content: [{ transcript: 'Late words.' }] }],
    })
  })

  test('closes the message before a call, and gives every event of the call its ids', () => {
    const { writer, events } = makeWriter()
    writer.addWords('One moment.')
    events.take()
    writer.addCall({ callId: 'call_1', name: 'clock', argumentsText: '{}' })
    const written = events.take()
    expect(written.map(({ type }) => type)).toEqual([
      ...ending,
      'response.output_item.added',
      'conversation.item.added',
      'response.function_call_arguments.delta',
      'response.function_call_arguments.done',
      'conversation.item.done',
      'response.output_item.done',
    ])
    expect(written.find(({ type }) => type === 'response.function_call_arguments.done')).toMatchObject({
      response_id: expect.any(String),
      item_id: expect.any(String),
      output_index: 1,
      ...{ call_id: 'call_1', name: 'clock', arguments: '{}' },
    })
    writer.end({ status: 'completed', usage: { total_tokens: 3 } })
    expect(events.take().at(-1)?.response).toMatchObject({
      output: [{ type: 'message' }, { type: 'function_call', status: 'completed', arguments: '{}' }],
      usage: { total_tokens: 3 },
    })
  })

  test('marks the open message of a response that was cut off as incomplete', () => {
    const { writer, events } = makeWriter()
    writer.addAudio('AAAA')
    writer.end({ status: 'cancelled', reason: 'turn_detected', usage: null })
    expect(events.take().at(-1)?.response).toMatchObject({
      status: 'cancelled',
      status_details: { type: 'cancelled', reason: 'turn_detected' },
      output: [{ status: 'incomplete' }],
    })
    writer.end({ status: 'completed', usage: null })
    expect(events.take()).toEqual([])
  })

  test('emits audio that is not plain Base64 in plain Base64', () => {
    const { writer, events } = makeWriter()
    writer.addAudio('_-8"')
    expect(events.take().at(-1)).toMatchObject({ type: 'response.output_audio.delta', delta: '/+8=' })
  })

  test('uses ids of at most 32 characters', () => {
    const { writer, events } = makeWriter()
    writer.addCall({ callId: 'call_1', name: 'clock', argumentsText: '{}' })
    writer.addAudio('AAAA')
    writer.end({ status: 'completed', usage: null })
    const ids = [...JSON.stringify(events.all).matchAll(/"(?:\w+_)?id":"([^"]*)"/g)].map(([, id]) => id)
    expect(ids.filter((id) => id === undefined || id.length > 32)).toEqual([])
  })
})
