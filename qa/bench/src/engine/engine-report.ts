import { describeTable } from '@parley/stage/terminal/table'
import type { LevelResult } from './engine-lane.js'
import type { RealTimeFactors, Runtime } from './real-time-factors.js'

export interface RuntimeResult {
  readonly runtime: Runtime
  readonly factors: RealTimeFactors
  readonly levels: readonly LevelResult[]
}

/** The longest that people wait for an answer before they ask again. */
export const maxFirstSoundMilliseconds = 1500

const names: Readonly<Record<Runtime, string>> = { native: 'native', wasm: 'WebAssembly' }
const targetMilliseconds: Readonly<Record<Runtime, number>> = { native: 1000, wasm: 1500 }

const columns = ['sessions', 'turns', 'p50 ms', 'p95 ms', 'unanswered', 'CPU cores', 'memory MiB']

/** The tables of one runtime, and a sentence that sums them up. */
export function describeRuntime(result: RuntimeResult): string {
  const { runtime, factors, levels } = result
  return [
    '',
    `${names[runtime]}: a second of speech takes ${factors.hearing.toFixed(2)} s to hear and ${factors.speaking.toFixed(2)} s to speak.`,
    'End of speech to first audio, in conversations at the speed of speech:',
    '',
    describeTable([columns, ...levels.map(row)]),
    '',
    describeVerdict(result),
    describeCapacity(levels),
    '',
  ].join('\n')
}

export function describeLevel(runtime: Runtime, level: LevelResult): string {
  return `  ${names[runtime]}, ${level.sessions} at once: first audio after ${milliseconds(level, 0.5)} ms`
}

/** Unanswered turns count as the longest waits. */
export function firstSound(level: LevelResult, share: number): number {
  const count = level.firstSoundMilliseconds.length + level.unansweredTurns
  const index = Math.max(0, Math.ceil(share * count) - 1)
  return level.firstSoundMilliseconds[index] ?? Number.POSITIVE_INFINITY
}

/** Whether the first audio came in time for one caller at a time. */
export function meetsTarget({ runtime, levels }: RuntimeResult): boolean {
  const [alone] = levels
  return alone !== undefined && firstSound(alone, 0.5) < targetMilliseconds[runtime]
}

function row(level: LevelResult): string[] {
  return [
    String(level.sessions),
    String(level.firstSoundMilliseconds.length + level.unansweredTurns),
    milliseconds(level, 0.5),
    milliseconds(level, 0.95),
    String(level.unansweredTurns),
    level.cpuShare.toFixed(2),
    (level.residentBytes / 1024 / 1024).toFixed(0),
  ]
}

function describeVerdict(result: RuntimeResult): string {
  const [alone] = result.levels
  const verdict = meetsTarget(result) ? 'within' : 'above'
  const p50 = alone === undefined ? 'never' : `${milliseconds(alone, 0.5)} ms`
  return `First audio p50 on ${names[result.runtime]}: ${p50}, ${verdict} the target of ${targetMilliseconds[result.runtime]} ms.`
}

function describeCapacity(levels: readonly LevelResult[]): string {
  const carried = (share: number) =>
    Math.max(
      0,
      ...levels
        .filter((level) => firstSound(level, share) <= maxFirstSoundMilliseconds)
        .map(({ sessions }) => sessions),
    )
  return `Sessions at once with first audio within ${maxFirstSoundMilliseconds} ms: ${carried(0.5)} by p50, ${carried(0.95)} by p95.`
}

function milliseconds(level: LevelResult, share: number): string {
  const value = firstSound(level, share)
  return Number.isFinite(value) ? value.toFixed(0) : 'never'
}
