const betweenSteps = '\n\n'

/** What a model says over the steps of a turn, as one text: a new step begins a new paragraph. */
export class AnswerText {
  readonly #onText: ((delta: string) => void) | undefined
  #text = ''
  /** How many characters of the step under way were appended. */
  #stepLength = 0
  #isClosed = false

  constructor(onText: ((delta: string) => void) | undefined) {
    this.#onText = onText
  }

  get text(): string {
    return this.#text
  }

  append(delta: string): void {
    if (this.#isClosed || delta === '') return
    if (this.#stepLength === 0 && this.#text !== '') this.#emit(betweenSteps)
    this.#stepLength += delta.length
    this.#emit(delta)
  }

  /** Ends a step; what of its text did not come in deltas is appended now. */
  finishStep(text: string): void {
    this.append(text.slice(this.#stepLength))
    this.#stepLength = 0
  }

  /** The turn is over: a model that was cancelled may still send deltas, and they are dropped. */
  close(): void {
    this.#isClosed = true
  }

  #emit(delta: string): void {
    this.#text += delta
    this.#onText?.(delta)
  }
}
