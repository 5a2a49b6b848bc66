import { describe, expect, test } from 'vitest'
import { liveUpdate, startLiveDialect } from '../../support/realtime/dialects/live-dialect-run.js'

const turnTypes = [
  'input_audio_buffer.speech_started',
  'input_audio_buffer.speech_stopped',
  'input_audio_buffer.committed',
  'conversation.item.added',
  'conversation.item.done',
  'conversation.item.input_audio_transcription.delta',
]
const answerStart = [
  'response.created',
  'response.output_item.added',
  'conversation.item.added',
  'response.content_part.added',
]
const answerEnd = [
  'response.output_audio_transcript.done',
  'response.content_part.done',
  'conversation.item.done',
  'response.output_item.done',
  'response.done',
]

describe('starting', () => {
  test('sends one configuration with the history as text, and a text model that has the tools', () => {
    const item = (fields: object) => ({ type: 'conversation.item.create', item: fields })
    const text = (type: string, words: string) => [{ type, text: words }]
    const { live, events } = startLiveDialect({
      items: [
        item({ id: 'past_1', type: 'message', role: 'user', content: text('input_text', 'Hello.') }),
        item({ id: 'past_2', type: 'message', role: 'assistant', content: text('output_text', 'Hi.') }),
        item({ id: 'c', type: 'function_call', call_id: 'old', name: 'clock', arguments: '{}' }),
        item({ id: 'o', type: 'function_call_output', call_id: 'old', output: 'noon' }),
        item({ id: 'w', type: 'function_call', call_id: 'waiting', name: 'refund', arguments: '{}' }),
      ],
    })
    expect(live.errors).toEqual([])
    expect(live.session).toMatchObject({
      model: 'gpt-live-1',
      instructions: 'Be brief.',
      audio: { format: { type: 'audio/pcm', rate: 24_000 }, output: { voice: 'alloy' } },
      delegation: {
        type: 'responses',
        responses: { model: 'gpt-5-mini', instructions: 'Be brief.', tools: [{ name: 'clock' }] },
      },
      input: [
        { role: 'user', content: [{ text: 'Hello.' }] },
        { role: 'assistant', content: [{ text: 'Hi.' }] },
        { role: 'developer', content: [{ text: 'The tool clock was called with {}. It returned: noon' }] },
        { role: 'developer', content: [{ text: expect.stringContaining('not known yet') }] },
      ],
    })
    const types = events.takeTypes()
    expect(types.slice(0, 2)).toEqual(['session.created', 'session.updated'])
    expect(types.filter((type) => type === 'conversation.item.done')).toHaveLength(5)
  })

  test('a rejected voice is a refusal that names the reason', () => {
    const audio = {
      ...liveUpdate.session.audio,
      output: { ...liveUpdate.session.audio.output, voice: 'unknown' },
    }
    const { refusals } = startLiveDialect({
      update: { ...liveUpdate, session: { ...liveUpdate.session, audio } },
    })
    expect(refusals).toEqual([
      'misconfigured: The provider rejected the configuration of the session: No voice unknown.',
    ])
  })

  test('G.711 in both directions is not converted', () => {
    const format = { type: 'audio/pcmu' }
    const audio = { input: { format }, output: { format, voice: 'alloy' } }
    const { live, pass } = startLiveDialect({
      update: { ...liveUpdate, session: { ...liveUpdate.session, audio } },
    })
    expect(live.session).toMatchObject({ audio: { format: { type: 'audio/pcmu', rate: 8000 } } })
    pass(2000)
    // 100 ms are 800 bytes here.
    expect(live.heardMilliseconds * 48).toBeGreaterThanOrEqual(8 * 1700)
    expect(live.errors).toEqual([])
  })

  test('sends silence as the clock while the client sends nothing, and its audio as it is', () => {
    const { live, pass, dialect, now } = startLiveDialect()
    pass(10_000)
    expect(live.heardMilliseconds).toBeGreaterThanOrEqual(9700)
    expect(live.heardMilliseconds).toBeLessThanOrEqual(10_100)
    const before = live.heardMilliseconds
    const frame = Buffer.alloc(4800).toString('base64')
    for (let count = 0; count < 10; count += 1) {
      dialect.receiveAudio(frame, now())
      pass(100)
    }
    expect(live.heardMilliseconds - before).toBe(1000)
    expect(live.errors).toEqual([])
  })
})

