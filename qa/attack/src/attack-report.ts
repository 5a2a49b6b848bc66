import { describeTable } from '@parley/stage/terminal/table'
import type { AttackResult } from './attack-run.js'
import { type Bars, findBrokenBars } from './bars.js'
import type { WaitFigures } from './waits.js'

const columns = [
  'attack',
  'seconds',
  'calls p99 ms',
  'longest',
  'frames p99 ms',
  'longest',
  'memory MiB before',
  'peak',
  'after',
  'held',
  'bars',
]

/** The table of attacks on one database, followed by the broken bars. */
export function describeResults(results: readonly AttackResult[], bars: Bars): string {
  const rows = results.map((result) => [
    result.name,
    result.seconds.toFixed(1),
    ...describeWaits(result.canary.calls),
    ...describeWaits(result.canary.frames),
    ...[result.memory.before, result.memory.peak, result.memory.after, result.memory.held].map(mebibytes),
    findBrokenBars(result, bars).length === 0 ? 'kept' : 'BROKEN',
  ])
  const broken = results.flatMap((result) =>
    findBrokenBars(result, bars).map((bar) => `  ✗ ${result.name}: ${bar}`),
  )
  return [describeTable([columns, ...rows]), ...(broken.length > 0 ? ['', ...broken] : [])].join('\n')
}

/** One line of progress. */
export function describeProgress(result: AttackResult, bars: Bars): string {
  const { name, database, outcome, seconds, canary, memory } = result
  const broken = findBrokenBars(result, bars)
  const waits = `calls p99 ${canary.calls.p99.toFixed(0)} ms, longest ${canary.calls.longest.toFixed(0)}`
  const came = outcome === '' ? '' : `: ${outcome}`
  return [
    `  ${database} ${name} (${seconds.toFixed(1)} s)${came}`,
    `    ${waits}; frames longest ${canary.frames.longest.toFixed(0)}; memory ${mebibytes(memory.before)} → ${mebibytes(memory.peak)} → ${mebibytes(memory.after)} (held ${mebibytes(memory.held)}) MiB`,
    ...broken.map((bar) => `    ✗ ${bar}`),
  ].join('\n')
}

const describeWaits = ({ p99, longest }: WaitFigures) => [p99.toFixed(1), longest.toFixed(0)]
const mebibytes = (bytes: number) => (bytes / 1024 / 1024).toFixed(0)
