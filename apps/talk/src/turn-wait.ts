import type { SessionEvent } from './session-event.js'
import { isOver, isSettled, newTurn, stepTurn, type Turn } from './turn.js'

/** What came of a turn; `unheard` where nothing was answered to what was spoken, `ended` where the session was. */
export type TurnResult = 'answered' | 'failed' | 'unheard' | 'ended'

export interface TurnWaitOptions {
  readonly isSpoken: boolean
  /** How long the other side may take to notice that it was spoken to: its models may have to be loaded first. */
  readonly noticingMilliseconds?: number
  /** How long the service may take to write the answer down; nothing depends on it, so no longer is waited. */
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

  /** The last word was sent. An answer to what came before a pause is not the answer to all of it. */
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
