import { setInterval } from 'node:timers/promises'
import type { RealtimeSessionCreateRequest } from 'openai/resources/realtime/realtime'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { samplesFromBytes } from '#engine/audio/pcm.js'
import { fromWire, toWire } from '#engine/audio/wire-audio.js'
import { startEngine } from '#engine/start-engine.js'
import type { TextModel } from '#engine/text-model/text-model.js'
import { personWorkers } from '../support/person-workers.js'
import { RealtimeClient } from '../support/realtime-client.js'
import { sharedEngine } from '../support/shared-engine.js'
import { allTools, sessionTool } from '../support/tools.js'
import { sendSound, speak, streamSound, understand } from '../support/voice.js'

// The first test of a worker loads the models, and other programs may slow this machine down.
vi.setConfig({ testTimeout: 60_000 })

let client: RealtimeClient

beforeEach(async () => {
  client = await RealtimeClient.connect((await sharedEngine()).url)
  return () => client.close()
})

type Input = NonNullable<NonNullable<RealtimeSessionCreateRequest['audio']>['input']>

async function configure(input: Input, output = {}): Promise<void> {
  client.send({
    type: 'session.update',
    session: {
      type: 'realtime',
      instructions: 'You are Ada, the assistant of Acme.',
      tools: allTools.map(sessionTool),
      audio: { input: { transcription: { model: 'moonshine' }, ...input }, output },
    },
  })
  await client.next('session.updated')
}

function heard(): Buffer {
  return Buffer.concat(
    client.events.flatMap((event) =>
      event.type === 'response.output_audio.delta' ? [Buffer.from(event.delta, 'base64')] : [],
    ),
  )
}

const words = (text: string) => text.toLowerCase().replace(/[^a-z0-9 ]/g, '')

describe('A spoken question', () => {
  test('is transcribed and answered with a tool, and the result is spoken', async () => {
    await configure({ turn_detection: { type: 'server_vad' } })
    sendSound(client, await speak('What is the weather in London?'))
    const started = await client.next('input_audio_buffer.speech_started')
    const stopped = await client.next('input_audio_buffer.speech_stopped')
    const committed = await client.next('input_audio_buffer.committed')
    expect(new Set([started.item_id, stopped.item_id, committed.item_id]).size).toBe(1)
    expect(stopped.audio_end_ms).toBeGreaterThan(started.audio_start_ms + 800)
    const { transcript } = await client.next('conversation.item.input_audio_transcription.completed')
    expect(words(transcript)).toBe('what is the weather in london')
    const { response } = await client.next('response.done')
    const [call] = response.output ?? []
    expect(call).toMatchObject({ type: 'function_call', name: 'get_weather', arguments: '{"city":"London"}' })

    client.send({
      type: 'conversation.item.create',
      item: {
        type: 'function_call_output',
        call_id: call?.type === 'function_call' ? (call.call_id ?? '') : '',
        output: '{"temperature":18,"condition":"cloudy"}',
      },
    })
    client.send({ type: 'response.create' })
    const { response: answer } = await client.next('response.done')
    expect(answer.status).toBe('completed')
    expect(answer.usage?.output_token_details?.audio_tokens).toBeGreaterThan(20)
    expect(answer.usage?.input_token_details?.audio_tokens).toBeGreaterThan(5)
    const spoken = await understand({ samples: samplesFromBytes(heard()), rate: 24_000 })
    expect(words(spoken)).toMatch(/temperature is (?:18|eighteen)/)
    expect(words(spoken)).toContain('cloudy')
  })

  test('waits for an unfinished sentence under semantic_vad [ENG-3]', async () => {
    await configure({ turn_detection: { type: 'semantic_vad', eagerness: 'auto' } })
    const isStopped = () => client.types.includes('input_audio_buffer.speech_stopped')
    const first = await speak('Please tell me about the weather in', 'ash', 1000)
    const second = await speak('London.', 'ash', 0)
    await streamSound(client, Buffer.concat([first, second]), isStopped)
    expect(client.types.filter((type) => type === 'input_audio_buffer.speech_started')).toHaveLength(1)
    const { transcript } = await client.next('conversation.item.input_audio_transcription.completed')
    expect(words(transcript)).toBe('please tell me about the weather in london')
    const { response } = await client.next('response.done')
    expect(response.output).toMatchObject([{ name: 'get_weather', arguments: '{"city":"London"}' }])
  })

  test('ends only when the client commits it if turn detection is off [ENG-3]', async () => {
    await configure({ turn_detection: null })
    sendSound(client, await speak('How many tickets are open?'))
    client.send({ type: 'input_audio_buffer.commit' })
    const { item_id } = await client.next('input_audio_buffer.committed')
    const { transcript } = await client.next('conversation.item.input_audio_transcription.completed')
    expect(words(transcript)).toBe('how many tickets are open')
    expect(client.types).not.toContain('input_audio_buffer.speech_started')
    expect(client.types).not.toContain('response.created')
    client.send({ type: 'conversation.item.retrieve', item_id })
    const { item } = await client.next('conversation.item.retrieved')
    const content = item.type === 'message' ? item.content[0] : undefined
    expect(content).toMatchObject({ type: 'input_audio', transcript })
    const kept =
      'audio' in (content ?? {}) ? Buffer.from(String((content as { audio?: string }).audio), 'base64') : null
    expect(kept?.length).toBeGreaterThan(48_000)
    client.send({ type: 'response.create' })
    expect((await client.next('response.done')).response.output).toMatchObject([{ name: 'count_tickets' }])
  })

  test('can use one telephone codec for the question and another for the answer', async () => {
    await configure(
      { format: { type: 'audio/pcmu' }, turn_detection: { type: 'server_vad' } },
      { format: { type: 'audio/pcma' } },
    )
    const question = samplesFromBytes(await speak('Who are you?'))
    sendSound(client, toWire({ samples: question, rate: 24_000 }, { type: 'audio/pcmu' }))
    const { transcript } = await client.next('conversation.item.input_audio_transcription.completed')
    expect(words(transcript)).toBe('who are you')
    expect((await client.next('response.done')).response.status).toBe('completed')
    const spoken = await understand(fromWire(heard(), { type: 'audio/pcma' }))
    expect(words(spoken)).toContain('the assistant of')
    expect(words(spoken)).toContain('demo model')
  })

  test('gets an answer that says so if it has no words', async () => {
    await configure({ turn_detection: null })
    sendSound(client, Buffer.alloc(48_000))
    client.send({ type: 'input_audio_buffer.commit' })
    client.send({ type: 'response.create' })
    const { response } = await client.next('response.done')
    expect(JSON.stringify(response.output)).toContain('Sorry, I did not catch that.')
  })
})

