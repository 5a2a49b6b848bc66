import type { Leg } from '@parley/telephone'
import type { Announcement, Announcements } from '../../ports/announcements.js'
import type { Log } from '../../ports/log.js'
import type { Timers } from '../../ports/time.js'

export interface FinalAnnouncementDependencies {
  readonly timers: Timers
  readonly log: Log
  readonly announcements: Announcements
}

/** How long the preparation may take. */
const prepareMilliseconds = 5000
/** How long the provider may take to confirm that the sentence was played, beyond its length. */
const marginMilliseconds = 2000
const bytesPerMillisecond = 8
const passage = 'announcement'

/** A sentence of the service at the end of a call. */
export class FinalAnnouncement {
  readonly #dependencies: FinalAnnouncementDependencies
  #done: (() => void) | null = null
  #cancel: () => void = () => undefined

  constructor(dependencies: FinalAnnouncementDependencies) {
    this.#dependencies = dependencies
  }

  /** Discards the queued words of the model, and plays the sentence. Calls `done` once, at the latest after 17 seconds. */
  async play(leg: Pick<Leg, 'codec' | 'clear' | 'play'>, announcement: Announcement, done: () => void) {
    const { announcements, log } = this.#dependencies
    this.#done = done
    this.#startTimer(prepareMilliseconds)
    try {
      const [sound] = await Promise.all([announcements.soundOf(announcement, leg.codec), leg.clear()])
      if (this.#done === null) return
      this.#startTimer(sound.length / bytesPerMillisecond + marginMilliseconds)
      leg.play(sound, passage)
    } catch (error) {
      log.error({ err: error }, 'an announcement could not be played')
      this.#finish()
    }
  }

  notePlayed(played: string): void {
    if (played === passage) this.#finish()
  }

  stop(): void {
    this.#done = null
    this.#cancel()
  }

  #finish(): void {
    const done = this.#done
    this.stop()
    done?.()
  }

  #startTimer(milliseconds: number): void {
    this.#cancel()
    this.#cancel = this.#dependencies.timers.after(milliseconds, () => this.#finish())
  }
}
