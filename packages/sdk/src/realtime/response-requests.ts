/*
 * When may `response.create` be sent? A provider takes one response at a time and refuses a second.
 *
 *   free ──request──► requested ──created──► active ──done──► free
 *                        └──refused: another is active──► active, with a request to follow
 *
 * A request while one is requested or active waits for the end of that one. The step is pure.
 */
export interface ResponseRequests {
  readonly phase: 'free' | 'requested' | 'active'
  readonly isWanted: boolean
}

export type RequestEvent = 'request' | 'created' | 'done' | 'refused' | 'lost'

export const noRequests: ResponseRequests = { phase: 'free', isWanted: false }

export interface RequestStep {
  readonly requests: ResponseRequests
  /** Whether `response.create` is to be sent now. */
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
    // Somebody else's response is in the way; its end is waited for.
    case 'refused':
      return { phase: 'active', isWanted: isWanted || phase === 'requested' }
    // Neither a response nor a refusal came of the request.
    case 'lost':
      return { phase: phase === 'requested' ? 'free' : phase, isWanted }
  }
}
