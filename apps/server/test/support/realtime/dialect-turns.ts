import { expect } from 'vitest'
import type { ProviderSession } from './scripted-provider.js'

/** A spoken turn with one tool call as a provider sends it, up to the call and after its output. */
export interface DialectTurn {
  readonly untilCall: readonly object[]
  readonly afterOutput: readonly object[]
}

/** Plays a turn. Between its two halves the service posts the output of the call and requests a response. */
export async function playTurn(
  provider: ProviderSession,
  { untilCall, afterOutput }: DialectTurn,
): Promise<void> {
  for (const event of untilCall) provider.send(event)
  const { item } = await provider.inbox.takeType('conversation.item.create')
  expect(item).toMatchObject({ type: 'function_call_output', call_id: 'call-1' })
  const [echo, ...answer] = afterOutput
  provider.send(echo as object)
  await provider.inbox.takeType('response.create')
  for (const event of answer) provider.send(event)
}

const call = { call_id: 'call-1', name: 'clock', arguments: '{}' }
const callOutput = { type: 'function_call_output', call_id: 'call-1', output: 'noon' }
const question = 'Hello, what time is it?'
const answer = 'It is noon.'

/** xAI: current names, growing transcripts, placeholders, and usage beside the response. */
export const grokTurn: DialectTurn = {
  untilCall: withIds('after', [
    { type: 'ping', timestamp: 1 },
    { type: 'input_audio_buffer.speech_started', item_id: 'U' },
    { type: 'input_audio_buffer.committed', item_id: 'U', previous_item_id: null },
    {
      type: 'conversation.item.added',
      item: {
        id: 'U',
        type: 'message',
        role: 'user',
        status: 'completed',
        content: [{ type: 'input_audio', transcript: null }],
      },
    },
    grokWords('Hello?', 'in_progress'),
    grokWords('Hello, what', 'in_progress'),
    grokWords('Hello, what time', 'in_progress'),
    { type: 'response.created', response: grokResponse('R1', 'in_progress', []) },
    {
      type: 'response.output_item.added',
      response_id: 'R1',
      output_index: 0,
      item: grokCall('in_progress', ''),
    },
    { type: 'conversation.item.added', item: { ...grokCall('in_progress', ''), role: 'tool' } },
    {
      type: 'response.function_call_arguments.done',
      response_id: 'R1',
      item_id: 'C',
      output_index: 0,
      ...call,
    },
    {
      type: 'response.output_item.done',
      response_id: 'R1',
      output_index: 0,
      item: grokCall('completed', '{}'),
    },
    grokWords(question, 'completed'),
    {
      type: 'response.done',
      response: grokResponse('R1', 'completed', [grokCall('completed', '{}')]),
      usage: { input_tokens: 10, output_tokens: 5, total_tokens: 15 },
    },
  ]),
  afterOutput: withIds('after', [
    { type: 'conversation.item.added', item: { id: 'O', role: 'tool', status: 'completed', ...callOutput } },
    { type: 'response.created', response: grokResponse('R2', 'in_progress', []) },
    {
      type: 'response.output_item.added',
      response_id: 'R2',
      output_index: 0,
      item: grokMessage('in_progress'),
    },
    { type: 'conversation.item.added', item: { ...grokMessage('in_progress'), content: [] } },
    { type: 'response.content_part.added', ...place('R2'), part: { type: 'audio', transcript: '' } },
    { type: 'response.output_audio.delta', ...place('R2'), delta: 'AAAA', audio_duration_ms: 1 },
    { type: 'response.output_audio_transcript.delta', ...place('R2'), delta: answer },
    { type: 'response.output_audio_transcript.done', ...place('R2'), transcript: answer },
    { type: 'response.content_part.done', ...place('R2') },
    { type: 'response.output_audio.done', ...place('R2') },
    { type: 'response.output_item.done', response_id: 'R2', output_index: 0, item: grokMessage('completed') },
    {
      type: 'response.done',
      response: grokResponse('R2', 'completed', [
        { ...grokMessage('completed'), content: [{ type: 'audio', transcript: answer }] },
      ]),
      usage: { input_tokens: 20, output_tokens: 7, total_tokens: 27 },
    },
  ]),
}

