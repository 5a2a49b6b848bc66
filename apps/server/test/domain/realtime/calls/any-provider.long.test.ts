import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  type CallKind,
  type Deviation,
  type Simulation,
  startWithDeviation,
} from '../../../support/tools/call-simulation.js'
import { findProblemOrLoop } from '../../../support/tools/call-simulation-checks.js'
import { movesOf } from '../../../support/tools/call-simulation-moves.js'

const numRuns = 1000
/** Fewer runs on a busy machine. */
const interruptAfterTimeLimit = 10_000
/** Far more steps than five calls can take. */
const maxMoves = 1000

const kind = fc.constantFrom<CallKind>('plain', 'approval', 'client')
const event = fc.constantFrom(null, 'created', 'done', 'echo', 'refused')

/**
 * Combined deviations. The exhaustive test has one at a time. Two combinations are excluded, because no reader
 * could tell what a response has read: omitting one event and repeating another, and omitting beginnings
 * while reordering.
 */
const deviation: fc.Arbitrary<Deviation> = fc
  .record({ omits: event, doubles: event, reorders: fc.boolean(), mayFallSilent: fc.boolean() })
  .filter(
    ({ omits, doubles, reorders }) =>
      omits === null || (doubles === null && !(omits === 'created' && reorders)),
  )

/** Takes the chosen moves, then always the first possible move. Returns the error and the path to it. */
function run(
  begin: Simulation,
  choices: readonly number[],
): { problem: string | null; way: readonly string[] } {
  const way: string[] = []
  let simulation = begin
  for (let count = 0; count < maxMoves; count += 1) {
    const moves = movesOf(simulation)
    const problem = findProblemOrLoop(simulation, moves.length === 0)
    const move = moves[(choices[count] ?? 0) % moves.length]
    if (problem !== null || move === undefined) return { problem, way }
    way.push(move.name)
    simulation = move.next
  }
  return { problem: 'the exploration does not end', way }
}

test('requests every due response, whatever a provider omits, repeats or reorders [TOOL-18]', () => {
  fc.assert(
    fc.property(
      fc
        .array(kind, { minLength: 1, maxLength: 5 })
        .filter((kinds) => kinds.some((each) => each !== 'client')),
      deviation,
      fc.array(fc.nat(1000), { maxLength: 120, size: 'max' }),
      (kinds, deviations, choices) => {
        const { problem, way } = run(startWithDeviation(kinds, deviations), choices)
        expect(problem, way.join('; ')).toBeNull()
      },
    ),
    { numRuns, interruptAfterTimeLimit },
  )
}, 30_000)