describe('turns', () => {
  test('cuts a question and an answer out of the continuous audio and words', () => {
    const { live, events, play, deliver } = startLiveDialect()
    events.take()
    play(3, false)
    live.hearWords('What time ')
    deliver()
    play(2, false)
    live.hearWords('is it?')
    deliver()
    play(9, false)
    expect(events.takeTypes()).toEqual(turnTypes)
    play(2, true)
    live.sayWords('It is ')
    deliver()
    play(1, false)
    live.sayWords('noon.')
    play(1, true)
    play(12, false)
    const types = events.takeTypes().filter((type) => type !== 'response.output_audio.delta')
    expect(types).toEqual([
      ...answerStart,
      'response.output_audio_transcript.delta',
      'response.output_audio_transcript.delta',
      'conversation.item.input_audio_transcription.completed',
      'response.output_audio.done',
      ...answerEnd,
    ])
    expect(events.all.at(-1)).toMatchObject({
      response: {
        status: 'completed',
        output: [{ content: [{ transcript: 'It is noon.' }] }],
        usage: { total_tokens: 0 },
      },
    })
    expect(events.all.find(({ type }) => type.endsWith('transcription.completed'))).toMatchObject({
      transcript: 'What time is it?',
      usage: { type: 'duration', seconds: 0 },
    })
  })

  test('the noise of silence is not forwarded', () => {
    const { events, play } = startLiveDialect()
    events.take()
    play(50, false)
    expect(events.take()).toEqual([])
  })

  test('a pause of less than 800 ms stays within an answer', () => {
    const { events, play } = startLiveDialect()
    play(3, true)
    play(7, false)
    play(3, true)
    play(12, false)
    expect(events.all.filter(({ type }) => type === 'response.created')).toHaveLength(1)
    expect(events.all.filter(({ type }) => type === 'response.output_audio.delta')).toHaveLength(21)
  })

  test('words that come before their sound open the answer', () => {
    const { live, events, play, deliver } = startLiveDialect()
    live.sayWords('Hello')
    deliver()
    play(1, false)
    play(3, true)
    play(12, false)
    expect(events.all.filter(({ type }) => type === 'response.created')).toHaveLength(1)
    expect(events.all.filter(({ type }) => type === 'response.done')).toHaveLength(1)
  })

  test('an utterance whose audio stops coming ends', () => {
    const { events, play, pass } = startLiveDialect()
    play(3, true)
    pass(3500)
    expect(events.all.at(-1)?.type).toBe('response.done')
  })

  test('the last words of a question may come after the answer has begun', () => {
    const { live, events, play, deliver, pass } = startLiveDialect()
    play(3, false)
    live.hearWords('What time ', 100)
    deliver()
    play(1, true)
    live.hearWords('is it?', 300)
    deliver()
    pass(1100)
    expect(events.all.filter(({ type }) => type.endsWith('speech_started'))).toHaveLength(1)
    expect(events.all.find(({ type }) => type.endsWith('transcription.completed'))).toMatchObject({
      transcript: 'What time is it?',
    })
  })

  test('words that come one by one after the end of a question belong to it', () => {
    const { live, events, play, deliver, pass } = startLiveDialect()
    play(3, false)
    live.hearWords('What time ', 100)
    deliver()
    play(9, false)
    live.hearWords('is ', 300)
    deliver()
    pass(950)
    live.hearWords('it?', 500)
    deliver()
    pass(1100)
    expect(events.all.filter(({ type }) => type.endsWith('speech_started'))).toHaveLength(1)
    expect(events.all.find(({ type }) => type.endsWith('transcription.completed'))).toMatchObject({
      transcript: 'What time is it?',
    })
  })
})

describe('interruptions', () => {
  test('an answer that stops while the user speaks is cancelled, and the speech begins after it', () => {
    const { live, events, play, deliver } = startLiveDialect()
    play(5, true)
    events.take()
    live.hearWords('Wait, ')
    deliver()
    play(5, false)
    live.hearWords('stop.')
    deliver()
    play(4, false)
    const done = events.all.find(({ type }) => type === 'response.done')
    expect(done).toMatchObject({
      response: { status: 'cancelled', status_details: { reason: 'turn_detected' } },
    })
    const types = events.takeTypes()
    const at = (name: string) => types.indexOf(name)
    expect(at('input_audio_buffer.speech_started')).toBeGreaterThan(at('response.done'))
    play(15, false)
    expect(events.all.filter(({ type }) => type.endsWith('transcription.completed'))).toMatchObject([
      { transcript: 'Wait, stop.' },
    ])
  })

  test('an answer that goes on in spite of a word is complete, and the word is a turn after it', () => {
    const { live, events, play, deliver } = startLiveDialect()
    play(3, true)
    live.hearWords('Mhm.')
    deliver()
    play(20, true)
    play(12, false)
    play(20, false)
    const done = events.all.filter(({ type }) => type === 'response.done')
    expect(done).toMatchObject([{ response: { status: 'completed' } }])
    const started = events.all.findIndex(({ type }) => type.endsWith('speech_started'))
    expect(started).toBeGreaterThan(events.all.indexOf(done[0] as never))
    expect(events.all.find(({ type }) => type.endsWith('transcription.completed'))).toMatchObject({
      transcript: 'Mhm.',
    })
  })

  test('an answer that is cancelled before its sound is not heard either', () => {
    const { live, events, play, receive, deliver } = startLiveDialect()
    play(20, false)
    live.sayWords('Hello')
    deliver()
    receive({ type: 'response.cancel' })
    events.take()
    play(5, false)
    play(5, true)
    play(9, false)
    expect(events.take()).toEqual([])
    play(1, true)
    expect(events.takeTypes()[0]).toBe('response.created')
  })

  test('after response.cancel the model is not heard until it was quiet', () => {
    const { live, events, play, receive, deliver } = startLiveDialect()
    play(3, true)
    receive({ type: 'response.cancel' })
    expect(events.all.at(-1)).toMatchObject({ response: { status: 'cancelled' } })
    events.take()
    play(5, true)
    live.sayWords('unheard')
    deliver()
    play(9, false)
    expect(events.take()).toEqual([])
    play(1, true)
    expect(events.takeTypes()[0]).toBe('response.created')
    expect(live.errors).toEqual([])
  })
})
