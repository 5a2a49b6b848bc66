import { describeFault } from '../plan/fault.js'
import { grouped } from '../records/grouped.js'
import type { Violation } from '../records/violation.js'
import type { AppliedFault } from '../run/apply-fault.js'
import type { ChaosResult } from '../run/chaos-run.js'
import { countAll } from './counts.js'
import { linesAbout, readLog } from './log-lines.js'

/** Faults that were active this long before a break are listed with it. */
const nearMilliseconds = 20_000
/** The maximum number of violations per invariant that are described in full. */
const maxShownPerKind = 4

/** Describes the run and the violations for people. */
export function describeChaos(result: ChaosResult): string {
  const { plan, applied, violations, settledSeconds, diskKind, instances } = result
  const { seed, seconds, sessions } = plan
  const mebibytes = (bytes: number) => `${Math.round(bytes / 1024 / 1024)} MiB`
  return [
    `Seed ${seed}: ${sessions} sessions for ${seconds} s, ${plan.faults.length} faults. Full disk: ${diskKind}.`,
    '',
    'The plan as applied:',
    ...applied.map((each) => `  ${describeApplied(each, result.startedAt)}`),
    '',
    'Counts:',
    ...countAll(result.records).map((line) => `  ${line}`),
    `  Idle ${settledSeconds.toFixed(0)} s after the last user left.`,
    ...instances.map(
      ({ starts, ownExits, peakBytes }, index) =>
        `  Instance ${index}: ${starts} starts, ${ownExits} unexpected exits, at most ${mebibytes(peakBytes)}.`,
    ),
    '',
    ...(violations.length === 0 ? ['All invariants held.'] : describeBroken(result)),
  ].join('\n')
}

function describeApplied({ fault, beganAt, endedAt }: AppliedFault, startedAt: number): string {
  const at = (moment: number) => ((moment - startedAt) / 1000).toFixed(1).padStart(6)
  return `${String(fault.id).padStart(3)}. ${at(beganAt)} to ${at(endedAt)} s  ${describeFault(fault)}`
}

function describeBroken({ violations, applied, instances, startedAt }: ChaosResult): readonly string[] {
  const logs = instances.map(({ logPath }) => ({ logPath, lines: readLog(logPath) }))
  const lines = [`${violations.length} invariants were violated:`]
  for (const [invariant, all] of grouped(violations, (each) => each.invariant)) {
    lines.push('', `  ${invariant} (${all.length})`)
    for (const each of all.slice(0, maxShownPerKind)) {
      lines.push(`  ✗ ${each.what}${when(each, startedAt)}`)
      for (const { fault } of faultsNear(each, applied))
        lines.push(`      ${fault.id}. ${describeFault(fault)}`)
      for (const [index, { lines: log }] of logs.entries())
        lines.push(...linesAbout(each, log).map((line) => `      ${index}| ${line}`))
    }
    if (all.length > maxShownPerKind) lines.push(`    … and ${all.length - maxShownPerKind} more`)
  }
  return [...lines, '', ...logs.map(({ logPath }, index) => `  The log of instance ${index}: ${logPath}`)]
}

const when = ({ at }: Violation, startedAt: number) =>
  at === null ? '' : ` (at ${((at - startedAt) / 1000).toFixed(1)} s)`

/** Returns the faults that were active shortly before the break, or none if its time is unknown. */
function faultsNear({ at }: Violation, applied: readonly AppliedFault[]): readonly AppliedFault[] {
  if (at === null) return []
  return applied.filter(({ beganAt, endedAt }) => beganAt <= at && endedAt >= at - nearMilliseconds)
}
