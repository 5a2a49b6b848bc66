import { setInterval as ticks } from 'node:timers/promises'
import {
  speakOnTelephone,
  understandTelephone,
} from '../../../../../packages/engine/test/support/telephone-voice.js'
import type { MediaStream } from './scripted-twilio.js'

const frameMilliseconds = 20
const frameBytes = 160
const silence = Buffer.alloc(frameBytes, 0xff)

/** A caller that speaks and understands, on a media stream of Twilio. */
export class TelephoneCaller {
  readonly #stream: MediaStream
  #heard: Buffer[] = []

  constructor(stream: MediaStream) {
    this.#stream = stream
    void this.#listen()
  }

  /** Says a sentence faster than in real time. */
  async say(text: string, voice = 'ash'): Promise<void> {
    const sound = await speakOnTelephone(text, voice)
    for (let at = 0; at < sound.length; at += frameBytes)
      this.#stream.speak(sound.subarray(at, at + frameBytes))
  }

  /** Is silent in real time until the condition holds, as a telephone that sends sound all the time. */
  async waitFor(isReached: () => Promise<boolean>): Promise<void> {
    const reached = isReached()
    let isOver = false
    const settled = reached.finally(() => {
      isOver = true
    })
    settled.catch(() => undefined)
    for await (const _ of ticks(frameMilliseconds)) {
      if (isOver) break
      this.#stream.speak(silence)
    }
    await settled
  }

  /** Returns the words that were heard since the last call. */
  async understand(): Promise<string> {
    const sound = Buffer.concat(this.#heard)
    this.#heard = []
    return understandTelephone(sound)
  }

  /** Plays everything at once, and confirms it. */
  async #listen(): Promise<void> {
    for (;;) {
      const message = await this.#stream.inbox.takeJson().catch(() => null)
      if (message === null) return
      const { event, media, mark } = message as {
        event: string
        media?: { payload: string }
        mark?: { name: string }
      }
      if (event === 'media') this.#heard.push(Buffer.from(media?.payload ?? '', 'base64'))
      if (event === 'mark') this.#stream.played(mark?.name ?? '')
      if (event === 'clear') this.#heard = []
    }
  }
}
