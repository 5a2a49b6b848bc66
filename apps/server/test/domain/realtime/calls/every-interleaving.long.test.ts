import { describe, expect, test } from 'vitest'
import {
  type CallKind,
  type Deviation,
  startSimulation,
  startWithDeviation,
} from '../../../support/tools/call-simulation.js'
import { findProblem, findProblemOrLoop } from '../../../support/tools/call-simulation-checks.js'
import { keyOf } from '../../../support/tools/call-simulation-key.js'
import { movesOf } from '../../../support/tools/call-simulation-moves.js'
import { explore } from '../../../support/tools/explore.js'

const kinds: readonly CallKind[] = ['plain', 'approval', 'client']

/** Every mixture of this number of calls. Their order in the response does not matter. */
function mixturesOf(count: number, from = 0): CallKind[][] {
  if (count === 0) return [[]]
  return kinds
    .slice(from)
    .flatMap((kind, index) => mixturesOf(count - 1, from + index).map((rest) => [kind, ...rest]))
}

/** The number of states of each mixture: 273 177 in total, and every one is checked. */
const stateCounts: Readonly<Record<string, number>> = {
  plain: 625,
  approval: 706,
  'plain, plain': 4976,
  'plain, approval': 5569,
  'plain, client': 8637,
  'approval, approval': 6568,
  'approval, client': 10245,
  'plain, plain, plain': 11189,
  'plain, plain, approval': 13006,
  'plain, plain, client': 24477,
  'plain, approval, approval': 16125,
  'plain, approval, client': 29260,
  'plain, client, client': 39690,
  'approval, approval, approval': 20364,
  'approval, approval, client': 35354,
  'approval, client, client': 46386,
}

describe('every interleaving of the calls of a response', () => {
  const mixtures = [1, 2, 3]
    .flatMap((count) => mixturesOf(count))
    .filter((mixture) => mixture.some((kind) => kind !== 'client'))

  test.each(mixtures.map((mixture) => [mixture.join(', '), mixture] as const))(
    'results in one output per call and one answer for %s [TOOL-3]',
    { timeout: 180_000 },
    (name, mixture) => {
      const { states } = explore(startSimulation(mixture), { keyOf, moves: movesOf, findProblem })
      expect(states).toBe(stateCounts[name])
    },
  )

  const deviations: readonly (readonly [string, Partial<Deviation>])[] = [
    ['omits the beginning of responses', { omits: 'created' }],
    ['omits the end of responses', { omits: 'done' }],
    ['echoes no outputs', { omits: 'echo' }],
    ['rejects without an error event', { omits: 'refused' }],
    ['reports the beginning of responses twice', { doubles: 'created' }],
    ['reports the end of responses twice', { doubles: 'done' }],
    ['echoes outputs twice', { doubles: 'echo' }],
    ['rejects twice', { doubles: 'refused' }],
    ['reorders events where the protocol allows it', { reorders: true }],
    ['stays silent until the response counts as finished', { mayFallSilent: true }],
  ]

  const small = mixtures.filter(({ length }) => length < 3)

  test.each(
    deviations.flatMap(([name, deviation]) =>
      (deviation.omits === 'echo' ? mixtures : small).map(
        (mixture) => [mixture.join(', '), name, mixture, deviation] as const,
      ),
    ),
  )(
    'gives the same result for %s with a provider that %s [TOOL-18]',
    { timeout: 180_000 },
    (_, __, mixture, deviation) => {
      const { states } = explore(startWithDeviation(mixture, deviation), {
        keyOf,
        moves: movesOf,
        findProblem: findProblemOrLoop,
      })
      expect(states).toBeGreaterThan(10)
    },
  )
})
