import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { describe, expect, test } from 'vitest'
import { openAiTranscriptions } from '#engine/speech-to-text/openai-transcriptions.js'
import { type Engine, startEngine } from '#engine/start-engine.js'
import { openAiChat } from '#engine/text-model/openai-chat.js'
import { openAiSpeech } from '#engine/text-to-speech/openai-speech.js'
import { type Heard, type OutsideServer, startOutsideServer, stream } from '../support/outside-server.js'
import { RealtimeClient, userText } from '../support/realtime-client.js'
import { sessionTool, weather } from '../support/tools.js'
import { sendSound } from '../support/voice.js'

type Answer = (heard: Heard, response: ServerResponse) => void

async function start(answer: Answer, onTestFinished: (work: () => Promise<void>) => void) {
  const outside = await startOutsideServer(answer)
  const service = { baseUrl: outside.baseUrl, apiKey: 'key', model: 'elsewhere', timeoutMilliseconds: 2000 }
  const engine: Engine = await startEngine({
    port: 0,
    secret: null,
    textModel: openAiChat(service),
    speechToText: openAiTranscriptions(service),
    textToSpeech: openAiSpeech(service),
  })
  const client = await RealtimeClient.connect(engine.url)
  onTestFinished(async () => {
    await client.close()
    await Promise.all([engine.close(), outside.close()])
  })
  return { outside, client }
}

const delta = (content: string) => ({ choices: [{ delta: { content } }] })
const piece = (index: number, part: object, id?: string) => ({
  choices: [{ delta: { tool_calls: [{ index, ...(id === undefined ? {} : { id }), function: part }] } }],
})

function bodyOf(outside: OutsideServer, path: string) {
  return JSON.parse(outside.heard.find((heard) => heard.path === path)?.body.toString() ?? 'null')
}

test('does not follow redirects of an external service [OUT-7]', async ({ onTestFinished }) => {
  const { outside, client } = await start(
    (_heard, response) => response.writeHead(307, { location: '/v1/other' }).end(),
    onTestFinished,
  )
  client.send(userText('Hello.'))
  client.send({ type: 'response.create' })
  const { response } = await client.next('response.done')
  expect(response).toMatchObject({ status: 'failed' })
  expect(outside.heard.map(({ path }) => path)).toEqual(['/v1/chat/completions'])
})

test('external services can transcribe, answer and speak [ENG-6]', async ({ onTestFinished }) => {
  const { outside, client } = await start((heard, response) => {
    if (heard.path === '/v1/audio/transcriptions') response.end('{"text":" Good morning. "}')
    else if (heard.path === '/v1/audio/speech') response.end(Buffer.alloc(4800, 1))
    else
      stream(response, [
        delta('Good '),
        delta('morning. How'),
        delta(' are you?'),
        { choices: [], usage: { prompt_tokens: 11, completion_tokens: 7 } },
      ])
  }, onTestFinished)
  client.send({
    type: 'session.update',
    session: {
      type: 'realtime',
      instructions: 'Be kind.',
      audio: {
        input: { turn_detection: null, transcription: { model: 'any', language: 'en' } },
        output: { voice: 'sage' },
      },
    },
  })
  sendSound(client, Buffer.alloc(9600))
  client.send({ type: 'input_audio_buffer.commit' })
  expect((await client.next('conversation.item.input_audio_transcription.completed')).transcript).toBe(
    'Good morning.',
  )
  client.send({ type: 'response.create' })
  const { response } = await client.next('response.done')
  expect(response.output).toMatchObject([{ content: [{ transcript: 'Good morning. How are you?' }] }])
  expect(response.usage?.input_token_details?.text_tokens).toBe(11)
  expect(response.usage?.output_token_details?.text_tokens).toBe(7)
  const sound = client.events.flatMap((event) =>
    event.type === 'response.output_audio.delta' ? [event.delta] : [],
  )
  expect(Buffer.concat(sound.map((part) => Buffer.from(part, 'base64')))).toEqual(Buffer.alloc(9600, 1))

  expect(outside.heard.every(({ authorization }) => authorization === 'Bearer key')).toBe(true)
  expect(outside.heard[0]?.body.toString('latin1')).toContain('RIFF')
  expect(bodyOf(outside, '/v1/audio/speech')).toEqual({
    model: 'elsewhere',
    input: 'Good morning.',
    voice: 'sage',
    speed: 1,
    response_format: 'pcm',
  })
  expect(bodyOf(outside, '/v1/chat/completions').messages).toEqual([
    { role: 'system', content: 'Be kind.' },
    { role: 'user', content: 'Good morning.' },
  ])
})

