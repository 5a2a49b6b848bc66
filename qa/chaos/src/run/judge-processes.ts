import type { Violation } from '../records/violation.js'
import type { Instance } from '../stage/instance.js'
import type { AppliedFault } from './apply-fault.js'

/** The memory limit of an instance: three times its use under this load without faults. */
const mostBytes = 768 * 1024 * 1024
/** How long a start takes to give up if the database is not available. */
const startSeconds = 15

/** Checks that instances exit only when killed. A start may also fail while the database is not available. */
export function judgeProcesses(
  instances: readonly Instance[],
  applied: readonly AppliedFault[],
): readonly Violation[] {
  return instances.flatMap(({ logPath, ownExits, peakBytes }, index): Violation[] => {
    const name = `instance ${index}`
    const exits = ownExits
      .filter(({ wasReady, at }) => wasReady || !isDatabaseAway(applied, at))
      .map(({ how, at, wasReady }): Violation => {
        const what = `${name} exited unexpectedly (${how})${wasReady ? '' : ' while starting'}`
        return { invariant: 'processes', what, at, ids: [logPath] }
      })
    const mebibytes = Math.round(peakBytes / 1024 / 1024)
    const isLarge = peakBytes > mostBytes
    const large: Violation = {
      invariant: 'processes',
      what: `${name} used ${mebibytes} MiB`,
      at: null,
      ids: [logPath],
    }
    return isLarge ? [...exits, large] : exits
  })
}

function isDatabaseAway(applied: readonly AppliedFault[], at: number): boolean {
  return applied.some(
    ({ fault, beganAt, endedAt }) =>
      (fault.kind === 'postgres' || fault.kind === 'disk') &&
      at >= beganAt &&
      at <= endedAt + startSeconds * 1000,
  )
}
