import { makeRandom } from '@parley/stage/load/seeded-random'
import { type Fault, type FaultKind, garbageKinds, type Plan, targetOf } from './fault.js'

export interface DrawOptions {
  readonly seed: number
  readonly seconds: number
  readonly sessions: number
  readonly kinds: readonly FaultKind[]
  /** The lease of an instance. A frozen instance stays frozen for longer. */
  readonly leaseSeconds: number
}

/** The average number of seconds between faults. */
const secondsBetween = 6
/** Before the first fault, all users begin to talk. After the last one, its effects need time to show. */
const quietShares = { before: 0.12, after: 0.15 } as const
const attemptsForEach = 20

/** Draws a plan of faults. The same seed and options give the same plan. */
export function drawPlan({ seed, seconds, sessions, kinds, leaseSeconds }: DrawOptions): Plan {
  const random = makeRandom(seed)
  const between = (min: number, max: number) => min + random() * (max - min)
  const [first, last] = [seconds * quietShares.before, seconds * (1 - quietShares.after)]
  const wanted = Math.max(1, Math.round((last - first) / secondsBetween))
  const drawn: Fault[] = []
  for (let id = 1; id <= wanted; id += 1) {
    const kind = kinds[Math.floor(random() * kinds.length)] ?? 'kill'
    for (let attempt = 0; attempt < attemptsForEach; attempt += 1) {
      const fault = drawFault(
        kind,
        { id, atSeconds: rounded(between(first, last)) },
        { between, leaseSeconds },
      )
      if (fault.atSeconds + fault.forSeconds > last || drawn.some((other) => collide(fault, other))) continue
      drawn.push(fault)
      break
    }
  }
  const faults = drawn.sort((one, other) => one.atSeconds - other.atSeconds)
  return { seed, seconds, sessions, faults: faults.map((fault, index) => ({ ...fault, id: index + 1 })) }
}

interface Drawing {
  readonly between: (min: number, max: number) => number
  readonly leaseSeconds: number
}

function drawFault(
  kind: FaultKind,
  time: { readonly id: number; readonly atSeconds: number },
  { between, leaseSeconds }: Drawing,
): Fault {
  const instance = between(0, 2) < 1 ? 0 : 1
  const lasting = (min: number, max: number) => ({ ...time, forSeconds: rounded(between(min, max)) })
  const share = Math.round(between(0.2, 1) * 100) / 100
  switch (kind) {
    case 'kill':
      // About as long as the restart takes.
      return { ...time, forSeconds: 4, kind, instance }
    case 'freeze':
      return { ...lasting(leaseSeconds * 1.3, leaseSeconds * 3), kind, instance }
    case 'clock':
      return { ...lasting(3, 10), kind, instance, shiftSeconds: drawShift(between) }
    case 'postgres':
      return { ...lasting(0.5, 8), kind, mode: between(0, 2) < 1 ? 'fast' : 'immediate' }
    case 'redis':
      return { ...lasting(1, 8), kind, mode: between(0, 2) < 1 ? 'polite' : 'killed' }
    case 'cut':
      return { ...time, forSeconds: 0, kind, share }
    case 'delay':
      return { ...lasting(1, 8), kind, share }
    case 'garbage':
      return {
        ...time,
        forSeconds: 0,
        kind,
        share,
        garbage: garbageKinds[Math.floor(between(0, garbageKinds.length))] ?? 'noise',
      }
    case 'disk':
      return { ...lasting(2, 8), kind }
  }
}

/** Returns a shift of seconds or hours, forward or back. */
function drawShift(between: Drawing['between']): number {
  const size = between(0, 2) < 1 ? between(2, 60) : between(600, 7200)
  return Math.round(between(0, 2) < 1 ? size : -size)
}

/** The effects of one fault on a target must show before the next one. */
const restSeconds = 2

function collide(one: Fault, other: Fault): boolean {
  return (
    targetOf(one) === targetOf(other) &&
    one.atSeconds < other.atSeconds + other.forSeconds + restSeconds &&
    other.atSeconds < one.atSeconds + one.forSeconds + restSeconds
  )
}

const rounded = (seconds: number) => Math.round(seconds * 10) / 10
