import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Engine, startEngine } from '#engine/start-engine.js'
import { RealtimeClient, userText } from '../support/realtime-client.js'
import { sendSound } from '../support/voice.js'

let engine: Engine
let client: RealtimeClient
beforeAll(async () => {
  // The queue takes no jobs, so the engine is always overloaded.
  engine = await startEngine({ port: 0, secret: null, maxWaitingJobs: 0 })
})
afterAll(() => engine.close())
beforeEach(async () => {
  client = await RealtimeClient.connect(engine.url)
  return () => client.close()
})

const second = Buffer.alloc(48_000)

describe('An overloaded engine', () => {
  test('returns an error instead of speaking [ENG-7]', async () => {
    client.send({ type: 'response.create' })
    expect(await client.next('error')).toMatchObject({
      error: { type: 'rate_limit_error', code: 'rate_limit_exceeded' },
    })
    expect((await client.next('response.done')).response).toMatchObject({
      status: 'failed',
      status_details: { type: 'failed', error: { code: 'rate_limit_exceeded' } },
    })
  })

  test('returns an error instead of transcribing [ENG-7]', async () => {
    client.send({
      type: 'session.update',
      session: {
        type: 'realtime',
        audio: { input: { turn_detection: null, transcription: { model: 'moonshine' } } },
      },
    })
    sendSound(client, second)
    client.send({ type: 'input_audio_buffer.commit' })
    client.send({ type: 'response.create' })
    expect(await client.next('conversation.item.input_audio_transcription.failed')).toMatchObject({
      error: { code: 'rate_limit_exceeded' },
    })
    expect((await client.next('response.done')).response.status).toBe('failed')
  })

  test('returns one error, not one for each chunk [ENG-7]', async () => {
    sendSound(client, second)
    client.send({ type: 'input_audio_buffer.clear' })
    await client.next('input_audio_buffer.cleared')
    const errors = client.events.flatMap((event) => (event.type === 'error' ? [event.error.code] : []))
    expect(errors).toEqual(['rate_limit_exceeded'])
  })

  test('compares only words if it cannot compare meanings [ENG-7]', async () => {
    client.send({
      type: 'session.update',
      session: {
        type: 'realtime',
        output_modalities: ['text'],
        tools: [
          {
            type: 'function',
            name: 'count_tickets',
            description: 'How many tickets are open',
            parameters: {},
          },
        ],
      },
    })
    client.send(userText('How many tickets are open?'))
    client.send({ type: 'response.create' })
    expect((await client.next('response.done')).response.output).toMatchObject([{ name: 'count_tickets' }])
  })

  test.each([
    ['My code word is falcon.', 'What is my code word?', /falcon/i],
    ['The meeting is on Tuesday.', 'When is the meeting?', /tuesday/i],
    ['The meeting is on Tuesday.', 'When is the dinner?', /^(?!.*tuesday)/is],
  ])('finds earlier statements by their words: "%s" "%s" [ENG-7]', async (said, question, answer) => {
    client.send({ type: 'session.update', session: { type: 'realtime', output_modalities: ['text'] } })
    client.send(userText(said))
    client.send(userText(question))
    client.send({ type: 'response.create' })
    const { response } = await client.next('response.done')
    expect(response.output).toMatchObject([{ content: [{ text: expect.stringMatching(answer) }] }])
  })
})