/** Other tests speak requests to a whole service and transcribe its answers. */
const requests: readonly (readonly [words: string, tool: string, args: object])[] = [
  ['Cancel my order number forty two.', 'cancel_order', { order_id: '42' }],
  ['Send an email to John about the contract.', 'send_email', { to: 'John', subject: 'the contract' }],
  ['Remind me to water the plants.', 'create_task', { title: 'water the plants' }],
  ['Search the files for the contract.', 'search_files', { query: 'the contract' }],
  [
    'Create a high priority task to pay the bill.',
    'create_task',
    { title: 'pay the bill', priority: 'high' },
  ],
]

test('turns spoken requests into the right calls [ENG-9]', async () => {
  client.send({ type: 'session.update', session: { type: 'realtime', tools: allTools.map(sessionTool) } })
  const calls: unknown[] = []
  for (const [words] of requests) {
    sendSound(client, await speak(words))
    const { response } = await client.next('response.done')
    const [call] = response.output ?? []
    const isCall = call?.type === 'function_call'
    calls.push([words, isCall ? call.name : JSON.stringify(call), isCall ? JSON.parse(call.arguments) : null])
    if (isCall)
      client.send({
        type: 'conversation.item.create',
        item: { type: 'function_call_output', call_id: call.call_id ?? '', output: 'Done.' },
      })
  }
  expect(calls).toEqual(requests)
})

test('keeps users who speak at the same time apart', async () => {
  const cities = ['London', 'Paris', 'Berlin']
  const sounds = await Promise.all(cities.map((city) => speak(`What is the weather in ${city}?`)))
  const { url } = await sharedEngine()
  const clients = await Promise.all(cities.map(() => RealtimeClient.connect(url)))
  for (const client of clients)
    client.send({ type: 'session.update', session: { type: 'realtime', tools: allTools.map(sessionTool) } })
  const chunks = Math.max(...sounds.map(({ length }) => length)) / 960
  for (let chunk = 0; chunk < chunks; chunk += 1)
    for (const [index, client] of clients.entries())
      sendSound(client, sounds[index]?.subarray(chunk * 960, (chunk + 1) * 960) ?? Buffer.alloc(0))
  const responses = await Promise.all(clients.map((client) => client.next('response.done')))
  expect(responses.map(({ response }) => response.output)).toMatchObject(
    cities.map((city) => [{ name: 'get_weather', arguments: JSON.stringify({ city }) }]),
  )
  await Promise.all(clients.map((client) => client.close()))
})

