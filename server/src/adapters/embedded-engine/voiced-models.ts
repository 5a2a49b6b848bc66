import { randomBytes } from 'node:crypto'
import { type ChatModels, type ChatStep, type ChatTarget, noUsage } from '../../ports/chat-model.js'
import type { ThreadRequest, VoicedAnswer, VoicedQuestion } from './thread-messages.js'

/** Longer than anybody waits for somebody to speak. */
const stepTimeoutMilliseconds = 60_000
const ticketBytes = 16

interface Step {
  readonly ticket: string
  readonly abort: AbortController
}

/**
 * The service's side of the text models that an engine speaks for: who holds a ticket may ask the model that it stands
 * for. Address and key stay here.
 */
export class VoicedModels {
  readonly #models: ChatModels
  readonly #tell: (request: ThreadRequest) => void
  readonly #targets = new Map<string, ChatTarget>()
  readonly #steps = new Map<number, Step>()

  constructor(models: ChatModels, tell: (request: ThreadRequest) => void) {
    this.#models = models
    this.#tell = tell
  }

  admit(target: ChatTarget): string {
    const ticket = randomBytes(ticketBytes).toString('base64url')
    this.#targets.set(ticket, target)
    return ticket
  }

  /** The session is over, and what it asked for with it. */
  dismiss(ticket: string): void {
    this.#targets.delete(ticket)
    for (const step of this.#steps.values()) if (step.ticket === ticket) step.abort.abort()
  }

  async answer(id: number, question: VoicedQuestion): Promise<void> {
    const { ticket, ...asked } = question
    const target = this.#targets.get(ticket)
    const abort = new AbortController()
    this.#steps.set(id, { ticket, abort })
    const step: ChatStep =
      target === undefined
        ? failure('The session is over.')
        : await this.#models
            .step({
              ...asked,
              target,
              timeoutMilliseconds: stepTimeoutMilliseconds,
              signal: abort.signal,
              onText: (delta) => this.#tell({ type: 'voiced-text', id, delta }),
            })
            .catch((error: unknown) => failure(error instanceof Error ? error.message : String(error)))
    this.#steps.delete(id)
    this.#tell({ type: 'voiced-answer', id, answer: answerOf(step) })
  }

  cancel(id: number): void {
    this.#steps.get(id)?.abort.abort()
  }

  /** The engine is gone. */
  end(): void {
    for (const { abort } of this.#steps.values()) abort.abort()
    this.#targets.clear()
  }
}

function answerOf(step: ChatStep): VoicedAnswer {
  if (!step.ok) return { outcome: 'failed', message: step.detail }
  const { calls, usage, isCutOff } = step
  return { outcome: 'answered', calls, usage, isCutOff }
}

function failure(detail: string): ChatStep {
  return { ok: false, detail, text: '', usage: noUsage }
}
