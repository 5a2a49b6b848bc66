import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Command, clientFrames } from '../../../support/realtime/session-commands.js'
import { SessionRun } from '../../../support/realtime/session-run.js'
import type { TurnPlan } from '../../../support/realtime/turn-script.js'

const numRuns = 600
/** Fewer runs on a busy machine. */
const interruptAfterTimeLimit = 15_000

const side = fc.constantFrom('client', 'provider')

const turnPlan = (isLong: boolean): fc.Arbitrary<TurnPlan> =>
  fc.record({
    role: fc.constantFrom('user', 'assistant'),
    pieces: fc.nat(3),
    ending: fc.constantFrom(
      'done',
      'completed',
      'done, then truncated',
      'done, then cut off',
      'failed or cut off',
      'left open',
    ),
    isLong: fc.constant(isLong),
  })

const turnPlans = fc.oneof(
  { weight: 6, arbitrary: fc.array(turnPlan(false), { minLength: 1, maxLength: 6 }) },
  // As many characters as a session may keep while the database is unavailable, or more.
  { weight: 1, arbitrary: fc.array(turnPlan(true), { minLength: 4, maxLength: 6 }) },
)

const times = fc.integer({ min: 1, max: 5 })

/** Frequent events. */
const daily: fc.Arbitrary<Command> = fc.oneof(
  { weight: 10, arbitrary: fc.record({ do: fc.constant('tell'), turn: fc.nat(5), times }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('send'),
      frame: fc.constantFrom(...(Object.keys(clientFrames) as (keyof typeof clientFrames)[])),
      times,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('pass'),
      milliseconds: fc.constantFrom(50, 100, 1000, 3000, 20_000, 31_000, 61_000),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('database'),
      condition: fc.constantFrom('up', 'away', 'losing', 'slow'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('play'), times }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('stall'), side, isStalled: fc.constantFrom(true, true, false) }),
  },
)

/** Events that end a session. */
const fatal: fc.Arbitrary<Command> = fc.oneof(
  fc.record({ do: fc.constant('deafen'), side }),
  fc.record({ do: fc.constant('overdo'), side }),
  fc.record({ do: fc.constant('leave'), side, code: fc.constantFrom(1000, 1006) }),
  fc.record({ do: fc.constant('terminate') }),
)

const command = fc.oneof({ weight: 60, arbitrary: daily }, { weight: 1, arbitrary: fatal })

const life = fc.record({
  plans: turnPlans,
  /** Writes that fail at first: fewer than the session tolerates. */
  refusals: fc.nat(3),
  ignoresAbort: fc.boolean(),
  before: fc.array(command, { maxLength: 3 }),
  connect: fc.record({
    do: fc.constant('connect' as const),
    how: fc.oneof(
      { weight: 29, arbitrary: fc.constant('connected' as const) },
      { weight: 1, arbitrary: fc.constant('unreachable' as const) },
    ),
  }),
  after: fc.array(command, { maxLength: 40, size: 'max' }),
  /** Whether the process dies after the last command. Otherwise the session ends normally. */
  dies: fc.constantFrom(true, false, false),
})

test('a session keeps its guarantees for any events in any order [RT-12] [RT-18] [RT-19] [RT-20] [RT-24]', async () => {
  await fc.assert(
    fc.asyncProperty(life, async ({ plans, refusals, ignoresAbort, before, connect, after, dies }) => {
      const run = new SessionRun(plans, refusals, ignoresAbort)
      for (const each of [...before, connect, ...after]) await run.perform(each)
      if (!dies) await run.finish()
      const { is, mustBe } = dies ? run.reportNow() : run.report()
      expect(is).toEqual(mustBe)
    }),
    { numRuns, interruptAfterTimeLimit },
  )
}, 60_000)
