import { expect, test } from 'vitest'
import { startEngine } from '#engine/start-engine.js'
import { RealtimeClient, userText } from '../support/realtime-client.js'
import { sendSound } from '../support/voice.js'

const broken = () => Promise.reject(new Error('broken'))

test('third-party parts that throw fail the response but not the session', async ({ onTestFinished }) => {
  const engine = await startEngine({
    port: 0,
    secret: null,
    textModel: { respond: broken },
    speechToText: { canGuess: false, transcribe: broken },
  })
  onTestFinished(() => engine.close())
  const client = await RealtimeClient.connect(engine.url)
  client.send(userText('Hello.'))
  client.send({ type: 'response.create' })
  expect((await client.next('error')).error.code).toBe('server_error')
  expect((await client.next('response.done')).response.status).toBe('failed')

  client.send({
    type: 'session.update',
    session: { type: 'realtime', audio: { input: { turn_detection: null } } },
  })
  sendSound(client, Buffer.alloc(9600))
  client.send({ type: 'input_audio_buffer.commit' })
  client.send({ type: 'response.create' })
  expect((await client.next('error')).error).toMatchObject({
    code: 'speech_failed',
    message: 'Error: broken',
  })
  await client.close()
})

test('a failing voice also stops the text model', async ({ onTestFinished }) => {
  let isStopped = false
  const engine = await startEngine({
    port: 0,
    secret: null,
    textToSpeech: { speak: broken },
    textModel: {
      async respond({ onText, signal }) {
        onText('One sentence. Another one. ')
        await new Promise((resolve) => signal.addEventListener('abort', resolve))
        isStopped = true
        return { ok: true, calls: [], usage: null, isCutOff: false }
      },
    },
  })
  onTestFinished(() => engine.close())
  const client = await RealtimeClient.connect(engine.url)
  client.send({ type: 'response.create' })
  expect((await client.next('error')).error.code).toBe('speech_failed')
  expect((await client.next('response.done')).response.status).toBe('failed')
  expect(isStopped).toBe(true)
  await client.close()
})
