import { describe, expect, test } from 'vitest'
import type { EmittedEvents } from '../../support/realtime/dialects/emitted-events.js'
import { startLiveDialect } from '../../support/realtime/dialects/live-dialect-run.js'

const typed = (text: string) => ({
  type: 'conversation.item.create',
  item: { type: 'message', role: 'user', content: [{ type: 'input_text', text }] },
})

describe('calls', () => {
  const output = (callId: unknown) => ({
    type: 'conversation.item.create',
    event_id: 'svc_out',
    item: { type: 'function_call_output', call_id: callId, output: 'noon' },
  })
  const callIds = (events: EmittedEvents) =>
    events.all
      .filter(({ type }) => type === 'response.function_call_arguments.done')
      .map(({ call_id }) => call_id)

  test.each([1, 3])('%i calls are answered with one request, when all outputs are in', (count) => {
    const { live, events, receive, deliver } = startLiveDialect()
    const calls = ['a', 'b', 'c'].slice(0, count).map((id) => ({ id, name: 'clock' }))
    live.delegate(...calls)
    deliver()
    const ids = callIds(events)
    expect(ids).toHaveLength(count)
    for (const id of ids) {
      expect(live.requested).toBe(0)
      receive(output(id))
    }
    // The text model may still make calls.
    expect(live.requested).toBe(0)
    live.finishDelegation()
    deliver()
    expect(live.requested).toBe(1)
    // The service's own requests are covered by that one.
    expect(events.all.at(-1)).toMatchObject({
      type: 'response.done',
      response: { status: 'completed', usage: { input_tokens: 50, output_tokens: 10, total_tokens: 60 } },
    })
    expect(live.items.map(({ call_id }) => call_id)).toEqual(calls.map(({ id }) => id))
    expect(live.errors).toEqual([])
  })

  test('requests of the service are swallowed while calls are open', () => {
    const { live, events, receive, deliver } = startLiveDialect()
    live.delegate({ id: 'a', name: 'clock' }, { id: 'b', name: 'clock' })
    live.finishDelegation()
    deliver()
    const [first, second] = callIds(events)
    receive(output(first))
    receive({ type: 'response.create', event_id: 'svc_2' })
    expect(live.requested).toBe(0)
    receive(output(second))
    expect(live.requested).toBe(1)
    expect(live.errors).toEqual([])
    expect(live.commentary).toEqual([])
  })

  test('a request that waits for calls is sent if their response fails [RT-67]', () => {
    const { live, receive, deliver } = startLiveDialect()
    live.delegate({ id: 'a', name: 'clock' })
    deliver()
    receive({ type: 'response.create', event_id: 'mine' })
    expect(live.requested).toBe(0)
    live.finishDelegation('failed')
    deliver()
    expect(live.requested).toBe(1)
    expect([live.errors, live.commentary]).toEqual([[], []])
  })

  test('text that was typed while a call was open is answered once [RT-67]', () => {
    const { live, events, receive, deliver } = startLiveDialect()
    live.delegate({ id: 'a', name: 'clock' })
    live.finishDelegation()
    deliver()
    receive(typed('And tomorrow?'))
    receive({ type: 'response.create', response: { instructions: 'Be brief.' } })
    receive(output(callIds(events)[0]))
    expect(live.requested).toBe(1)
    expect(live.items).toMatchObject([
      { role: 'user', content: [{ text: 'And tomorrow?' }] },
      { role: 'developer', content: [{ text: 'Be brief.' }] },
      { type: 'function_call_output' },
    ])
    live.delegate()
    live.finishDelegation()
    deliver()
    // The text model has nothing to answer, so the voice is asked.
    receive({ type: 'response.create', response: { instructions: 'Say goodbye.' } })
    expect(live.requested).toBe(1)
    expect(live.errors).toEqual([])
  })

  test('outputs of a failed response are echoed and not sent', () => {
    const { live, events, receive, deliver } = startLiveDialect()
    live.delegate({ id: 'a', name: 'clock' })
    live.finishDelegation('failed')
    deliver()
    expect(events.all.at(-1)).toMatchObject({ response: { status: 'failed' } })
    events.take()
    receive(output(callIds(events)[0]))
    expect(events.takeTypes()).toEqual(['conversation.item.added', 'conversation.item.done'])
    expect(live.items).toEqual([])
    expect(live.errors).toEqual([])
  })

  test('the output of a call of an earlier session is sent as text', () => {
    const { live, receive } = startLiveDialect()
    receive(output('former'))
    receive({ type: 'response.create' })
    expect(live.items).toMatchObject([{ role: 'developer' }])
    expect(live.requested).toBe(1)
    expect(live.errors).toEqual([])
  })

  test('more than 1000 open calls are forgotten, and their outputs become text [RT-67]', () => {
    const { live, events, receive, deliver } = startLiveDialect()
    live.delegate(...Array.from({ length: 1001 }, (_, index) => ({ id: `call-${index}`, name: 'clock' })))
    deliver()
    const [oldest, next] = callIds(events)
    receive(output(oldest))
    receive(output(next))
    expect(live.items).toMatchObject([
      { type: 'message', role: 'developer' },
      { type: 'function_call_output', call_id: 'call-1' },
    ])
  })

  test('a call during an utterance is part of its response', () => {
    const { live, events, play, deliver } = startLiveDialect()
    play(3, true)
    live.delegate({ id: 'a', name: 'clock' })
    live.finishDelegation()
    deliver()
    play(12, false)
    const done = events.all.filter(({ type }) => type === 'response.done')
    expect(done).toMatchObject([
      { response: { output: [{ type: 'message' }, { type: 'function_call' }, { type: 'message' }] } },
    ])
  })

  test('a response that never ends delays the outputs by five seconds at most', () => {
    const { live, events, receive, deliver, pass } = startLiveDialect()
    live.delegate({ id: 'a', name: 'clock' })
    deliver()
    receive(output(callIds(events)[0]))
    pass(5100)
    expect(live.requested).toBe(1)
  })
})

