import { callSafely } from './emitter.js'
import { changeState, firstState, type StateFields, type VoiceState } from './voice-state.js'

/** The state and its subscribers. Several changes in a row cause one notification. */
export class StateStore {
  readonly #listeners = new Set<(state: VoiceState) => void>()
  #state = firstState
  #isNotifying = false

  get(): VoiceState {
    return this.#state
  }

  subscribe(listener: (state: VoiceState) => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  change(fields: Partial<StateFields>): void {
    const state = changeState(this.#state, fields)
    if (state === this.#state) return
    this.#state = state
    if (this.#isNotifying) return
    this.#isNotifying = true
    queueMicrotask(() => {
      this.#isNotifying = false
      for (const listener of [...this.#listeners]) callSafely(listener, this.#state)
    })
  }
}
