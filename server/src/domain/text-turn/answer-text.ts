const betweenSteps = '\n\n'

/** What a model says over the steps of a turn, as one text: a new step begins a new paragraph. */
export class AnswerText {
  readonly #onText: ((delta: string) => void) | undefined
  #text = ''
  /** What was heard of the step under way, in characters. */
  #heardLength = 0
  #isClosed = false

  constructor(onText: ((delta: string) => void) | undefined) {
    this.#onText = onText
  }

  get text(): string {
    return this.#text
  }

  hear(delta: string): void {
    if (this.#isClosed || delta === '') return
    if (this.#heardLength === 0 && this.#text !== '') this.#say(betweenSteps)
    this.#heardLength += delta.length
    this.#say(delta)
  }

  /** Ends a step; what it said without a sound is heard now. */
  finishStep(text: string): void {
    this.hear(text.slice(this.#heardLength))
    this.#heardLength = 0
  }

  /** The turn is over: a model that was given up may go on speaking, and nobody listens. */
  close(): void {
    this.#isClosed = true
  }

  #say(delta: string): void {
    this.#text += delta
    this.#onText?.(delta)
  }
}
