import type { CallKind, World } from './call-world.js'
import { isAtRest } from './call-world-moves.js'

const isBackend = ({ kind }: { readonly kind: CallKind }) => kind !== 'client'

/** Five for every response that somebody else may cause. */
const maxRequests = 20

const ownRequests = ({ toProvider }: World) =>
  toProvider.filter((request) => request.type === 'create' && request.isOurs).length

/** What is wrong in this state, whoever the provider is; null where nothing is. */
export function judge(world: World): string | null {
  if (world.calls.some((call) => call.outputs > 1)) return 'a call got two outputs'
  // Who is not told that responses begin cannot always tell which one was requested.
  if (world.habit.omits !== 'created' && ownRequests(world) > 1)
    return 'two requests for a response are on their way'
  if (world.isEnded || !isAtRest(world)) return null
  const backend = world.calls.filter(isBackend)
  if (backend.some((call) => call.tool !== null && call.outputs !== 1)) return 'a call has no output'
  if (backend.some((call) => call.tool !== null && !call.isRead))
    return 'an output was never read: a request is missing'
  return null
}

/** Besides: nothing is waited for in vain, and no answer is requested again and again. */
export function judgeOdd(world: World, isEnd: boolean): string | null {
  if (isEnd && !isAtRest(world)) return 'it waits for ever'
  return world.ourCreates > maxRequests ? 'it requests for ever' : judge(world)
}
