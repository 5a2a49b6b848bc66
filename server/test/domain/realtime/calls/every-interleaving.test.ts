import { describe, expect, test } from 'vitest'
import { movesOf } from '../../../support/tools/call-moves.js'
import {
  beginSilentWorld,
  beginWorld,
  type CallKind,
  isAtRest,
  keyOf,
  type World,
} from '../../../support/tools/call-world.js'
import { explore } from '../../../support/tools/explore.js'

const kinds: readonly CallKind[] = ['plain', 'approval', 'client']

/** Every mixture of so many calls; their order in the response matters to nobody. */
function mixturesOf(count: number, from = 0): CallKind[][] {
  if (count === 0) return [[]]
  return kinds
    .slice(from)
    .flatMap((kind, index) => mixturesOf(count - 1, from + index).map((rest) => [kind, ...rest]))
}

const isBackend = ({ kind }: { readonly kind: CallKind }) => kind !== 'client'

function judge(world: World): string | null {
  if (world.calls.some((call) => call.outputs > 1)) return 'a call got two outputs'
  if (world.toProvider.filter((request) => request.type === 'create' && request.isOurs).length > 1)
    return 'two requests for a response are on their way'
  if (world.isEnded || !isAtRest(world)) return null
  const backend = world.calls.filter(isBackend)
  if (backend.some((call) => call.tool !== null && call.outputs !== 1)) return 'a call has no output'
  if (backend.some((call) => call.tool !== null && !call.isRead))
    return 'an output was never read: a request is missing'
  return null
}

/** How many states each mixture can be in: 390 474 in all, every one of them judged. */
const stateCounts: Readonly<Record<string, number>> = {
  plain: 804,
  approval: 912,
  'plain, plain': 5657,
  'plain, approval': 6472,
  'plain, client': 9629,
  'approval, approval': 7924,
  'approval, client': 11723,
  'plain, plain, plain': 14406,
  'plain, plain, approval': 16850,
  'plain, plain, client': 26204,
  'plain, approval, approval': 21379,
  'plain, approval, client': 32306,
  'plain, client, client': 76614,
  'approval, approval, approval': 27619,
  'approval, approval, client': 40362,
  'approval, client, client': 91613,
}

describe('every interleaving of the calls of a response', () => {
  const mixtures = [1, 2, 3]
    .flatMap((count) => mixturesOf(count))
    .filter((mixture) => mixture.some((kind) => kind !== 'client'))

  test.each(mixtures.map((mixture) => [mixture.join(', '), mixture] as const))(
    '[TOOL-3] gives %s one output each and one answer',
    { timeout: 180_000 },
    (name, mixture) => {
      const { states } = explore(beginWorld(mixture), { keyOf, moves: movesOf, judge })
      expect(states).toBe(stateCounts[name])
    },
  )

  test.each(mixtures.map((mixture) => [mixture.join(', '), mixture] as const))(
    '[TOOL-3] does the same for %s with a provider that echoes nothing',
    { timeout: 180_000 },
    (_, mixture) => {
      const { states } = explore(beginSilentWorld(mixture), { keyOf, moves: movesOf, judge })
      expect(states).toBeGreaterThan(10)
    },
  )
})
