import type { Timers } from '../../ports/time.js'

/** How long the last words of the agent may take before the action. */
const farewellMilliseconds = 20_000

/** Runs an action, such as hanging up, after the queued audio of the agent was played. */
export class LastWords {
  readonly #timers: Timers
  /** The passage that is played, or null if none is. */
  #playing: string | null = null
  #action: (() => void) | null = null
  #cancel: () => void = () => undefined

  constructor(timers: Timers) {
    this.#timers = timers
  }

  /** The first action wins, for example a transfer before hanging up. */
  after(action: () => void): void {
    if (this.#action !== null) return
    this.#action = action
    this.#cancel = this.#timers.after(farewellMilliseconds, () => this.#act())
  }

  notePlaying(passage: string): void {
    this.#playing = passage
  }

  /** Called when a passage has been played. */
  notePlayed(passage: string): void {
    if (passage === this.#playing) this.#playing = null
    this.noteResponseDone()
  }

  /** Called when the queued words were discarded. */
  noteSilence(): void {
    this.#playing = null
  }

  noteResponseDone(): void {
    if (this.#playing === null) this.#act()
  }

  stop(): void {
    this.#action = null
    this.#cancel()
  }

  #act(): void {
    const action = this.#action
    if (action === null) return
    this.stop()
    action()
  }
}
