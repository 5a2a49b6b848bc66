import { contain } from '../contain.js'
import type { Timers } from '../time.js'
import { frameMilliseconds } from './frame.js'

export interface Paced {
  /** Called every 20 ms. */
  frame(): void
}

/** After a longer delay, missed frames are left out. They would arrive in a burst. */
const maxLateMilliseconds = 200
/** Timers have whole milliseconds, so a frame may be this early. */
const tolerance = 0.5

/** One timer for the audio of all calls. Its deadlines are absolute, so that delays do not add up. */
export class PacingClock {
  readonly #timers: Timers
  readonly #members = new Set<Paced>()
  #next = 0
  #cancel: (() => void) | null = null

  constructor(timers: Timers) {
    this.#timers = timers
  }

  get size(): number {
    return this.#members.size
  }

  add(member: Paced): void {
    this.#members.add(member)
    if (this.#cancel !== null) return
    this.#next = this.#timers.monotonic() + frameMilliseconds
    this.#wait()
  }

  remove(member: Paced): void {
    this.#members.delete(member)
    if (this.#members.size > 0) return
    this.#cancel?.()
    this.#cancel = null
  }

  #wait(): void {
    const delay = Math.max(0, this.#next - this.#timers.monotonic())
    this.#cancel = this.#timers.after(delay, () => this.#tick())
  }

  #tick(): void {
    const now = this.#timers.monotonic()
    if (now - this.#next > maxLateMilliseconds) this.#next = now
    while (this.#next <= now + tolerance && this.#members.size > 0) {
      this.#next += frameMilliseconds
      for (const member of this.#members) contain(() => member.frame())
    }
    if (this.#members.size > 0) this.#wait()
  }
}
