const betweenSteps = '\n\n'
/** Nobody reads more of one answer; it is stored, emitted, and read by the model again with every later question. */
const maxCharacters = 1_000_000
const cutNote = '\n\n[The answer was cut here: it is longer than this service takes.]'

/** What a model says over the steps of a turn, as one text: a new step begins a new paragraph. */
export class AnswerText {
  readonly #onText: ((delta: string) => void) | undefined
  #text = ''
  /** How many characters of the step under way were appended. */
  #stepLength = 0
  #isClosed = false
  #isCut = false

  constructor(onText: ((delta: string) => void) | undefined) {
    this.#onText = onText
  }

  get text(): string {
    return this.#text
  }

  /** Whether it was cut: then nothing more is asked for. */
  get isCut(): boolean {
    return this.#isCut
  }

  append(delta: string): void {
    if (this.#isClosed || this.#isCut || delta === '') return
    if (this.#stepLength === 0 && this.#text !== '') this.#emit(betweenSteps)
    this.#stepLength += delta.length
    const room = Math.max(0, maxCharacters - this.#text.length)
    this.#isCut = delta.length > room
    this.#emit(this.#isCut ? `${delta.slice(0, room).toWellFormed()}${cutNote}` : delta)
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
