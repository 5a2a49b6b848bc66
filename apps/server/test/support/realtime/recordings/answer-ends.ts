import type { Fields } from './client-steps.js'

interface GeminiContent {
  readonly modelTurn?: { readonly parts?: readonly Fields[] }
  readonly outputTranscription?: { readonly text?: string }
  readonly turnComplete?: boolean
  readonly interrupted?: boolean
}

/** Counts the answers that a provider has ended, read from its messages without the service's adapters. */
export class AnswerEnds {
  #count = 0
  #isOpen = false

  get count(): number {
    return this.#count
  }

  note(message: Fields): void {
    if (message.type === 'response.done') this.#count += 1
    const { modelTurn, outputTranscription, turnComplete, interrupted } = (message.serverContent ??
      {}) as GeminiContent
    const isHeard = modelTurn?.parts?.some(({ inlineData }) => inlineData !== undefined) ?? false
    if (isHeard || (outputTranscription?.text ?? '') !== '') this.#isOpen = true
    const isEnd = turnComplete === true || interrupted === true
    if (message.toolCall !== undefined || (isEnd && this.#isOpen)) {
      this.#count += 1
      this.#isOpen = false
    }
  }
}
