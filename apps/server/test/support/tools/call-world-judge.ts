import type { CallKind, World } from './call-world.js'
import { isAtRest } from './call-world-moves.js'

const isBackend = ({ kind }: { readonly kind: CallKind }) => kind !== 'client'

/** Five for each response that the user or the client can cause. */
const maxRequests = 20

const ownRequests = ({ toProvider }: World) =>
  toProvider.filter((request) => request.type === 'create' && request.isOurs).length

/** Returns the invariant that this state violates, or null. Holds for every provider. */
export function judge(world: World): string | null {
  if (world.calls.some((call) => call.outputs > 1)) return 'a call got two outputs'
  // If the provider omits `response.created`, the service cannot always tell which response it requested.
  if (world.habit.omits !== 'created' && ownRequests(world) > 1)
    return 'two requests for a response are on their way'
  if (world.isEnded || !isAtRest(world)) return null
  const backend = world.calls.filter(isBackend)
  if (backend.some((call) => call.tool !== null && call.outputs !== 1)) return 'a call has no output'
  if (backend.some((call) => call.tool !== null && !call.isRead))
    return 'an output was never read: a request is missing'
  return null
}

/** Returns a violation of the same invariants, or a missing or endless response to requests. */
export function judgeOdd(world: World, isEnd: boolean): string | null {
  if (isEnd && !isAtRest(world)) return 'the service waits forever'
  return world.ourCreates > maxRequests ? 'the service keeps requesting responses' : judge(world)
}
