import { encodeG711, noticeTone } from '@parley/telephone'
import type { Announcements } from '../../ports/announcements.js'
import type { Log } from '../../ports/log.js'
import type { Timers } from '../../ports/time.js'

export interface AnnouncementsDependencies {
  readonly timers: Timers
  readonly log: Log
  /** Speaks an English sentence, as samples at 8000 Hz. Throws if there is no voice. */
  readonly speak: (text: string) => Promise<Int16Array>
}

const speakMilliseconds = 3000
const maxSamples = 10 * 8000

/** Speaks the sentences of the service with the built-in voice, which only knows English. */
export function makeAnnouncements({ timers, log, speak }: AnnouncementsDependencies): Announcements {
  /** The service has only a few sentences. */
  const spoken = new Map<string, Promise<Int16Array>>()

  async function speakOnce(text: string): Promise<Int16Array | null> {
    let speaking = spoken.get(text)
    if (speaking === undefined) {
      speaking = speak(text)
      spoken.set(text, speaking)
      // The next call tries again.
      speaking.catch(() => spoken.delete(text))
    }
    try {
      const inTime = await timers.within(speakMilliseconds, speaking)
      return inTime.ok && inTime.value.length > 0 ? inTime.value : null
    } catch (error) {
      log.warn({ err: error }, 'an announcement could not be spoken')
      return null
    }
  }

  return {
    async soundOf({ text, language }, codec) {
      const isEnglish = /^en(-|$)/i.test(language)
      const samples = (isEnglish ? await speakOnce(text) : null) ?? noticeTone()
      return encodeG711(samples.subarray(0, maxSamples), codec)
    },
  }
}
