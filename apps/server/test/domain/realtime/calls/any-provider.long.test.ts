import fc from 'fast-check'
import { expect, test } from 'vitest'
import { beginOddWorld, type CallKind, type Habit, type World } from '../../../support/tools/call-world.js'
import { judgeOdd } from '../../../support/tools/call-world-judge.js'
import { movesOf } from '../../../support/tools/call-world-moves.js'

const numRuns = 1000
/** Fewer runs on a busy machine. */
const interruptAfterTimeLimit = 10_000
/** Far more steps than five calls can take. */
const maxMoves = 1000

const kind = fc.constantFrom<CallKind>('plain', 'approval', 'client')
const news = fc.constantFrom(null, 'created', 'done', 'echo', 'refused')

/**
 * Combined habits. The exhaustive test has one at a time. Two combinations are excluded, because no reader
 * could tell what a response has read: omitting one event and repeating another, and omitting beginnings
 * while reordering.
 */
const habit: fc.Arbitrary<Habit> = fc
  .record({ omits: news, doubles: news, reorders: fc.boolean(), mayFallSilent: fc.boolean() })
  .filter(
    ({ omits, doubles, reorders }) =>
      omits === null || (doubles === null && !(omits === 'created' && reorders)),
  )

/** Takes the chosen moves, then always the first possible move. Returns the error and the path to it. */
function live(begin: World, choices: readonly number[]): { problem: string | null; way: readonly string[] } {
  const way: string[] = []
  let world = begin
  for (let count = 0; count < maxMoves; count += 1) {
    const moves = movesOf(world)
    const problem = judgeOdd(world, moves.length === 0)
    const move = moves[(choices[count] ?? 0) % moves.length]
    if (problem !== null || move === undefined) return { problem, way }
    way.push(move.name)
    world = move.next
  }
  return { problem: 'the exploration does not end', way }
}

test('requests every due response, whatever a provider omits, repeats or reorders [TOOL-18]', () => {
  fc.assert(
    fc.property(
      fc
        .array(kind, { minLength: 1, maxLength: 5 })
        .filter((kinds) => kinds.some((each) => each !== 'client')),
      habit,
      fc.array(fc.nat(1000), { maxLength: 120, size: 'max' }),
      (kinds, habits, choices) => {
        const { problem, way } = live(beginOddWorld(kinds, habits), choices)
        expect(problem, way.join('; ')).toBeNull()
      },
    ),
    { numRuns, interruptAfterTimeLimit },
  )
}, 30_000)
