import { afterAll, beforeAll, expect, test } from 'vitest'
import { type PhoneService, spoken, startPhoneService } from '../../support/telephone/phone-service.js'

const turns = 50
const maxMilliseconds = 200

let phone: PhoneService

beforeAll(async () => {
  phone = await startPhoneService()
})

afterAll(() => phone.close())

test('an agent is silent within 200 milliseconds when the other party speaks [TEL-62]', async () => {
  const { model, stream } = await phone.incoming()
  const durations: number[] = []
  for (let turn = 0; turn < turns; turn += 1) {
    model.send(spoken(`item_${turn}`))
    await stream.take('media')
    const startedAt = performance.now()
    model.send({ type: 'input_audio_buffer.speech_started', item_id: `question_${turn}`, audio_start_ms: 0 })
    await stream.take('clear')
    durations.push(performance.now() - startedAt)
  }
  expect(Math.max(...durations)).toBeLessThan(maxMilliseconds)
  stream.stop()
  await phone.newest({ state: 'ended' })
})