test('an external model can call several tools at once and read their results', async ({
  onTestFinished,
}) => {
  const answers: Answer[] = [
    (_, response) =>
      stream(response, [
        delta('One moment.'),
        piece(0, { name: 'get_weather', arguments: '{"city":' }, 'call_a'),
        piece(0, { arguments: '"London"}' }),
        piece(1, { name: 'get_weather', arguments: '{"city":"Paris"}' }, 'call_b'),
      ]),
    (_, response) => stream(response, [delta('Warm.')]),
  ]
  const { outside, client } = await start(
    (heard, response) => answers.shift()?.(heard, response),
    onTestFinished,
  )
  client.send({
    type: 'session.update',
    session: { type: 'realtime', output_modalities: ['text'], tools: [sessionTool(weather)] },
  })
  const response = await client.ask('The weather in London and Paris?')
  expect(response.output).toMatchObject([
    { type: 'message', content: [{ text: 'One moment.' }] },
    { type: 'function_call', call_id: 'call_a', arguments: '{"city":"London"}' },
    { type: 'function_call', call_id: 'call_b', arguments: '{"city":"Paris"}' },
  ])
  for (const call_id of ['call_a', 'call_b'])
    client.send({
      type: 'conversation.item.create',
      item: { type: 'function_call_output', call_id, output: '20' },
    })
  client.send({ type: 'response.create' })
  expect((await client.next('response.done')).response.output).toMatchObject([
    { content: [{ text: 'Warm.' }] },
  ])
  const second = JSON.parse(outside.heard[1]?.body.toString() ?? '')
  expect(second.tools).toMatchObject([{ type: 'function', function: { name: 'get_weather' } }])
  expect(second.messages.slice(1)).toEqual([
    {
      role: 'assistant',
      content: 'One moment.',
      tool_calls: [
        { id: 'call_a', type: 'function', function: { name: 'get_weather', arguments: '{"city":"London"}' } },
        { id: 'call_b', type: 'function', function: { name: 'get_weather', arguments: '{"city":"Paris"}' } },
      ],
    },
    { role: 'tool', tool_call_id: 'call_a', content: '20' },
    { role: 'tool', tool_call_id: 'call_b', content: '20' },
  ])
})

describe('An external service', () => {
  type Row = readonly [what: string, answer: Answer, status: string, code: string]
  const rows: readonly Row[] = [
    ['answers 401', (_, response) => response.writeHead(401).end('no key'), 'failed', 'text_model_failed'],
    ['answers 429', (_, response) => response.writeHead(429).end(), 'failed', 'rate_limit_exceeded'],
    ['sends invalid JSON', (_, response) => response.end('data: {\n\n'), 'failed', 'text_model_failed'],
    [
      'closes the stream early',
      (_, response) => response.writeHead(200).write('data: {}\n\n', () => response.destroy()),
      'failed',
      'text_model_failed',
    ],
    [
      'reports an error',
      (_, response) => stream(response, [{ error: { message: 'No.' } }]),
      'failed',
      'text_model_failed',
    ],
  ]

  test.each(rows)('fails the response but not the session if it %s', async (_, answer, status, code) => {
    const finished: (() => Promise<void>)[] = []
    const { client } = await start(answer, (work) => finished.push(work))
    client.send({ type: 'session.update', session: { type: 'realtime', output_modalities: ['text'] } })
    client.send(userText('Hello.'))
    client.send({ type: 'response.create' })
    expect((await client.next('error')).error.code).toBe(code)
    expect((await client.next('response.done')).response).toMatchObject({
      status,
      status_details: { error: { code } },
    })
    client.send({ type: 'input_audio_buffer.clear' })
    await client.next('input_audio_buffer.cleared')
    for (const work of finished) await work()
  })

  test('makes the response incomplete if it stops at the token limit', async ({ onTestFinished }) => {
    const { client } = await start(
      (_, response) =>
        stream(response, [delta('Once upon'), { choices: [{ delta: {}, finish_reason: 'length' }] }]),
      onTestFinished,
    )
    client.send({
      type: 'session.update',
      session: { type: 'realtime', output_modalities: ['text'], max_output_tokens: 5 },
    })
    expect(await client.ask('Tell me a story.')).toMatchObject({
      status: 'incomplete',
      status_details: { type: 'incomplete', reason: 'max_output_tokens' },
      output: [{ status: 'incomplete', content: [{ text: 'Once upon' }] }],
    })
  })

  test('gets no more requests after the response is cancelled', async ({ onTestFinished }) => {
    let isLeft: Promise<unknown> = Promise.resolve()
    const { client } = await start((_, response) => {
      isLeft = once(response, 'close')
      response.writeHead(200).write(`data: ${JSON.stringify(delta('Once'))}\n\n`)
    }, onTestFinished)
    client.send({ type: 'session.update', session: { type: 'realtime', output_modalities: ['text'] } })
    client.send(userText('Tell me a story.'))
    client.send({ type: 'response.create' })
    await client.next('response.output_text.delta')
    client.send({ type: 'response.cancel' })
    expect((await client.next('response.done')).response.status).toBe('cancelled')
    await isLeft
  })
})
