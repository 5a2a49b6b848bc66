import { type Deadline, startDeadline } from '../../concurrency/deadline.js'
import type { AccessTokens } from '../../ports/access-tokens.js'
import type { ChatModels, ChatStep, ChatStepRequest, ChatTarget } from '../../ports/chat-model.js'
import type { Log } from '../../ports/log.js'
import type { Timers } from '../../ports/time.js'
import { answerToolName, formAfterRejection, inSupportedForm } from './answer-format.js'
import { describeFailure } from './describe-failure.js'
import { type Observation, observe } from './observed-fetch.js'
import { providerCallOf } from './provider-call.js'
import { type ProviderStream, providerModelOf } from './provider-model.js'
import { retryDelayMilliseconds } from './retry-delay.js'
import { StreamedAnswer } from './streamed-answer.js'

export interface ChatModelsDependencies {
  /** Returns the fetch function for all calls to this target. */
  readonly fetchFor: (target: ChatTarget) => typeof globalThis.fetch
  readonly accessTokens: AccessTokens
  readonly log: Log
  readonly timers: Timers
  /** The delay before the second attempt if the provider requests none. It doubles before the third. */
  readonly firstRetryDelayMilliseconds?: number
}

/**
 * Text models through the provider packages of the AI SDK. A step calls the provider's model directly,
 * because the SDK's own loop parses the arguments of calls, retries failed steps by its own rules, and prints
 * to the console.
 */
export function makeChatModels({
  fetchFor,
  accessTokens,
  log,
  timers,
  firstRetryDelayMilliseconds = 500,
}: ChatModelsDependencies): ChatModels {
  return {
    async step(request) {
      const { target } = request
      const answer = new StreamedAnswer(request.onText, request.responseSchema ? answerToolName : null)
      const { timeoutMilliseconds } = request
      const endsAt = timers.monotonic() + timeoutMilliseconds
      const deadline = startDeadline({
        milliseconds: timeoutMilliseconds,
        makeTimeoutReason: () => new Error('The step timed out.'),
        signals: [request.signal],
        timers,
      })
      const { seen, fetch: observedFetch } = observe(fetchFor(target))
      let secret = target.apiKey
      try {
        const access = { tokens: accessTokens, signal: deadline.signal }
        const found = await providerModelOf(target, observedFetch, access)
        if (!found.ok) return failed(answer, found.problem)
        secret = found.secret
        const opening = { seen, deadline, endsAt, timers, firstRetryDelayMilliseconds }
        const open = (formed: ChatStepRequest) => {
          const call = providerCallOf(formed, deadline.signal)
          return openWithRetries({ ...opening, open: async () => (await found.model.doStream(call)).stream })
        }
        const formed = inSupportedForm(request)
        const stream = await open(formed).catch((error: unknown) => {
          const other = formAfterRejection(formed, seen)
          if (other === null || deadline.signal.aborted) throw error
          return open(other)
        })
        answer.usage = null
        await answer.read(stream, deadline.race)
        const { text, calls, usage, isCutOff, responseModel } = answer
        return { ok: true, text, calls, usage, isCutOff, responseModel }
      } catch (error) {
        // The request timed out, but the provider may still have processed it.
        if (deadline.isTimeUp) answer.usage = null
        const shown = { ...request, target: { ...target, apiKey: secret } }
        const detail = explain(shown, deadline, seen, error)
        const { tries, status } = seen
        const { kind, model } = target
        if (!request.signal.aborted)
          log.warn({ kind, model, tries, status, detail }, 'A text model gave no answer.')
        return failed(answer, detail)
      } finally {
        deadline.release()
      }
    },
  }
}

interface Opening {
  readonly open: () => Promise<ProviderStream>
  readonly seen: Observation
  readonly deadline: Deadline
  /** The deadline in monotonic time. No attempt starts after it. */
  readonly endsAt: number
  readonly timers: Timers
  readonly firstRetryDelayMilliseconds: number
}

/** Retries as long as no part of an answer has arrived, a retry may succeed, and enough time is left. */
async function openWithRetries({
  open,
  seen,
  deadline,
  endsAt,
  timers,
  firstRetryDelayMilliseconds,
}: Opening): Promise<ProviderStream> {
  for (;;) {
    try {
      return await deadline.race(open())
    } catch (error) {
      if (deadline.signal.aborted) throw error
      const delay = retryDelayMilliseconds(seen, error, firstRetryDelayMilliseconds)
      if (delay === null || delay >= endsAt - timers.monotonic()) throw error
      await deadline.race(timers.sleep(delay))
    }
  }
}

function explain(request: ChatStepRequest, deadline: Deadline, seen: Observation, error: unknown): string {
  if (deadline.isTimeUp)
    return `The provider did not complete its answer within ${request.timeoutMilliseconds / 1000} seconds.`
  if (request.signal.aborted) return 'The step was cancelled.'
  return describeFailure(seen, error, request)
}

function failed({ text, usage }: StreamedAnswer, detail: string): ChatStep {
  return { ok: false, detail, text, usage }
}
