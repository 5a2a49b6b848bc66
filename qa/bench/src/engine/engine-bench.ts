import { loadavg } from 'node:os'
import type { Row } from '../report/row.js'
import { EngineLane, type LevelResult } from './engine-lane.js'
import {
  describeLevel,
  describeRuntime,
  firstSound,
  maxFirstSoundMilliseconds,
  meetsTarget,
} from './engine-report.js'
import { makeEngineRows } from './engine-rows.js'
import { speakQuestions } from './questions.js'
import { measureRealTimeFactors, type Runtime, startWorkers } from './real-time-factors.js'

export interface EngineBenchOptions {
  readonly runtimes: readonly Runtime[]
  /** The numbers of concurrent callers, in order, until the first audio comes too late. */
  readonly sessions: readonly number[]
  /** The minimum number of turns per level: in total, and three per caller. */
  readonly turns: number
}

const minTurnsPerSession = 3
/** The targets on an otherwise idle machine. */
const maxBusyCores = 0.5

export interface EngineBenchResult {
  readonly rows: readonly Row[]
  /** Returns whether each runtime was within its target. */
  readonly isWithinTargets: boolean
}

/** Measures the engine's response time with each runtime. */
export async function runEngineBench({
  runtimes,
  sessions,
  turns,
}: EngineBenchOptions): Promise<EngineBenchResult> {
  const [busyCores = 0] = loadavg()
  if (busyCores > maxBusyCores)
    console.log(`The machine is busy (load ${busyCores.toFixed(1)}), which affects the figures.`)
  let isWithinTargets = true
  const rows: Row[] = []
  for (const runtime of runtimes) {
    const workers = startWorkers(runtime)
    const factors = await measureRealTimeFactors(workers)
    const questions = await speakQuestions(workers)
    // From here on, the engine has the machine for itself.
    await workers.close()
    const levels = await measureLevels(runtime, questions, sessions, turns)
    const result = { runtime, factors, levels }
    console.log(describeRuntime(result))
    isWithinTargets &&= meetsTarget(result)
    rows.push(...makeEngineRows(result))
  }
  return { rows, isWithinTargets }
}

async function measureLevels(
  runtime: Runtime,
  questions: readonly Buffer[],
  sessions: readonly number[],
  turns: number,
): Promise<LevelResult[]> {
  const lane = await EngineLane.open(runtime, questions)
  const levels: LevelResult[] = []
  try {
    for (const count of sessions) {
      const turnsPerSession = Math.max(minTurnsPerSession, Math.ceil(turns / count))
      const level = await lane.measure(count, turnsPerSession)
      console.log(describeLevel(runtime, level))
      levels.push(level)
      if (firstSound(level, 0.5) > maxFirstSoundMilliseconds) break
    }
    return levels
  } finally {
    await lane.close()
  }
}
