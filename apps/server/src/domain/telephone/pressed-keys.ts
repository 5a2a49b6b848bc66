import type { Timers } from '../../ports/time.js'

/** Digits within this time belong together. */
const digitsMilliseconds = 1500
/** The maximum number of keys in one message to the model. */
const maxDigits = 64
/** How long a key leads to a person. */
const offerMilliseconds = 30_000
/** A key decides only after this time, because an earlier one cannot be the reply to the question. */
const questionMilliseconds = 1000

export interface PressedKeysListener {
  /** Called with the keys that belong together. */
  pressed(keys: string): void
  /** Called when the other party must be asked for a decision on a tool call. */
  asked(callId: string): void
  /** Called when a key decides on a tool call. */
  decided(callId: string, isApproved: boolean): void
  /** Called when a key was pressed that leads to a person. */
  chosen(target: string): void
}

interface Offer {
  readonly target: string
  readonly cancel: () => void
}

/*
 * The keys that the other party presses. A key has the first of these meanings that applies:
 *
 *   1. It decides on a tool call, because a recognizer may mishear a word. Tool calls are asked about one after another.
 *   2. It was offered for a person.
 *   3. It is text for the model, together with the keys around it.
 */
export class PressedKeys {
  readonly #timers: Timers
  readonly #listener: PressedKeysListener
  /** The tool calls that wait for a decision. The first one is asked for. */
  readonly #waiting: string[] = []
  readonly #offers = new Map<string, Offer>()
  #askedAt = 0
  #keys = ''
  #cancel: () => void = () => undefined

  constructor(timers: Timers, listener: PressedKeysListener) {
    this.#timers = timers
    this.#listener = listener
  }

  press(key: string): void {
    const [callId] = this.#waiting
    if (callId !== undefined && (key === '1' || key === '2') && this.#isAsked) {
      this.#listener.decided(callId, key === '1')
      return this.noLongerAwait(callId)
    }
    const offer = this.#offers.get(key)
    if (offer !== undefined) {
      this.#forgetOffers()
      return this.#listener.chosen(offer.target)
    }
    this.#keys += key
    this.#cancel()
    if (this.#keys.length >= maxDigits) return this.#flush()
    this.#cancel = this.#timers.after(digitsMilliseconds, () => this.#flush())
  }

  /** Makes a key lead to a person for 30 seconds. Replaces an earlier offer of the key. */
  offer(key: string, target: string): void {
    this.#offers.get(key)?.cancel()
    const cancel = this.#timers.after(offerMilliseconds, () => this.#offers.delete(key))
    this.#offers.set(key, { target, cancel })
  }

  await(callId: string): void {
    if (this.#waiting.includes(callId)) return
    this.#waiting.push(callId)
    if (this.#waiting.length === 1) this.#ask(callId)
  }

  noLongerAwait(callId: string): void {
    const at = this.#waiting.indexOf(callId)
    if (at < 0) return
    this.#waiting.splice(at, 1)
    const [next] = this.#waiting
    if (at === 0 && next !== undefined) this.#ask(next)
  }

  /** Called when the session with the waiting tool calls has ended. */
  forgetApprovals(): void {
    this.#waiting.length = 0
  }

  stop(): void {
    this.#cancel()
    this.#forgetOffers()
  }

  get #isAsked(): boolean {
    return this.#timers.monotonic() - this.#askedAt >= questionMilliseconds
  }

  #ask(callId: string): void {
    this.#askedAt = this.#timers.monotonic()
    this.#listener.asked(callId)
  }

  #forgetOffers(): void {
    for (const { cancel } of this.#offers.values()) cancel()
    this.#offers.clear()
  }

  #flush(): void {
    const keys = this.#keys
    this.#keys = ''
    this.#listener.pressed(keys)
  }
}
