import type { BrokenPromise } from '../books/broken-promise.js'
import type { Instance } from '../stage/instance.js'
import type { AppliedFault } from './apply-fault.js'

/** What an instance may take; it is three times what it takes under this load without faults. */
const mostBytes = 768 * 1024 * 1024
/** A start takes this long to give up on a database that is away. */
const startSeconds = 15

/** Instances end only where they are killed; a start may give up while the database is away. */
export function judgeProcesses(
  instances: readonly Instance[],
  applied: readonly AppliedFault[],
): readonly BrokenPromise[] {
  return instances.flatMap(({ logPath, ownExits, peakBytes }, index): BrokenPromise[] => {
    const name = `instance ${index}`
    const exits = ownExits
      .filter(({ wasReady, at }) => wasReady || !isDatabaseAway(applied, at))
      .map(({ how, at, wasReady }): BrokenPromise => {
        const what = `${name} ended by itself (${how})${wasReady ? '' : ' at its start'}`
        return { promise: 'processes', what, at, ids: [logPath] }
      })
    const mebibytes = Math.round(peakBytes / 1024 / 1024)
    const isLarge = peakBytes > mostBytes
    const large: BrokenPromise = {
      ...{ promise: 'processes', what: `${name} took ${mebibytes} MiB`, at: null, ids: [logPath] },
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
