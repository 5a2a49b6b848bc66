import type { WireEvent } from './decode-event.js'

export const item = (id: string, role: string, ...content: object[]) => ({
  id,
  type: 'message',
  role,
  content,
})
export const typedPart = (text: string) => ({ type: 'input_text', text })
export const audioPart = { type: 'input_audio', transcript: null }
export const completed = 'conversation.item.input_audio_transcription.completed'

export const userEvents = {
  committed: { type: 'input_audio_buffer.committed', item_id: 'U' },
  audio: { type: 'conversation.item.added', item: item('U', 'user', audioPart) },
  typed: { type: 'conversation.item.added', item: item('U', 'user', typedPart('Typed')) },
  piece: {
    type: 'conversation.item.input_audio_transcription.delta',
    item_id: 'U',
    content_index: 0,
    delta: 'He',
  },
  words: { type: completed, item_id: 'U', content_index: 0, transcript: 'Hello' },
  blank: { type: completed, item_id: 'U', content_index: 0, transcript: ' ' },
  unnamed: { type: 'input_audio.transcript.done', transcript: 'Hello' },
  failed: {
    type: 'conversation.item.input_audio_transcription.failed',
    item_id: 'U',
    content_index: 0,
    error: { message: 'Too loud.' },
  },
  failedUnnamed: { type: 'conversation.item.input_audio_transcription.failed' },
  truncated: { type: 'conversation.item.truncated', item_id: 'U' },
  answered: { type: 'response.done', response: { id: 'R', status: 'cancelled', output: [] } },
} as const satisfies Record<string, WireEvent>

export const ids = { response_id: 'R', item_id: 'A', output_index: 0, content_index: 0 }

export const assistantEvents = {
  created: { type: 'response.created', response: { id: 'R' } },
  added: { type: 'response.output_item.added', response_id: 'R', item: item('A', 'assistant') },
  piece: { type: 'response.output_audio_transcript.delta', ...ids, delta: 'Hel' },
  unnamedPiece: { type: 'response.output_audio_transcript.delta', response_id: 'R', delta: 'Hel' },
  words: { type: 'response.output_audio_transcript.done', ...ids, transcript: 'Hello' },
  noWords: { type: 'response.output_audio_transcript.done', ...ids },
  unnamed: { type: 'response.content.done', content: 'Hello' },
  done: { type: 'response.done', response: { id: 'R', status: 'completed', output: [] } },
  cut: {
    type: 'response.done',
    response: { id: 'R', status: 'cancelled', output: [{ ...item('A', 'assistant'), status: 'incomplete' }] },
  },
  cutBriefly: { type: 'response.done', response: { id: 'R', status: 'incomplete' } },
  cutAfter: {
    type: 'response.done',
    response: { id: 'R', status: 'failed', output: [{ ...item('A', 'assistant'), status: 'completed' }] },
  },
  next: { type: 'response.created', response: { id: 'R2' } },
  truncated: { type: 'conversation.item.truncated', item_id: 'A' },
} as const satisfies Record<string, WireEvent>
