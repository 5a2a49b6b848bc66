import type { SessionEvent } from './session-event.js'
import { isOver, isSettled, newTurn, stepTurn, type Turn } from './turn.js'

/** What came of a turn; `unheard` where the other side noticed no speech, `ended` where the session did. */
export type TurnResult = 'answered' | 'failed' | 'unheard' | 'ended'

/** How long what the service writes down may come after the answer; it decides nothing, so it is not waited for longer. */
const storingMilliseconds = 2000
/** How long the other side may take to notice speech: its models may have to be loaded first. */
const noticingMilliseconds = 15_000

/** Waits for the end of one turn. */
export class TurnWait {
  readonly result: Promise<TurnResult>
  readonly #resolve: (result: TurnResult) => void
  #turn: Turn = newTurn
  #isSpeaking: boolean
  #isNoticed = false
  #timer: NodeJS.Timeout | undefined

  constructor({ isSpoken }: { readonly isSpoken: boolean }) {
    this.#isSpeaking = isSpoken
    let resolve: (result: TurnResult) => void = () => undefined
    this.result = new Promise((settle) => {
      resolve = settle
    })
    this.#resolve = resolve
  }

  hear(event: SessionEvent): void {
    this.#turn = stepTurn(this.#turn, event)
    if (event.type === 'input_audio_buffer.speech_started' || event.type === 'response.created') {
      this.#isNoticed = true
      clearTimeout(this.#timer)
    }
    this.#look()
  }

  /** The last word was sent. An answer to what came before a pause is not the answer to all of it. */
  endSpeech(): void {
    this.#isSpeaking = false
    if (!this.#isNoticed) this.#timer = setTimeout(() => this.end('unheard'), noticingMilliseconds)
    this.#look()
  }

  end(result: TurnResult): void {
    clearTimeout(this.#timer)
    this.#resolve(result)
  }

  #look(): void {
    const { result } = this.#turn
    if (this.#isSpeaking || result === 'pending' || !isOver(this.#turn)) return
    if (isSettled(this.#turn)) return this.end(result)
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.end(result), storingMilliseconds)
  }
}
