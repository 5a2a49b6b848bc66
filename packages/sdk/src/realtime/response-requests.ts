/*
 * Decides when `response.create` may be sent. A provider runs one response at a time and rejects a second.
 *
 *   free ──request──► requested ──created──► active ──done──► free
 *                        └──rejected: another is active──► active, with a request to follow
 *
 * A request while one is requested or active waits for its end. The function is pure.
 */
export interface ResponseRequests {
  readonly phase: 'free' | 'requested' | 'active'
  readonly isWanted: boolean
}

export type RequestEvent = 'request' | 'created' | 'done' | 'refused' | 'lost'

export const noRequests: ResponseRequests = { phase: 'free', isWanted: false }

export interface RequestStep {
  readonly requests: ResponseRequests
  /** Whether to send `response.create` now. */
  readonly mustSend: boolean
}

export function stepRequests(requests: ResponseRequests, event: RequestEvent): RequestStep {
  const next = apply(requests, event)
  if (next.phase !== 'free' || !next.isWanted) return { requests: next, mustSend: false }
  return { requests: { phase: 'requested', isWanted: false }, mustSend: true }
}

function apply({ phase, isWanted }: ResponseRequests, event: RequestEvent): ResponseRequests {
  switch (event) {
    case 'request':
      return { phase, isWanted: true }
    case 'created':
      return { phase: 'active', isWanted }
    case 'done':
      return { phase: 'free', isWanted }
    // Another response is active. Wait for its end.
    case 'refused':
      return { phase: 'active', isWanted: isWanted || phase === 'requested' }
    // The request led to neither a response nor a rejection.
    case 'lost':
      return { phase: phase === 'requested' ? 'free' : phase, isWanted }
  }
}
