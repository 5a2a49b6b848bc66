/** The model's reaction to a user's turn. */
export type VoiceAct = 'answer' | 'note' | 'charge'

/**
 * Depends only on the session and the number of the turn, so that runs with the same seed behave the same.
 */
export function actFor(key: string, number: number): VoiceAct {
  let hash = number * 2_654_435_761
  for (const character of key) hash = Math.imul(hash ^ character.charCodeAt(0), 16_777_619)
  const share = ((hash >>> 8) % 1000) / 1000
  return share < 0.6 ? 'answer' : share < 0.85 ? 'note' : 'charge'
}

const audio = 'A'.repeat(1000)
/** Five per second, for one second. */
export const audioFrames = 5
export const audioMilliseconds = 200

export interface ResponseIds {
  readonly responseId: string
  readonly itemId: string
}

/** Returns the events of a spoken answer: those before the audio, one audio frame, and those after it. */
export function answerEvents({ responseId, itemId }: ResponseIds, words: string) {
  const item = { id: itemId, type: 'message', role: 'assistant' }
  const ids = { response_id: responseId, item_id: itemId, output_index: 0, content_index: 0 }
  const usage = { total_tokens: 30, input_tokens: 10, output_tokens: 20 }
  return {
    begin: [
      { type: 'response.created', response: { id: responseId, status: 'in_progress' } },
      { type: 'response.output_item.added', response_id: responseId, item },
      { type: 'response.output_audio_transcript.delta', ...ids, delta: words },
    ],
    frame: { type: 'response.output_audio.delta', ...ids, delta: audio },
    end: [
      { type: 'response.output_audio_transcript.done', ...ids, transcript: words },
      { type: 'response.output_item.done', response_id: responseId, item },
      { type: 'response.done', response: { id: responseId, status: 'completed', output: [item], usage } },
    ],
  }
}

export interface MadeCall {
  readonly callId: string
  readonly name: string
  readonly argumentsText: string
}

/** Returns the events of a response that consists of one call. */
export function callEvents(responseId: string, { callId, name, argumentsText }: MadeCall): readonly object[] {
  const id = `item_${callId}`
  const item = { id, type: 'function_call', call_id: callId, name, arguments: argumentsText }
  const done = { response_id: responseId, item_id: id, call_id: callId, name, arguments: argumentsText }
  return [
    { type: 'response.created', response: { id: responseId, status: 'in_progress' } },
    { type: 'response.output_item.added', response_id: responseId, item: { ...item, arguments: '' } },
    { type: 'response.function_call_arguments.done', ...done },
    { type: 'response.output_item.done', response_id: responseId, item },
    { type: 'response.done', response: { id: responseId, status: 'completed', output: [item] } },
  ]
}