describe('messages of the client', () => {
  test('a typed question goes to the text model', () => {
    const { live, events, receive } = startLiveDialect()
    events.take()
    const content = [{ type: 'input_text', text: 'Hello?' }]
    receive({ type: 'conversation.item.create', item: { type: 'message', role: 'user', content } })
    receive({ type: 'response.create' })
    expect(events.takeTypes()).toEqual(['conversation.item.added', 'conversation.item.done'])
    expect(live.items).toMatchObject([{ type: 'message', role: 'user', content }])
    expect(live.requested).toBe(1)
    expect(live.errors).toEqual([])
  })

  test('instructions beside typed text go to the text model, before the request [RT-66]', () => {
    const { live, frames, receive } = startLiveDialect()
    receive(typed('Hello?'))
    receive({ type: 'response.create', response: { instructions: 'Answer in French.' } })
    expect(live.items).toMatchObject([
      { role: 'user' },
      { role: 'developer', content: [{ type: 'input_text', text: 'Answer in French.' }] },
    ])
    expect(frames.client.at(-1)).toMatchObject({ type: 'response.create' })
    expect([live.requested, live.commentary, live.errors]).toEqual([1, [], []])
  })

  test('the answer of the text model is one response, from its beginning until it was spoken', () => {
    const { live, events, receive, deliver, play, pass } = startLiveDialect()
    const content = [{ type: 'input_text', text: 'Hello?' }]
    receive({ type: 'conversation.item.create', item: { type: 'message', role: 'user', content } })
    receive({ type: 'response.create' })
    events.take()
    live.delegate()
    deliver()
    expect(events.takeTypes()).toEqual(['response.created'])
    pass(2000)
    live.finishDelegation()
    deliver()
    pass(2000)
    play(3, true)
    play(12, false)
    expect(events.all.filter(({ type }) => type === 'response.done')).toMatchObject([
      { response: { status: 'completed', usage: { input_tokens: 50 }, output: [{ type: 'message' }] } },
    ])
  })

  test('a response whose answer is not spoken ends after ten seconds', () => {
    const { live, events, receive, deliver, pass } = startLiveDialect()
    const content = [{ type: 'input_text', text: 'Hello?' }]
    receive({ type: 'conversation.item.create', item: { type: 'message', role: 'user', content } })
    receive({ type: 'response.create' })
    live.delegate()
    live.finishDelegation()
    deliver()
    pass(9000)
    expect(events.all.at(-1)?.type).toBe('response.created')
    pass(1100)
    expect(events.all.at(-1)).toMatchObject({ type: 'response.done', response: { status: 'completed' } })
  })

  test('the first message is spoken, without the request around it', () => {
    const { live, receive } = startLiveDialect()
    const instructions = 'Say exactly this, word for word, and nothing else:\nWelcome!'
    receive({ type: 'response.create', event_id: 'svc_1', response: { instructions, tool_choice: 'none' } })
    expect(live.commentary).toEqual(['Welcome!'])
    expect(live.errors).toEqual([])
  })

  const speech = {
    type: 'input_audio_buffer.append',
    audio: Buffer.from(
      Int16Array.from({ length: 24_000 }, (_, index) => 8000 * Math.sin(index / 9)).buffer,
    ).toString('base64'),
  }

  test('a request for the answer to speech waits for the model, which answers of its own accord [RT-69]', () => {
    const { live, events, receive, play, pass, deliver } = startLiveDialect()
    receive(speech)
    receive({ type: 'response.create', event_id: 'svc_1' })
    pass(1500)
    live.hearWords('Hello?')
    deliver()
    pass(1500)
    play(3, true)
    play(12, false)
    pass(20_000)
    expect([live.commentary, live.requested, live.errors]).toEqual([[], 0, []])
    expect(events.all.filter(({ type }) => type === 'response.done')).toHaveLength(1)
  })

  test('the text model is asked if the voice does not answer the speech [RT-69]', () => {
    const { live, events, receive, pass, deliver } = startLiveDialect()
    receive(speech)
    receive({ type: 'response.create' })
    live.hearWords('Hello?')
    deliver()
    pass(2900)
    expect(live.requested).toBe(0)
    pass(10_000)
    expect([live.requested, live.commentary]).toEqual([1, []])
    expect(events.all.map(({ type }) => type)).toContain('rate_limits.updated')
  })

  test('a request without new input asks the text model for the answer to the last question [RT-69]', () => {
    const item = { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Who are you?' }] }
    const { live, receive } = startLiveDialect({ items: [{ type: 'conversation.item.create', item }] })
    receive({ type: 'response.create', event_id: 'svc_1' })
    expect([live.requested, live.commentary, live.errors]).toEqual([1, [], []])
  })

  test('instructions without words count as none [RT-66]', () => {
    const { live, receive } = startLiveDialect()
    receive({ type: 'response.create', response: { instructions: ' ' } })
    expect([live.commentary, live.errors]).toEqual([['Continue the conversation.'], []])
  })

  test('a cancelled request for the answer to speech is forgotten [RT-69]', () => {
    const { live, receive, pass } = startLiveDialect()
    receive(speech)
    receive({ type: 'response.create' })
    receive({ type: 'response.cancel' })
    pass(20_000)
    expect([live.requested, live.commentary]).toEqual([0, []])
  })

  const message = (role: string, part: object) => ({
    type: 'conversation.item.create',
    item: { type: 'message', role, content: [part] },
  })
  test.each([
    [{ type: 'input_audio_buffer.commit' }],
    [{ type: 'input_audio_buffer.clear' }],
    [{ type: 'conversation.item.delete', item_id: 'x' }],
    [{ type: 'response.create', response: { output_modalities: ['text'] } }],
    [{ type: 'response.create', response: { conversation: 'none' } }],
    [message('user', { type: 'input_image', image_url: 'data:' })],
    [message('assistant', { type: 'output_text', text: 'I said this.' })],
    [{ type: 'session.update', session: { audio: {} } }],
  ])('answers %j with an error, and sends nothing', (event) => {
    const { live, events, receive } = startLiveDialect()
    events.take()
    receive({ ...event, event_id: 'mine' })
    expect(events.take()).toMatchObject([
      { type: 'error', error: { code: 'unsupported_by_provider', event_id: 'mine' } },
    ])
    expect([live.items, live.commentary, live.errors, live.requested]).toEqual([[], [], [], 0])
  })

  test('a later update changes the text model', () => {
    const { live, events, receive } = startLiveDialect()
    events.take()
    receive({ type: 'session.update', session: { type: 'realtime', instructions: 'Be long.', tools: [] } })
    expect(events.take()).toMatchObject([
      { type: 'session.updated', session: { instructions: 'Be long.', model: 'gpt-live-1' } },
    ])
    expect(live.errors).toEqual([])
  })

  test('truncation is confirmed, and items are returned without audio', () => {
    const { live, events, play, receive } = startLiveDialect()
    play(3, true)
    play(12, false)
    const item = events.all.find(({ type }) => type === 'response.output_item.done')?.item as { id: string }
    events.take()
    receive({ type: 'conversation.item.truncate', item_id: item.id, content_index: 0, audio_end_ms: 100 })
    receive({ type: 'conversation.item.retrieve', item_id: item.id })
    expect(events.takeTypes()).toEqual(['conversation.item.truncated', 'conversation.item.retrieved'])
    expect(live.errors).toEqual([])
  })

  test('an error of the provider names the event of the client', () => {
    const { live, events, deliver } = startLiveDialect()
    events.take()
    const error = { type: 'server_error', code: 'moderation', message: 'Cut.', client_event_id: 'mine' }
    live.send('error', { error })
    deliver()
    expect(events.take()).toMatchObject([
      { type: 'error', error: { code: 'moderation', message: 'Cut.', event_id: 'mine' } },
    ])
  })
})

describe('the end', () => {
  test.each([
    ['expired', '1011 The session has reached the maximum duration of the provider.'],
    ['content', '1011 The provider ended the session because of its content.'],
    ['connection_lost', '1011 The provider lost the connection.'],
    ['remote_hangup', '1011 The caller has hung up.'],
  ])('%s closes everything that is open', (reason, close) => {
    const { live, events, closes, play, deliver } = startLiveDialect()
    live.hearWords('Hello?')
    deliver()
    play(3, true)
    live.close(reason)
    deliver()
    const types = events.all.map(({ type }) => type)
    expect(types.filter((type) => type === 'response.done')).toHaveLength(1)
    expect(types.filter((type) => type.endsWith('transcription.completed'))).toHaveLength(1)
    expect(events.all.at(-1)).toMatchObject({ type: 'error', error: { code: `session_${reason}` } })
    expect(closes).toEqual([close])
  })

  test('a session that is about to expire ends between two turns', () => {
    const { closes, events, play, pass } = startLiveDialect({ expiresIn: 120 })
    pass(59_000)
    play(30, true)
    expect(closes).toEqual([])
    play(12, false)
    expect(closes).toHaveLength(1)
    expect(events.all.at(-1)).toMatchObject({ error: { code: 'session_expired' } })
  })

  test('a lost socket closes with the reason', () => {
    const { dialect, closes, now } = startLiveDialect()
    dialect.lost({ code: 1006, reason: '' }, now())
    expect(closes).toEqual(['1006 '])
  })

  test('the seconds of the session are reported once each', () => {
    const { live, events, deliver } = startLiveDialect()
    events.take()
    live.send('session.usage.updated', { usage: { seconds: 12.5 } })
    live.send('session.usage.updated', { usage: { seconds: 12.5 } })
    deliver()
    expect(events.take()).toMatchObject([{ type: 'session.usage.updated', usage: { seconds: 12.5 } }])
  })

  test('the owner’s close says goodbye', () => {
    const { dialect, live } = startLiveDialect()
    dialect.ending()
    expect(live.isClosed).toBe(true)
    expect(live.errors).toEqual([])
  })
})
