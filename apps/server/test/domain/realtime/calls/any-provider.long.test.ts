import fc from 'fast-check'
import { expect, test } from 'vitest'
import { beginOddWorld, type CallKind, type Habit, type World } from '../../../support/tools/call-world.js'
import { judgeOdd } from '../../../support/tools/call-world-judge.js'
import { movesOf } from '../../../support/tools/call-world-moves.js'

const numRuns = 1000
/** On a busy machine fewer runs have to do. */
const interruptAfterTimeLimit = 10_000
/** Far more than any life of five calls has. */
const maxMoves = 1000

const kind = fc.constantFrom<CallKind>('plain', 'approval', 'client')
const news = fc.constantFrom(null, 'created', 'done', 'echo', 'refused')

/**
 * Habits of which the exhaustive walk has one at a time, together. Of a provider that leaves out one thing and says another
 * twice, or neither says when responses begin nor keeps the order of what it says, nobody can tell what a response has read.
 */
const habit: fc.Arbitrary<Habit> = fc
  .record({ omits: news, doubles: news, reorders: fc.boolean(), mayFallSilent: fc.boolean() })
  .filter(
    ({ omits, doubles, reorders }) =>
      omits === null || (doubles === null && !(omits === 'created' && reorders)),
  )

/** Goes on as the choices say, and when they are over with what comes first. Returns what went wrong, and on which way. */
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
  return { problem: 'it does not come to an end', way }
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
