import { encodeG711, noticeTone } from '@parley/telephone'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { makeAnnouncements } from '#server/adapters/telephone/announcements.js'
import { makeTestTimers } from '../../support/test-timers.js'

const log = pino({ level: 'silent' })
const goodbye = { text: 'Goodbye.', language: 'en-GB' }
const speech = Int16Array.from({ length: 800 }, (_, at) => at * 20)
const tone = encodeG711(noticeTone(), 'g711_ulaw')

test('is spoken once, and then kept, in the codec of the call [TEL-59]', async () => {
  let count = 0
  const speak = async () => {
    count += 1
    return speech
  }
  const announcements = makeAnnouncements({ timers: makeTestTimers(), log, speak })
  for (const codec of ['g711_ulaw', 'g711_alaw'] as const)
    expect(await announcements.soundOf(goodbye, codec)).toEqual(encodeG711(speech, codec))
  expect(count).toBe(1)
})

test('is a tone in a language that the voice does not speak [TEL-59]', async () => {
  const speak = async () => speech
  const announcements = makeAnnouncements({ timers: makeTestTimers(), log, speak })
  for (const language of ['de', 'enm-GB', 'es-419'])
    expect(await announcements.soundOf({ ...goodbye, language }, 'g711_ulaw')).toEqual(tone)
})

test('is a tone after 3 seconds, and the speech is kept for the next call [TEL-59]', async () => {
  const timers = makeTestTimers()
  let spoken: (samples: Int16Array) => void = () => undefined
  const speak = () =>
    new Promise<Int16Array>((resolve) => {
      spoken = resolve
    })
  const announcements = makeAnnouncements({ timers, log, speak })
  const first = announcements.soundOf(goodbye, 'g711_ulaw')
  timers.advance(3000)
  expect(await first).toEqual(tone)
  spoken(speech)
  expect(await announcements.soundOf(goodbye, 'g711_ulaw')).toEqual(encodeG711(speech, 'g711_ulaw'))
})

test('is a tone if there is no voice, and the next call tries again [TEL-59]', async () => {
  const answers = [Promise.reject(new Error('No voice.')), Promise.resolve(speech)]
  answers[0]?.catch(() => undefined)
  const speak = () => answers.shift() ?? Promise.resolve(new Int16Array())
  const announcements = makeAnnouncements({ timers: makeTestTimers(), log, speak })
  expect(await announcements.soundOf(goodbye, 'g711_ulaw')).toEqual(tone)
  expect(await announcements.soundOf(goodbye, 'g711_ulaw')).toEqual(encodeG711(speech, 'g711_ulaw'))
})

test('is at most 10 seconds long [TEL-59]', async () => {
  const speak = async () => new Int16Array(30 * 8000)
  const announcements = makeAnnouncements({ timers: makeTestTimers(), log, speak })
  expect((await announcements.soundOf(goodbye, 'g711_alaw')).length).toBe(10 * 8000)
})
