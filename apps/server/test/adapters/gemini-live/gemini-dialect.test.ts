import { describe, expect, test } from 'vitest'
import { GeminiDialect } from '#server/adapters/gemini-live/gemini-dialect.js'
import { geminiSchema } from '#server/adapters/gemini-live/gemini-schema.js'
import { DialectRun, openingOf } from '../../support/realtime/dialects/dialect-run.js'
import { GeminiServer, newGeminiSessions } from '../../support/realtime/dialects/gemini-server.js'

type Run = DialectRun<GeminiServer>

function open(items: readonly object[] = [], model = 'gemini-3.8-live') {
  const sessions = newGeminiSessions()
  const run = new DialectRun({
    opening: openingOf(model, 'Puck', items),
    makeDialect: (...parts) => new GeminiDialect(...parts),
    play: (peer) => new GeminiServer(peer, sessions),
  })
  return run.open()
}

const audio = { type: 'input_audio_buffer.append', audio: Buffer.alloc(4800).toString('base64') }
const typed = {
  type: 'conversation.item.create',
  item: { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Hello?' }] },
}
const request = { type: 'response.create' }

/** The statuses of all responses so far. */
const statuses = ({ events }: Run) =>
  events.flatMap(({ type, response }) =>
    type === 'response.done' ? [(response as { status: string }).status] : [],
  )

async function send(run: Run, ...events: readonly object[]): Promise<void> {
  for (const event of events) run.send(event)
  await run.settle()
}

async function finish(run: Run): Promise<void> {
  const errors = run.providers.flatMap((provider) => provider.errors)
  await run.finish()
  expect({ problems: run.problems, errors }).toEqual({ problems: [], errors: [] })
}

describe('requests', () => {
  test('a request after committed audio sends no text, because Gemini answers speech [RT-64]', async () => {
    const run = await open()
    await send(run, audio, { type: 'input_audio_buffer.commit' }, request)
    expect([run.provider.streamEnds, run.provider.texts]).toEqual([1, []])
    run.provider.answer('Yes?')
    await run.settle()
    expect(statuses(run)).toEqual(['completed'])
    await finish(run)
  })

  test('a request without new input asks for a response [RT-64]', async () => {
    const run = await open()
    await send(run, request)
    expect(run.provider.texts).toEqual(['Please respond.'])
    await finish(run)
  })

  test('texts wait for their request, and one request sends all of them [RT-64]', async () => {
    const run = await open()
    await send(run, typed, typed)
    expect(run.provider.texts).toEqual([])
    await send(run, request)
    expect(run.provider.texts).toEqual(['Hello?\n\nHello?'])
    await finish(run)
  })

  test('a commit without audio is an error [RT-64]', async () => {
    const run = await open()
    await send(run, { type: 'input_audio_buffer.commit', event_id: 'e' })
    expect(run.events.at(-1)).toMatchObject({
      type: 'error',
      error: { code: 'input_audio_buffer_commit_empty', event_id: 'e' },
    })
    await finish(run)
  })
})

describe('lost turns', () => {
  test('a request that Gemini never answers fails [RT-64]', async () => {
    const run = await open()
    await send(run, typed, request)
    await run.pass(29_000)
    expect(statuses(run)).toEqual([])
    await run.pass(1000)
    expect(statuses(run)).toEqual(['failed'])
    await finish(run)
  })

  test('an answer that stops in the middle fails, and its words stay [RT-64]', async () => {
    const run = await open()
    await send(run, typed, request)
    run.provider.say('Once upon')
    await run.settle()
    await run.pass(20_000)
    expect(run.events.at(-1)).toMatchObject({
      response: { status: 'failed', output: [{ content: [{ transcript: 'Once upon' }] }] },
    })
    await finish(run)
  })

  test('a long playback does not fail, and ends with the turn [RT-64]', async () => {
    const run = await open()
    await send(run, typed, request)
    run.provider.say('A long story.')
    run.provider.content({ generationComplete: true })
    await run.settle()
    for (let seconds = 0; seconds < 60; seconds += 5) await run.pass(5000)
    expect(statuses(run)).toEqual([])
    expect(run.events.at(-1)?.type).toBe('rate_limits.updated')
    run.provider.content({ turnComplete: true })
    await run.settle()
    expect(statuses(run)).toEqual(['completed'])
    await finish(run)
  })

  test('a user who began to speak and was not heard again has an empty turn [RT-64]', async () => {
    const run = await open()
    run.provider.send({ voiceActivity: { type: 'ACTIVITY_START' } })
    await run.settle()
    await run.pass(120_000)
    expect(run.events.at(-1)).toMatchObject({ transcript: '' })
    await finish(run)
  })
})

describe('connections', () => {
  test('goAway waits for the end of the answer, and the resumed session gets no history [RT-65]', async () => {
    const run = await open()
    await send(run, typed, request)
    run.provider.say('One moment')
    run.provider.offerHandle()
    run.provider.goAway('50s')
    await run.settle()
    expect(run.providers).toHaveLength(1)
    run.provider.complete()
    await run.settle()
    expect(run.providers).toHaveLength(2)
    expect([run.provider.history, run.provider.texts]).toEqual([[], []])
    expect(statuses(run)).toEqual(['completed'])
    await finish(run)
  })

  test('audio of the gap is kept, up to six seconds [RT-65]', async () => {
    const run = await open()
    run.provider.offerHandle()
    await run.settle()
    run.unreachable = 1
    run.loseSocket()
    await run.settle()
    for (let sent = 0; sent < 100; sent += 1) await send(run, audio)
    expect(run.providers).toHaveLength(1)
    await run.pass(2000)
    const seconds = run.provider.heard.length / 16_000
    expect(seconds).toBeGreaterThan(5)
    expect(seconds).toBeLessThanOrEqual(6)
    await finish(run)
  })

  test('without a handle, a question that was not answered is asked again [RT-65]', async () => {
    const run = await open()
    await send(run, typed, request)
    run.loseSocket()
    await run.settle()
    expect(run.provider.texts).toEqual(['Hello?'])
    run.provider.answer('Yes.')
    await run.settle()
    expect(statuses(run)).toEqual(['completed'])
    await finish(run)
  })

  test.each([false, true])(
    'a resumed session is asked for what the former connection owed: begun %s [RT-65]',
    async (hasBegun) => {
      const run = await open()
      run.provider.offerHandle()
      await send(run, audio, { type: 'input_audio_buffer.commit' })
      if (hasBegun) run.provider.say('Once upon')
      await run.settle()
      run.loseSocket()
      await run.settle()
      expect(run.provider.setup).toMatchObject({ sessionResumption: { handle: 'handle-1' } })
      expect(run.provider.texts).toEqual([hasBegun ? 'Please continue.' : 'Please respond.'])
      run.provider.answer('a time.')
      await run.settle()
      expect(statuses(run)).toEqual(hasBegun ? ['incomplete', 'completed'] : ['completed'])
      await finish(run)
    },
  )

  test('a resumed session is asked for nothing while the user speaks [RT-65]', async () => {
    const run = await open()
    run.provider.offerHandle()
    run.provider.say('Once upon')
    run.provider.send({ voiceActivity: { type: 'ACTIVITY_START' } })
    await run.settle()
    run.loseSocket()
    await run.settle()
    expect(run.provider.texts).toEqual([])
    await finish(run)
  })

  test('a session that cannot be resumed ends after its attempts [RT-65]', async () => {
    const run = await open()
    run.unreachable = 100
    run.loseSocket()
    for (let seconds = 0; seconds < 20; seconds += 1) await run.pass(1000)
    expect(run.closeCode).toBe(1006)
    await run.finish()
    expect(run.problems).toEqual([])
  })

  test('the history has calls and summaries as text [RT-64]', async () => {
    const text = (type: string, words: string) => [{ type, text: words }]
    const run = await open([
      { id: 's', type: 'message', role: 'system', content: text('input_text', 'Summary: a hotel.') },
      { id: 'u', type: 'message', role: 'user', content: text('input_text', 'The time?') },
      { id: 'c', type: 'function_call', call_id: 'k', name: 'clock', arguments: '{}' },
      { id: 'o', type: 'function_call_output', call_id: 'k', output: 'noon' },
      { id: 'a', type: 'message', role: 'assistant', content: text('output_text', 'Noon.') },
    ])
    expect(run.provider.setup).toMatchObject({
      systemInstruction: { parts: [{ text: 'Be brief.' }, { text: 'Summary: a hotel.' }] },
    })
    expect(run.provider.history).toEqual([
      {
        role: 'user',
        text: 'The time?\nThe tool clock was called with {}.\nResult of the tool clock: noon',
      },
      { role: 'model', text: 'Noon.' },
    ])
    await finish(run)
  })
})

describe('calls', () => {
  test('a call without an id is answered without one, and cancelled outputs become text [RT-64]', async () => {
    const run = await open()
    await send(run, typed, request)
    run.provider.call({ name: 'clock' })
    run.provider.call({ id: 'a', name: 'clock' }, { id: 'b', name: 'clock' })
    await run.settle()
    const ids = run.events.flatMap(({ type, call_id }) =>
      type === 'response.function_call_arguments.done' ? [call_id] : [],
    )
    const [first, second, third] = ids.map((call_id) => ({
      type: 'conversation.item.create',
      item: { type: 'function_call_output', call_id, output: 'noon' },
    }))
    await send(run, first ?? {}, second ?? {})
    expect(run.provider.outputs).toEqual([
      { name: 'clock', response: { output: 'noon' }, scheduling: 'WHEN_IDLE' },
    ])
    run.provider.cancelCalls('a')
    await run.settle()
    await send(run, third ?? {})
    expect(run.provider.outputs.map(({ id }) => id)).toEqual([undefined, 'b'])
    await send(run, request)
    expect(run.provider.texts.at(-1)).toBe('Result of the tool clock: noon')
    await finish(run)
  })
})

test.each<[object, object]>([
  [
    {
      $schema: 'http://json-schema.org/draft-07/schema#',
      type: 'object',
      additionalProperties: false,
      properties: {
        city: { type: ['string', 'null'], pattern: '^a' },
        sizes: { type: 'array', items: { type: 'integer' } },
      },
      required: ['city'],
    },
    {
      type: 'OBJECT',
      properties: {
        city: { type: 'STRING', nullable: true },
        sizes: { type: 'ARRAY', items: { type: 'INTEGER' } },
      },
      required: ['city'],
    },
  ],
  [{ enum: ['a', 'b', 3] }, { type: 'STRING', enum: ['a', 'b'] }],
  [{ const: 'a' }, { type: 'STRING', enum: ['a'] }],
  [
    { oneOf: [{ type: 'string', maxLength: 3 }, { type: 'null' }] },
    { nullable: true, anyOf: [{ type: 'STRING', maxLength: 3 }] },
  ],
  [{}, {}],
])('the schema of a tool is converted to keywords that Gemini has: %j [RT-64]', (schema, expected) => {
  expect(geminiSchema(schema)).toEqual(expected)
})