/** A model that talks until it is stopped. */
const talkative: TextModel = {
  async respond({ onText, signal }) {
    for await (const _ of setInterval(50)) {
      if (signal.aborted) break
      onText('This is a long story. ')
    }
    return { ok: true, calls: [], usage: null, isCutOff: false }
  },
}

describe('An interruption', () => {
  test('ends the answer immediately and removes the words that were not heard [ENG-3]', async ({
    onTestFinished,
  }) => {
    const { speechToText, textToSpeech } = personWorkers()
    const parts = { speechToText, textToSpeech, textModel: talkative }
    const storyteller = await startEngine({ port: 0, secret: null, ...parts })
    onTestFinished(() => storyteller.close())
    client = await RealtimeClient.connect(storyteller.url)
    const question = await speak('What time is it?')
    client.send({ type: 'response.create' })
    await client.next('response.output_audio.delta')
    sendSound(client, question)
    await client.next('input_audio_buffer.speech_started')
    const { response } = await client.next('response.done')
    expect(response).toMatchObject({
      status: 'cancelled',
      status_details: { type: 'cancelled', reason: 'turn_detected' },
      output: [{ status: 'incomplete' }],
    })
    const [item] = response.output ?? []
    const cut = { type: 'conversation.item.truncate', item_id: item?.id ?? '', content_index: 0 } as const
    client.send({ ...cut, audio_end_ms: 1700 })
    await client.next('conversation.item.truncated')
    client.send({ type: 'conversation.item.retrieve', item_id: cut.item_id })
    const { item: kept } = await client.next('conversation.item.retrieved')
    const content = kept.type === 'message' ? kept.content[0] : undefined
    expect(content).toMatchObject({
      transcript: expect.stringMatching(/^This is a long story\. ?/),
    })
    client.send({ ...cut, audio_end_ms: 5000 })
    expect(await client.next('error')).toMatchObject({
      error: { code: 'invalid_value', param: 'audio_end_ms' },
    })
  })

  test('does not happen if the client turns it off, and the next answer follows [ENG-3]', async () => {
    await configure({ turn_detection: { type: 'server_vad', interrupt_response: false } })
    client.send({ type: 'response.create' })
    sendSound(client, await speak('How many tickets are open?'))
    const first = await client.next('response.done')
    expect(first.response.status).toBe('completed')
    const second = await client.next('response.done')
    expect(second.response.output).toMatchObject([{ name: 'count_tickets' }])
  })
})

test('clearing the buffer discards its audio', async () => {
  await configure({ turn_detection: null })
  sendSound(client, await speak('What time is it?'))
  client.send({ type: 'input_audio_buffer.clear' })
  await client.next('input_audio_buffer.cleared')
  client.send({ type: 'input_audio_buffer.commit' })
  expect(await client.next('error')).toMatchObject({ error: { code: 'input_audio_buffer_commit_empty' } })
})

test('the voice cannot change after the first audio', async () => {
  await configure({ turn_detection: null }, { voice: 'echo' })
  client.send({ type: 'response.create' })
  await client.next('response.done')
  client.send({
    type: 'session.update',
    session: { type: 'realtime', audio: { output: { voice: 'coral' } } },
  })
  expect(await client.next('error')).toMatchObject({ error: { code: 'cannot_update_voice' } })
})

test('everything works without the native runtime', async ({ onTestFinished }) => {
  const lines: string[] = []
  const portable = await startEngine({
    port: 0,
    secret: null,
    runtime: 'wasm',
    log: (line) => lines.push(line),
  })
  onTestFinished(() => portable.close())
  portable.prepare()
  const first = client
  client = await RealtimeClient.connect(portable.url)
  await first.close()
  await configure({ turn_detection: { type: 'server_vad' } })
  sendSound(client, await speak('How many tickets are open?'))
  const { transcript } = await client.next('conversation.item.input_audio_transcription.completed')
  expect(words(transcript)).toBe('how many tickets are open')
  expect((await client.next('response.done')).response.output).toMatchObject([{ name: 'count_tickets' }])
  expect(lines.join()).toMatch(/Speech recognition is ready after .* \(WebAssembly\)\./)
}, 120_000)
