import type { Timers } from '../../ports/time.js'

/** Digits within this time belong together. */
const digitsMilliseconds = 1500
/** The maximum number of keys in one message to the model. */
const maxDigits = 64

export interface PressedKeysListener {
  /** Called with the keys that belong together. */
  pressed(keys: string): void
  /** Called when a key decides on a tool call. */
  decided(callId: string, isApproved: boolean): void
}

/** The keys that the other party presses. They decide on approvals, because a recognizer may mishear a word. */
export class PressedKeys {
  readonly #timers: Timers
  readonly #listener: PressedKeysListener
  /** The tool calls that wait for a decision. */
  readonly #waiting = new Set<string>()
  #keys = ''
  #cancel: () => void = () => undefined

  constructor(timers: Timers, listener: PressedKeysListener) {
    this.#timers = timers
    this.#listener = listener
  }

  press(key: string): void {
    const [callId] = this.#waiting
    if (callId !== undefined && (key === '1' || key === '2')) {
      this.#waiting.delete(callId)
      return this.#listener.decided(callId, key === '1')
    }
    this.#keys += key
    this.#cancel()
    if (this.#keys.length >= maxDigits) return this.#flush()
    this.#cancel = this.#timers.after(digitsMilliseconds, () => this.#flush())
  }

  await(callId: string): void {
    this.#waiting.add(callId)
  }

  noLongerAwait(callId: string): void {
    this.#waiting.delete(callId)
  }

  /** Called when the session with the waiting tool calls has ended. */
  forgetApprovals(): void {
    this.#waiting.clear()
  }

  stop(): void {
    this.#cancel()
  }

  #flush(): void {
    const keys = this.#keys
    this.#keys = ''
    this.#listener.pressed(keys)
  }
}