/** Voice Live: the names and parts of the beta, with the event's id first. */
export const voiceLiveTurn: DialectTurn = {
  untilCall: withIds('before', [
    { type: 'input_audio_buffer.speech_started', item_id: 'U' },
    { type: 'input_audio_buffer.committed', item_id: 'U', previous_item_id: null },
    {
      type: 'conversation.item.created',
      item: {
        id: 'U',
        type: 'message',
        role: 'user',
        status: 'completed',
        content: [{ type: 'input_audio', transcript: null }],
      },
    },
    {
      type: 'conversation.item.input_audio_transcription.completed',
      ...{ item_id: 'U', content_index: 0, transcript: question },
    },
    { type: 'response.created', response: betaResponse('R1', 'in_progress', []) },
    {
      type: 'response.output_item.added',
      response_id: 'R1',
      output_index: 0,
      item: betaCall('in_progress', ''),
    },
    { type: 'conversation.item.created', item: betaCall('in_progress', '') },
    {
      type: 'response.function_call_arguments.done',
      response_id: 'R1',
      item_id: 'C',
      output_index: 0,
      ...call,
    },
    {
      type: 'response.output_item.done',
      response_id: 'R1',
      output_index: 0,
      item: betaCall('completed', '{}'),
    },
    {
      type: 'response.done',
      response: {
        ...betaResponse('R1', 'completed', [betaCall('completed', '{}')]),
        usage: betaUsage(10, 5),
      },
    },
  ]),
  afterOutput: withIds('before', [
    { type: 'conversation.item.created', item: { id: 'O', ...callOutput } },
    { type: 'response.created', response: betaResponse('R2', 'in_progress', []) },
    {
      type: 'response.output_item.added',
      response_id: 'R2',
      output_index: 0,
      item: betaMessage('in_progress', []),
    },
    { type: 'conversation.item.created', item: betaMessage('in_progress', []) },
    { type: 'response.content_part.added', ...place('R2'), part: { type: 'audio', transcript: '' } },
    { type: 'response.audio_transcript.delta', ...place('R2'), delta: answer },
    { type: 'response.audio.delta', ...place('R2'), delta: 'AAAA' },
    { type: 'response.animation_viseme.delta', ...place('R2'), viseme_id: 3 },
    { type: 'response.audio.done', ...place('R2') },
    { type: 'response.audio_transcript.done', ...place('R2'), transcript: answer },
    { type: 'response.content_part.done', ...place('R2'), part: { type: 'audio', transcript: answer } },
    {
      type: 'response.output_item.done',
      ...{ response_id: 'R2', output_index: 0 },
      item: betaMessage('completed', [{ type: 'audio', transcript: answer }]),
    },
    {
      type: 'response.done',
      response: {
        ...betaResponse('R2', 'completed', [
          betaMessage('completed', [{ type: 'audio', transcript: answer }]),
        ]),
        usage: betaUsage(20, 7),
      },
    },
  ]),
}

function place(responseId: string) {
  return { response_id: responseId, item_id: 'A', output_index: 0, content_index: 0 }
}

function grokWords(transcript: string, status: string) {
  return {
    type: 'conversation.item.input_audio_transcription.completed',
    ...{ item_id: 'U', content_index: 0, transcript, status },
  }
}

function grokResponse(id: string, status: string, output: readonly object[]) {
  return { id, object: 'realtime.response', status, status_details: 'unimplemented', output, usage: {} }
}

function grokCall(status: string, argumentsText: string) {
  return { id: 'C', type: 'function_call', status, role: 'user', ...call, arguments: argumentsText }
}

function grokMessage(status: string) {
  return { id: 'A', type: 'message', status, role: 'assistant' }
}

function betaResponse(id: string, status: string, output: readonly object[]) {
  return {
    id,
    object: 'realtime.response',
    status,
    status_details: null,
    modalities: ['text', 'audio'],
    output,
  }
}

/** Azure's client requires the details. */
function betaUsage(input_tokens: number, output_tokens: number) {
  const cached = { text_tokens: 0, audio_tokens: 0 }
  return {
    ...{ input_tokens, output_tokens, total_tokens: input_tokens + output_tokens },
    input_token_details: {
      ...{ cached_tokens: 0, text_tokens: input_tokens, audio_tokens: 0 },
      cached_tokens_details: cached,
    },
    output_token_details: { text_tokens: output_tokens, audio_tokens: 0 },
  }
}

function betaCall(status: string, argumentsText: string) {
  return { id: 'C', type: 'function_call', status, ...call, arguments: argumentsText }
}

function betaMessage(status: string, content: readonly object[]) {
  return { id: 'A', type: 'message', status, role: 'assistant', content }
}

/** Adds the ids of the events, after or before their types. */
function withIds(where: 'after' | 'before', events: readonly object[]): readonly object[] {
  return events.map((event, index) => {
    const event_id = `event_${index}`
    return where === 'after' ? { ...event, event_id } : { event_id, ...event }
  })
}
