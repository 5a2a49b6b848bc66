import type { SessionEvent } from './session-event.js'
import { isOver, isSettled, newTurn, stepTurn, type Turn } from './turn.js'

/** The outcome of a turn. `unheard`: no answer to speech. `ended`: the session ended. */
export type TurnResult = 'answered' | 'failed' | 'unheard' | 'ended'

export interface TurnWaitOptions {
  readonly isSpoken: boolean
  /** The timeout for detecting speech. The service may have to load its models first. */
  readonly noticingMilliseconds?: number
  /** The timeout for storing the answer. Nothing depends on it, so it is short. */
  readonly storingMilliseconds?: number
}

/** Waits for the end of one turn. */
export class TurnWait {
  readonly result: Promise<TurnResult>
  readonly #noticingMilliseconds: number
  readonly #storingMilliseconds: number
  #resolve: (result: TurnResult) => void = () => undefined
  #turn: Turn = newTurn
  #isSpeaking: boolean
  #timer: NodeJS.Timeout | undefined

  constructor({ isSpoken, noticingMilliseconds = 30_000, storingMilliseconds = 2000 }: TurnWaitOptions) {
    this.#isSpeaking = isSpoken
    this.#noticingMilliseconds = noticingMilliseconds
    this.#storingMilliseconds = storingMilliseconds
    this.result = new Promise((resolve) => {
      this.#resolve = resolve
    })
  }

  handle(event: SessionEvent): void {
    this.#turn = stepTurn(this.#turn, event)
    if (event.type === 'response.created') clearTimeout(this.#timer)
    this.#check()
  }

  /** All input was sent. An earlier response may answer only the part before a pause. */
  endSpeech(): void {
    this.#isSpeaking = false
    if (this.#turn.result === 'pending' && !this.#turn.isResponding)
      this.#timer = setTimeout(() => this.end('unheard'), this.#noticingMilliseconds)
    this.#check()
  }

  end(result: TurnResult): void {
    clearTimeout(this.#timer)
    this.#resolve(result)
  }

  #check(): void {
    const { result } = this.#turn
    if (this.#isSpeaking || result === 'pending' || !isOver(this.#turn)) return
    if (isSettled(this.#turn)) return this.end(result)
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.end(result), this.#storingMilliseconds)
  }
}
