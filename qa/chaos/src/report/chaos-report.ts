import type { BrokenPromise } from '../books/broken-promise.js'
import { grouped } from '../books/grouped.js'
import { describeFault } from '../plan/fault.js'
import type { AppliedFault } from '../run/apply-fault.js'
import type { ChaosResult } from '../run/chaos-run.js'
import { countAll } from './counts.js'
import { linesAbout, readLog } from './log-lines.js'

/** Faults that were active this long before a break are listed with it. */
const nearMilliseconds = 20_000
/** The most breaks of each promise that are described in full. */
const toldOfEach = 4

/** Describes the run and the broken promises for people. */
export function describeChaos(result: ChaosResult): string {
  const { plan, applied, broken, settledSeconds, diskKind, instances } = result
  const { seed, seconds, sessions } = plan
  const mebibytes = (bytes: number) => `${Math.round(bytes / 1024 / 1024)} MiB`
  return [
    `Seed ${seed}: ${sessions} sessions for ${seconds} s, ${plan.faults.length} faults. Full disk: ${diskKind}.`,
    '',
    'The plan as applied:',
    ...applied.map((each) => `  ${describeApplied(each, result.startedAt)}`),
    '',
    'Counts:',
    ...countAll(result.books).map((line) => `  ${line}`),
    `  Idle ${settledSeconds.toFixed(0)} s after the last user left.`,
    ...instances.map(
      ({ starts, ownExits, peakBytes }, index) =>
        `  Instance ${index}: ${starts} starts, ${ownExits} unexpected exits, at most ${mebibytes(peakBytes)}.`,
    ),
    '',
    ...(broken.length === 0 ? ['All promises held.'] : describeBroken(result)),
  ].join('\n')
}

function describeApplied({ fault, beganAt, endedAt }: AppliedFault, startedAt: number): string {
  const at = (moment: number) => ((moment - startedAt) / 1000).toFixed(1).padStart(6)
  return `${String(fault.id).padStart(3)}. ${at(beganAt)} to ${at(endedAt)} s  ${describeFault(fault)}`
}

function describeBroken({ broken, applied, instances, startedAt }: ChaosResult): readonly string[] {
  const logs = instances.map(({ logPath }) => ({ logPath, lines: readLog(logPath) }))
  const lines = [`${broken.length} promises were broken:`]
  for (const [promise, all] of grouped(broken, (each) => each.promise)) {
    lines.push('', `  ${promise} (${all.length})`)
    for (const each of all.slice(0, toldOfEach)) {
      lines.push(`  ✗ ${each.what}${when(each, startedAt)}`)
      for (const { fault } of faultsNear(each, applied))
        lines.push(`      ${fault.id}. ${describeFault(fault)}`)
      for (const [index, { lines: log }] of logs.entries())
        lines.push(...linesAbout(each, log).map((line) => `      ${index}| ${line}`))
    }
    if (all.length > toldOfEach) lines.push(`    … and ${all.length - toldOfEach} more`)
  }
  return [...lines, '', ...logs.map(({ logPath }, index) => `  The log of instance ${index}: ${logPath}`)]
}

const when = ({ at }: BrokenPromise, startedAt: number) =>
  at === null ? '' : ` (at ${((at - startedAt) / 1000).toFixed(1)} s)`

/** Returns the faults that were active shortly before the break, or none if its time is unknown. */
function faultsNear({ at }: BrokenPromise, applied: readonly AppliedFault[]): readonly AppliedFault[] {
  if (at === null) return []
  return applied.filter(({ beganAt, endedAt }) => beganAt <= at && endedAt >= at - nearMilliseconds)
}
