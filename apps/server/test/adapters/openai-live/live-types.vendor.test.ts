import { expect, test } from 'vitest'
import { startLiveDialect } from '../../support/realtime/dialects/live-dialect-run.js'
import { typeErrors } from '../../support/vendor-types.js'

const imports = `import type { ClientEvent, ServerEvent } from 'openai/resources/live/live'
import type { ResponseStreamEvent } from 'openai/resources/responses/responses'`

const history = [
  { id: 'past_1', type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Hello.' }] },
  { id: 'past_2', type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Hi.' }] },
  { id: 'c', type: 'function_call', call_id: 'old', name: 'clock', arguments: '{}' },
  { id: 'o', type: 'function_call_output', call_id: 'old', output: 'noon' },
]

const typesOf = (frames: readonly object[]) =>
  [...new Set(frames.map((frame) => ('type' in frame ? frame.type : null)))].sort()

/** Plays every event of the scripted GPT-Live and of the adapter. */
function playAll() {
  const items = history.map((item) => ({ type: 'conversation.item.create', item }))
  const { live, events, frames, receive, play, deliver, pass } = startLiveDialect({ items })
  const send = (event: object) => receive(event as Record<string, unknown>)
  const lastCall = () =>
    events.all.findLast(({ type }) => type === 'response.function_call_arguments.done')?.call_id
  const answer = () =>
    send({
      type: 'conversation.item.create',
      item: { type: 'function_call_output', call_id: lastCall(), output: 'noon' },
    })
  send({ type: 'input_audio_buffer.append', audio: Buffer.alloc(4800).toString('base64') })
  live.hearWords('What time is it?')
  deliver()
  live.delegate({ id: 'a', name: 'clock' })
  deliver()
  answer()
  live.finishDelegation()
  deliver()
  play(3, true)
  live.sayWords('It is noon.')
  play(12, false)
  live.delegate({ id: 'b', name: 'clock' })
  live.finishDelegation('failed')
  deliver()
  const content = [{ type: 'input_text', text: 'Hello?' }]
  send({ type: 'conversation.item.create', item: { type: 'message', role: 'user', content } })
  send({ type: 'response.create' })
  pass(10_000)
  send({ type: 'response.create', response: { instructions: 'Say hello.' } })
  send({ type: 'session.update', session: { instructions: 'Be kind.', tools: [] } })
  live.send('session.usage.updated', { usage: { seconds: 3 } })
  live.send('error', { error: { type: 'invalid_request_error', code: 'x', message: 'It failed.' } })
  deliver()
  live.close('expired')
  return frames
}

test('the frames of the scripted GPT-Live and of the adapter have the types of OpenAI’s client [RT-66]', {
  timeout: 180_000,
}, async () => {
  const { server, client } = playAll()
  expect(typesOf(server)).toEqual([
    ...['error', 'response.event', 'session.closed', 'session.delegation.created'],
    ...['session.input_transcript.delta', 'session.output_audio.delta', 'session.output_transcript.delta'],
    ...['session.started', 'session.updated', 'session.usage.updated'],
  ])
  expect(typesOf(client)).toEqual([
    ...['response.create', 'response.item.create', 'session.commentary.append'],
    ...['session.input_audio.append', 'session.start', 'session.update'],
  ])
  const delegated = server.flatMap((frame) => ('event' in frame ? [frame.event as object] : []))
  const errors = await typeErrors(imports, [
    { type: 'ServerEvent', values: server },
    { type: 'ClientEvent', values: client },
    { type: 'Part<ResponseStreamEvent>', values: delegated },
  ])
  expect(errors).toBe('')
})

test('a frame with a wrong or an unknown field is found', { timeout: 180_000 }, async () => {
  const errors = await typeErrors(imports, [
    { type: 'ServerEvent', values: [{ type: 'session.output_audio.delta', delta: 1 }] },
    { type: 'ClientEvent', values: [{ type: 'response.create', response: {} }] },
  ])
  expect(errors.match(/error TS\d+/g)).toHaveLength(2)
})
