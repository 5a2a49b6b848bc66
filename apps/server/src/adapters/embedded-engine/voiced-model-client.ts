import { chatMessages, type ModelAnswer, type ModelRequest, type TextModel } from '@parley/engine'
import type { ThreadReply, ThreadRequest, VoicedStepRequest, VoicedStepResult } from './thread-messages.js'

interface Pending {
  readonly onText: (delta: string) => void
  readonly settle: (answer: ModelAnswer) => void
}

/**
 * The engine's side of voiced models, in its thread. Each step is sent to the service as a message, and its
 * result is returned as messages too.
 */
export class VoicedModelClient {
  readonly #send: (reply: ThreadReply) => void
  readonly #pending = new Map<number, Pending>()
  #lastId = 0

  constructor(send: (reply: ThreadReply) => void) {
    this.#send = send
  }

  modelFor(token: string): TextModel {
    return { respond: (request) => this.#respond(token, request) }
  }

  /** Messages after a cancellation are ignored. */
  handle(message: Extract<ThreadRequest, { type: 'voiced-text' | 'voiced-result' }>): void {
    const pending = this.#pending.get(message.id)
    if (message.type === 'voiced-text') pending?.onText(message.delta)
    else pending?.settle(answerOf(message.result))
  }

  #respond(token: string, request: ModelRequest): Promise<ModelAnswer> {
    const { signal, onText } = request
    if (signal.aborted) return Promise.resolve(cancelled)
    this.#lastId += 1
    const id = this.#lastId
    return new Promise((resolve) => {
      const settle = (answer: ModelAnswer) => {
        this.#pending.delete(id)
        signal.removeEventListener('abort', cancel)
        resolve(answer)
      }
      const cancel = () => {
        this.#send({ type: 'voiced-cancel', id })
        settle(cancelled)
      }
      signal.addEventListener('abort', cancel)
      this.#pending.set(id, { onText, settle })
      this.#send({ type: 'voiced-step', id, request: stepRequest(token, request) })
    })
  }
}

const cancelled: ModelAnswer = { ok: false, kind: 'failed', message: 'The answer was cancelled.' }

function stepRequest(token: string, request: ModelRequest): VoicedStepRequest {
  const { messages, tools, toolChoice, maxOutputTokens } = request
  return {
    token,
    messages: chatMessages(messages),
    tools,
    toolChoice,
    ...(maxOutputTokens !== null && { maxOutputTokens }),
  }
}

/** If a provider does not report its usage, the engine counts the words. */
function answerOf(result: VoicedStepResult): ModelAnswer {
  if (!result.ok) return { ok: false, kind: 'failed', message: result.message }
  return result
}
