import type { VoiceState } from '@parley/sdk/realtime'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { putIntoMicrophone } from '../browser/browser.js'
import type { RealtimeTestService } from '../realtime/realtime-service.js'
import type { ProviderSession } from '../realtime/scripted-provider.js'
import { patiently, responseCreated, responseDone } from '../realtime/spoken-turns.js'
import { acceptSession } from './scripted-voice.js'
import { audioDelta } from './tone.js'
import { openVoicePage, startVoiceIn } from './voice-page.js'

const rate = 24_000

const until = (what: () => unknown) => expect.poll(what, patiently)
export const stateOf = (page: Page) => page.evaluate<VoiceState>('({ ...voice.getState(), approvals: [] })')
/** Returns how many milliseconds of sound have left the page for the speakers. */
export const loudMillisecondsOf = (page: Page) => page.evaluate<number>('heard.loudMilliseconds')

/** Opens a page with a ready voice and a silent microphone. */
export async function openVoiceIn(
  running: RealtimeTestService,
  url = running.url,
  options = '',
): Promise<{ page: Page; provider: ProviderSession }> {
  await putIntoMicrophone(Buffer.alloc(rate * 60), rate)
  const page = await openVoicePage(running)
  await startVoiceIn(page, url, options)
  const provider = await acceptSession(running)
  await page.evaluate('voice.ready')
  return { page, provider }
}

/** Sends a whole spoken answer at once, much faster than playback. */
export function sendSpokenAnswer(provider: ProviderSession, itemId: string, seconds: number): void {
  provider.send(responseCreated('r'))
  for (let part = 0; part < seconds * 5; part += 1) provider.send(audioDelta(itemId, 200, 'r'))
  provider.send({ type: 'response.output_audio.done', response_id: 'r', item_id: itemId })
  provider.send(responseDone('r'))
}

/**
 * Interrupts an answer during playback and checks the reported position. Returns the milliseconds until the
 * speaker was silent.
 */
export async function interruptAnswer(
  page: Page,
  provider: ProviderSession,
  itemId: string,
): Promise<number> {
  const before = await loudMillisecondsOf(page)
  sendSpokenAnswer(provider, itemId, 4)
  await until(() => loudMillisecondsOf(page)).toBeGreaterThan(before + 600)
  expect((await stateOf(page)).phase).toBe('speaking')
  provider.send({ type: 'input_audio_buffer.speech_started', item_id: 'u', audio_start_ms: 0 })
  const truncated = await provider.inbox.takeType('conversation.item.truncate')
  await until(() => page.evaluate('heard.silentAt')).not.toBeNull()
  expect(truncated).toMatchObject({ item_id: itemId, content_index: 0 })
  // Both values count samples: the reported position equals the samples that left the page.
  expect(Math.abs(Number(truncated.audio_end_ms) - ((await loudMillisecondsOf(page)) - before))).toBeLessThan(
    30,
  )
  return page.evaluate<number>(
    "heard.silentAt - raw.findLast(([, type]) => type === 'input_audio_buffer.speech_started')[0]",
  )
}
