import { runEngineBench } from './engine/engine-bench.js'
import type { Runtime } from './engine/real-time-factors.js'
import { runGrowthBench } from './growth/growth-bench.js'
import { runRelayBench } from './relay/relay-bench.js'
import { scenarios } from './relay/scenarios.js'
import { runRestBench } from './rest/rest-bench.js'
import type { PlannedBench } from './run-plan.js'
import { runMostSessions } from './sessions/most-sessions.js'
import type { SubjectKind } from './sessions/session-subject.js'
import { runSessionsBench } from './sessions/sessions-bench.js'
import { runTextBench } from './text/text-bench.js'

/** What was asked for; what is left out has its usual value. */
export interface Wishes {
  readonly isQuick: boolean
  /** Whether the bench runs as one of many: what takes long alone is then shorter. */
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

/** Every bench of the report, in the order in which they run. */
export const plannedBenches: Readonly<Record<string, (wishes: Wishes) => PlannedBench>> = {
  relay: planRelay,
  sessions: planSessions,
  rest: planRest,
  text: planText,
  growth: planGrowth,
  engine: planEngine,
}

function planRelay({ isQuick, rounds, seconds, maxMessages, scenarios: named }: Wishes): PlannedBench {
  const unknown = named?.filter((name) => !scenarios.some((scenario) => scenario.name === name)) ?? []
  if (unknown.length > 0)
    throw new Error(
      `There is no scenario ${unknown.join(', ')}: there are ${scenarios.map(({ name }) => name).join(', ')}.`,
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
  }
  const slices = chosen.reduce(
    (sum, { isJudged }) => sum + 1 + (isJudged ? options.rounds : options.otherRounds),
    0,
  )
  const estimate = chosen.length * 8 + slices * 5 * (options.measureSeconds + 0.6)
  return { name: 'relay', seconds: estimate, run: () => runRelayBench(options) }
}

function planSessions({ isQuick, rounds, seconds, sessions, database }: Wishes): PlannedBench {
  const all: readonly SubjectKind[] = isQuick ? ['postgres', 'blind'] : ['postgres', 'embedded', 'blind']
  const subjects = all.filter((kind) => kind === 'blind' || kind === (database ?? kind))
  const options = {
    subjects,
    sessions: sessions?.[0] ?? (isQuick ? 200 : 400),
    seconds: seconds ?? (isQuick ? 2 : 4),
    rounds: rounds ?? (isQuick ? 1 : 2),
  }
  const searchSeconds = isQuick ? 25 : 75
  return {
    name: 'sessions',
    seconds:
      subjects.length * options.rounds * (8 + options.seconds + options.sessions / 40) + searchSeconds + 10,
    run: async () => [
      ...(await runSessionsBench(options)),
      ...(await runMostSessions({ seconds: searchSeconds, measureSeconds: isQuick ? 2 : 3 })),
    ],
  }
}

function planRest({ isQuick, rounds, seconds }: Wishes): PlannedBench {
  const options = { rounds: rounds ?? (isQuick ? 2 : 4), seconds: seconds ?? (isQuick ? 1 : 1.5) }
  return {
    name: 'rest',
    seconds: 30 + 9 * (options.rounds + 1) * options.seconds,
    run: () => runRestBench(options),
  }
}

function planText({ isQuick, rounds, readers }: Wishes): PlannedBench {
  const options = { rounds: rounds ?? (isQuick ? 1 : 4), readers }
  return { name: 'text', seconds: 10 + (options.rounds + 1) * 7, run: () => runTextBench(options) }
}

function planGrowth({ isQuick, rounds }: Wishes): PlannedBench {
  const options = { rounds: rounds ?? (isQuick ? 1 : 3) }
  return { name: 'growth', seconds: 15 + (options.rounds + 1) * 28, run: () => runGrowthBench(options) }
}

function planEngine({ isQuick, isWhole, sessions, turns, runtimes }: Wishes): PlannedBench {
  const levels = isWhole ? (isQuick ? [1] : [1, 4, 8]) : (sessions ?? [1, 2, 4, 8, 16, 32])
  const options = {
    runtimes: isWhole ? runtimes.slice(0, 1) : runtimes,
    sessions: levels,
    turns: isWhole ? (isQuick ? 3 : 6) : turns,
  }
  return {
    name: 'engine',
    seconds: isWhole ? (isQuick ? 40 : 100) : 210 * runtimes.length,
    async run() {
      const { rows, isWithinTargets } = await runEngineBench(options)
      if (!isWithinTargets && !isWhole) process.exitCode = 1
      return rows
    },
  }
}
