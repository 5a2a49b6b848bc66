import { afterAll, beforeAll, expect, test } from 'vitest'
import { type RealtimeTestService, startRealtimeService } from '../../support/realtime/realtime-service.js'
import { interruptAnswer, openVoiceIn } from '../../support/sdk/voice-in-page.js'
import { bundleForPages } from '../../support/sdk/voice-page.js'

let running: RealtimeTestService

beforeAll(async () => {
  running = await startRealtimeService()
  await bundleForPages()
})

afterAll(() => running.close())

test('a voice session in a page stops playback within 50 ms when a person speaks [SDK-28]', async () => {
  const { page, provider } = await openVoiceIn(running)
  expect(await interruptAnswer(page, provider, 'a')).toBeLessThan(50)
})
