const audio = 'A'.repeat(2000)

/** Returns the provider's events for one turn: the user's transcript and a spoken answer. */
export function answer(turn: number): object[] {
  const user = { item_id: `item_user_${turn}`, content_index: 0 }
  const response = { id: `resp_${turn}` }
  const item = { id: `item_answer_${turn}`, type: 'message', role: 'assistant' }
  const ids = { response_id: response.id, item_id: item.id, output_index: 0, content_index: 0 }
  const text = `This is answer ${turn}.`
  return [
    { type: 'input_audio_buffer.committed', item_id: user.item_id },
    { type: 'response.created', response: { ...response, status: 'in_progress' } },
    { type: 'response.output_item.added', response_id: response.id, item },
    { type: 'response.output_audio_transcript.delta', ...ids, delta: text },
    { type: 'response.output_audio.delta', ...ids, delta: audio },
    {
      type: 'conversation.item.input_audio_transcription.completed',
      ...user,
      transcript: `This is question ${turn}.`,
    },
    { type: 'response.output_audio.delta', ...ids, delta: audio },
    { type: 'response.output_audio_transcript.done', ...ids, transcript: text },
    { type: 'response.output_item.done', response_id: response.id, item },
    {
      type: 'response.done',
      response: {
        ...response,
        status: 'completed',
        output: [item],
        usage: { total_tokens: 30, input_tokens: 10, output_tokens: 20 },
      },
    },
  ]
}
