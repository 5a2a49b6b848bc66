import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Engine, startEngine } from '#engine/start-engine.js'
import { RealtimeClient } from '../support/realtime-client.js'

let engine: Engine
beforeAll(async () => {
  engine = await startEngine({ port: 0, secret: null })
})
afterAll(() => engine.close())

test('asks a silent user after the idle timeout', async () => {
  const client = await RealtimeClient.connect(engine.url)
  const turn_detection = { type: 'server_vad', idle_timeout_ms: 5000 } as const
  client.send({
    type: 'session.update',
    session: { type: 'realtime', output_modalities: ['text'], audio: { input: { turn_detection } } },
  })
  client.send({ type: 'response.create' })
  await client.next('response.done')
  const { item_id } = await client.next('input_audio_buffer.timeout_triggered')
  expect((await client.next('input_audio_buffer.committed')).item_id).toBe(item_id)
  const { response } = await client.next('response.done')
  expect(JSON.stringify(response.output)).toContain('Are you still there?')
  await client.close()
})
