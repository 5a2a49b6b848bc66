import { runEngineBench } from './engine/engine-bench.js'
import type { Runtime } from './engine/real-time-factors.js'
import { runGrowthBench } from './growth/growth-bench.js'
import { runRelayBench } from './relay/relay-bench.js'
import { groupScenarios, scenarios } from './relay/scenarios.js'
import { runRestBench } from './rest/rest-bench.js'
import type { PlannedBench } from './run-plan.js'
import { runMostSessions } from './sessions/most-sessions.js'
import type { SubjectKind } from './sessions/session-subject.js'
import { runSessionsBench } from './sessions/sessions-bench.js'
import { runTextBench } from './text/text-bench.js'

/** The options of the command. Missing options have defaults. */
export interface Selection {
  readonly isQuick: boolean
  /** Whether the bench runs as one of many. Slow benches are shorter then. */
  readonly isWhole: boolean
  readonly rounds?: number | undefined
  readonly seconds?: number | undefined
  readonly scenarios?: readonly string[] | undefined
  readonly sessions?: readonly number[] | undefined
  readonly maxMessages: number
  readonly readers: number
  readonly turns: number
  readonly runtimes: readonly Runtime[]
  readonly database?: string | undefined
}

/** Benches whose models load slowly. The quick run of all benches leaves them out. */
export const slowBenches: readonly string[] = ['engine']

/** All benches of the report, in the order in which they run. */
export const plannedBenches: Readonly<Record<string, (selection: Selection) => PlannedBench>> = {
  relay: planRelay,
  sessions: planSessions,
  rest: planRest,
  text: planText,
  growth: planGrowth,
  engine: planEngine,
}

/** Direct, two bare relays, a pipe, the service and nginx. */
const lanesOfRelay = 6

function planRelay({ isQuick, rounds, seconds, maxMessages, scenarios: named }: Selection): PlannedBench {
  const unknown = named?.filter((name) => !scenarios.some((scenario) => scenario.name === name)) ?? []
  if (unknown.length > 0)
    throw new Error(
      `Unknown scenario ${unknown.join(', ')}. Known scenarios: ${scenarios.map(({ name }) => name).join(', ')}.`,
    )
  const chosen = scenarios.filter(
    (scenario) => named?.includes(scenario.name) ?? (!isQuick || scenario.isQuick),
  )
  const options = {
    scenarios: chosen,
    maxMessagesPerSecond: maxMessages,
    rounds: rounds ?? (isQuick ? 2 : 5),
    otherRounds: rounds ?? (isQuick ? 1 : 2),
    measureSeconds: seconds ?? (isQuick ? 1.2 : 2),
    warmUpSeconds: isQuick ? 1.5 : 2.5,
  }
  const opening = groupScenarios(chosen).reduce((sum, [first]) => sum + 20 + (first?.sessions ?? 0) / 50, 0)
  const slices = chosen.reduce(
    (sum, { isJudged }) => sum + (isJudged ? options.rounds : options.otherRounds),
    0,
  )
  const warmUps = chosen.length * options.warmUpSeconds
  const estimate = opening + lanesOfRelay * (warmUps + slices * (options.measureSeconds + 1.8))
  return { name: 'relay', seconds: estimate, run: () => runRelayBench(options) }
}

function planSessions({ isQuick, rounds, seconds, sessions, database }: Selection): PlannedBench {
  const all: readonly SubjectKind[] = isQuick ? ['postgres', 'blind'] : ['postgres', 'embedded', 'blind']
  const subjects = all.filter((kind) => kind === 'blind' || kind === (database ?? kind))
  const options = {
    subjects,
    sessions: sessions?.[0] ?? (isQuick ? 200 : 300),
    seconds: seconds ?? (isQuick ? 2 : 4),
    rounds: rounds ?? (isQuick ? 1 : 2),
  }
  const searchSeconds = isQuick ? 15 : 240
  return {
    name: 'sessions',
    seconds:
      subjects.length * options.rounds * (30 + options.seconds + options.sessions / 40) + searchSeconds + 10,
    run: async () => [
      ...(await runSessionsBench(options)),
      ...(await runMostSessions({ seconds: searchSeconds, measureSeconds: isQuick ? 2 : 4 })),
    ],
  }
}

function planRest({ isQuick, rounds, seconds }: Selection): PlannedBench {
  const options = {
    rounds: rounds ?? (isQuick ? 1 : 4),
    seconds: seconds ?? (isQuick ? 1 : 1.5),
    warmUpSeconds: isQuick ? 2 : 8,
  }
  return {
    name: 'rest',
    seconds: 25 + 9 * (options.rounds * options.seconds + options.warmUpSeconds),
    run: () => runRestBench(options),
  }
}

function planText({ isQuick, rounds, readers }: Selection): PlannedBench {
  const options = { rounds: rounds ?? (isQuick ? 1 : 4), readers }
  return { name: 'text', seconds: 10 + (options.rounds + 1) * 7, run: () => runTextBench(options) }
}

function planGrowth({ isQuick, rounds }: Selection): PlannedBench {
  const options = { rounds: rounds ?? (isQuick ? 1 : 3), share: isQuick ? 1 / 3 : 1, hasEngine: !isQuick }
  const engine = options.hasEngine ? 15 + (options.rounds + 1) * 26 : 0
  const estimate = 12 + (options.rounds + 1) * 28 * options.share + options.rounds * 54 + engine
  return { name: 'growth', seconds: estimate, run: () => runGrowthBench(options) }
}

function planEngine({ isWhole, sessions, turns, runtimes }: Selection): PlannedBench {
  const levels = isWhole ? [1, 4, 8] : (sessions ?? [1, 2, 4, 8, 16, 32])
  const options = {
    runtimes: isWhole ? runtimes.slice(0, 1) : runtimes,
    sessions: levels,
    turns: isWhole ? 4 : turns,
  }
  return {
    name: 'engine',
    seconds: isWhole ? 80 : 210 * runtimes.length,
    async run() {
      const { rows, isWithinTargets } = await runEngineBench(options)
      if (!isWithinTargets && !isWhole) process.exitCode = 1
      return rows
    },
  }
}
