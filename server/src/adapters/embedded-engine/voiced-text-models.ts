import { chatMessages, type ModelAnswer, type TextModel } from '@parley/engine'
import type { ThreadReply, ThreadRequest, VoicedAnswer } from './thread-messages.js'

interface Pending {
  readonly onText: (delta: string) => void
  readonly settle: (answer: ModelAnswer) => void
}

/** Text models of the service, as the engine in its thread sees them: it asks by message, and is answered by message. */
export class SpokenTextModels {
  readonly #tell: (reply: ThreadReply) => void
  readonly #pending = new Map<number, Pending>()
  #asked = 0

  constructor(tell: (reply: ThreadReply) => void) {
    this.#tell = tell
  }

  modelFor(ticket: string): TextModel {
    return {
      respond: ({ messages, tools, toolChoice, maxOutputTokens, signal, onText }) => {
        if (signal.aborted) return Promise.resolve(givenUp)
        this.#asked += 1
        const id = this.#asked
        return new Promise((resolve) => {
          const settle = (answer: ModelAnswer) => {
            this.#pending.delete(id)
            signal.removeEventListener('abort', cancel)
            resolve(answer)
          }
          const cancel = () => {
            this.#tell({ type: 'voiced-cancel', id })
            settle(givenUp)
          }
          signal.addEventListener('abort', cancel)
          this.#pending.set(id, { onText, settle })
          const question = { ticket, messages: chatMessages(messages), tools, toolChoice }
          this.#tell({
            type: 'voiced-question',
            id,
            question: { ...question, ...(maxOutputTokens !== null && { maxOutputTokens }) },
          })
        })
      },
    }
  }

  /** What comes after a cancellation finds nobody, and is meant to. */
  take(message: Extract<ThreadRequest, { type: 'voiced-text' | 'voiced-answer' }>): void {
    const pending = this.#pending.get(message.id)
    if (message.type === 'voiced-text') pending?.onText(message.delta)
    else pending?.settle(modelAnswer(message.answer))
  }
}

const givenUp: ModelAnswer = { outcome: 'failed', message: 'The answer was given up.' }

/** A provider that counts nothing has its words counted here. */
function modelAnswer(answer: VoicedAnswer): ModelAnswer {
  if (answer.outcome === 'failed') return answer
  const isCounted = answer.usage.inputTokens > 0 || answer.usage.outputTokens > 0
  return { ...answer, usage: isCounted ? answer.usage : null }
}
