import { randomBytes } from 'node:crypto'
import { type ChatModels, type ChatStep, type ChatTarget, noUsage } from '../../ports/chat-model.js'
import type { ThreadRequest, VoicedStepRequest, VoicedStepResult } from './thread-messages.js'

/** Longer than any user waits for an answer. */
const stepTimeoutMilliseconds = 60_000
const tokenBytes = 16

interface RunningStep {
  readonly token: string
  readonly abort: AbortController
}

/**
 * The service's side of the chat models that an engine provides speech for. A token gives its holder access
 * to one model. The model's address and key stay on this side.
 */
export class VoicedModels {
  readonly #models: ChatModels
  readonly #send: (request: ThreadRequest) => void
  readonly #targets = new Map<string, ChatTarget>()
  readonly #steps = new Map<number, RunningStep>()

  constructor(models: ChatModels, send: (request: ThreadRequest) => void) {
    this.#models = models
    this.#send = send
  }

  /** Returns a token for this model. It is valid until it is released. */
  admit(target: ChatTarget): string {
    const token = randomBytes(tokenBytes).toString('base64url')
    this.#targets.set(token, target)
    return token
  }

  /** Invalidates the token and cancels its steps. Must be called when the session has ended. */
  release(token: string): void {
    this.#targets.delete(token)
    for (const step of this.#steps.values()) if (step.token === token) step.abort.abort()
  }

  async runStep(id: number, { token, ...request }: VoicedStepRequest): Promise<void> {
    const target = this.#targets.get(token)
    const abort = new AbortController()
    this.#steps.set(id, { token, abort })
    const step: ChatStep =
      target === undefined
        ? failure('The session has ended.')
        : await this.#models
            .step({
              ...request,
              target,
              timeoutMilliseconds: stepTimeoutMilliseconds,
              signal: abort.signal,
              onText: (delta) => this.#send({ type: 'voiced-text', id, delta }),
            })
            .catch((error: unknown) => failure(error instanceof Error ? error.message : String(error)))
    this.#steps.delete(id)
    this.#send({ type: 'voiced-result', id, result: resultOf(step) })
  }

  cancel(id: number): void {
    this.#steps.get(id)?.abort.abort()
  }

  /** Called when the engine has ended. */
  end(): void {
    for (const { abort } of this.#steps.values()) abort.abort()
    this.#targets.clear()
  }
}

function resultOf(step: ChatStep): VoicedStepResult {
  if (!step.ok) return { ok: false, message: step.detail }
  const { calls, usage, isCutOff } = step
  return { ok: true, calls, usage, isCutOff }
}

function failure(detail: string): ChatStep {
  return { ok: false, detail, text: '', usage: noUsage }
}
