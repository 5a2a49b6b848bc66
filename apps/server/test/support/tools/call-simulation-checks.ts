import type { CallKind, Simulation } from './call-simulation.js'
import { isIdle } from './call-simulation-moves.js'

const isBackend = ({ kind }: { readonly kind: CallKind }) => kind !== 'client'

/** Five for each response that the user or the client can cause. */
const maxRequests = 20

const ownRequests = ({ toProvider }: Simulation) =>
  toProvider.filter((request) => request.type === 'create' && request.isOurs).length

/** Returns the invariant that this state violates, or null. Holds for every provider. */
export function findProblem(simulation: Simulation): string | null {
  if (simulation.calls.some((call) => call.outputs > 1)) return 'a call got two outputs'
  // If the provider omits `response.created`, the service cannot always tell which response it requested.
  if (simulation.deviation.omits !== 'created' && ownRequests(simulation) > 1)
    return 'two requests for a response are on their way'
  if (simulation.isEnded || !isIdle(simulation)) return null
  const backend = simulation.calls.filter(isBackend)
  if (backend.some((call) => call.tool !== null && call.outputs !== 1)) return 'a call has no output'
  if (backend.some((call) => call.tool !== null && !call.isRead))
    return 'an output was never read: a request is missing'
  return null
}

/** Returns a violation of the same invariants, or a missing or endless response to requests. */
export function findProblemOrLoop(simulation: Simulation, isEnd: boolean): string | null {
  if (isEnd && !isIdle(simulation)) return 'the service waits forever'
  return simulation.ourCreates > maxRequests
    ? 'the service keeps requesting responses'
    : findProblem(simulation)
}
