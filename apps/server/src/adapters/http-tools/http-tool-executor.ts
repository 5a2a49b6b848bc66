import type { Outbound, OutboundFailure } from '../../ports/outbound.js'
import type { HttpToolExecutor, ToolInvocation, ToolOutcome } from '../../ports/tool-executor.js'
import type { Tracing } from '../../ports/tracing.js'
import { concealerInSlices } from '../secret-redaction/conceal-secrets.js'
import { aborted, failed, finishOutcome, notInTime, unanswered } from '../secret-redaction/outcomes.js'
import { buildRequest } from './build-request.js'
import { readResponse } from './read-response.js'

const maxResponseBytes = 1024 * 1024

/**
 * Runs http tools. Each call is sent only once, because the model decides whether to repeat a failed call.
 */
export function makeHttpToolExecutor(outbound: Outbound, tracing: Tracing): HttpToolExecutor {
  return {
    preview(tool, given) {
      const request = buildRequest(tool, { ...given, headers: {}, idempotencyKey: '', endUserId: null })
      if (!request.ok) return request
      const problem = outbound.explainRefusal(request.url)
      if (problem !== null) return { ok: false, problem }
      const { method, url, body = null } = request
      return { ok: true, request: { method, url, body } }
    },

    async run(tool, invocation) {
      const conceal = await concealerInSlices(Object.values(invocation.headers))
      const request = buildRequest(tool, invocation)
      if (!request.ok) return finishOutcome(failed(request.problem), conceal)
      const { url, method, body } = request
      // The author's headers come last so that they take precedence.
      const headers = { ...tracing.headers(), ...request.headers }
      const { timeoutMilliseconds, signal } = invocation
      const startedAt = performance.now()
      let isSent = false
      const onSent = () => {
        isSent = true
        invocation.onSent()
      }
      try {
        const call = { method, headers, body, timeoutMilliseconds, maxResponseBytes, signal, onSent }
        return finishOutcome(await readResponse(await outbound.fetch(url, call), conceal), conceal)
      } catch (error) {
        const elapsedMilliseconds = performance.now() - startedAt
        return finishOutcome(explain(error, invocation, { elapsedMilliseconds, isSent }), conceal)
      }
    },
  }

  function explain(
    error: unknown,
    invocation: ToolInvocation,
    { elapsedMilliseconds, isSent }: { readonly elapsedMilliseconds: number; readonly isSent: boolean },
  ): ToolOutcome {
    if (invocation.signal.aborted) return aborted
    if (!outbound.isFailure(error)) return unanswered('The tool could not be called.', isSent)
    // A refused redirect is a definite failure, because the server has answered.
    if (error.reason === 'refused') return failed(error.detail)
    return isOwnTimeout(error, invocation, elapsedMilliseconds)
      ? notInTime(invocation.timeoutMilliseconds, isSent)
      : unanswered(error.detail, isSent)
  }
}

/**
 * If the connection is not accepted, the call ends earlier, and the message of that failure is the correct
 * one.
 */
function isOwnTimeout(
  failure: OutboundFailure,
  { timeoutMilliseconds }: ToolInvocation,
  elapsedMilliseconds: number,
): boolean {
  // Timers have millisecond resolution and may fire slightly early.
  return failure.reason === 'timed-out' && elapsedMilliseconds >= timeoutMilliseconds - 2
}
