/** Faults of the service and of the parts it depends on. */
export const faultKinds = [
  'kill',
  'freeze',
  'postgres',
  'redis',
  'cut',
  'delay',
  'garbage',
  'disk',
  'clock',
] as const
export type FaultKind = (typeof faultKinds)[number]

/** Frames of a provider that do not follow its protocol. */
export const garbageKinds = ['noise', 'half-json', 'wrong-json', 'half-frame', 'bad-frame'] as const
export type GarbageKind = (typeof garbageKinds)[number]

export type InstanceIndex = 0 | 1

interface FaultTime {
  /** The number in the original plan. Shrinking keeps it. */
  readonly id: number
  /** Seconds since the load began. */
  readonly atSeconds: number
  readonly forSeconds: number
}

export type Fault = FaultTime &
  (
    | { readonly kind: 'kill' | 'freeze'; readonly instance: InstanceIndex }
    | { readonly kind: 'clock'; readonly instance: InstanceIndex; readonly shiftSeconds: number }
    | { readonly kind: 'postgres'; readonly mode: 'fast' | 'immediate' }
    | { readonly kind: 'redis'; readonly mode: 'polite' | 'killed' }
    /** The share of connections to the provider that are affected. */
    | { readonly kind: 'cut'; readonly share: number }
    | { readonly kind: 'delay'; readonly share: number }
    | { readonly kind: 'garbage'; readonly share: number; readonly garbage: GarbageKind }
    | { readonly kind: 'disk' }
  )

export interface Plan {
  readonly seed: number
  readonly seconds: number
  readonly sessions: number
  readonly faults: readonly Fault[]
}

/** Returns the target of a fault. Faults of the same target never overlap. */
export function targetOf(fault: Fault): string {
  switch (fault.kind) {
    case 'kill':
    case 'freeze':
    case 'clock':
      return `instance ${fault.instance}`
    case 'postgres':
    case 'disk':
      return 'PostgreSQL'
    case 'redis':
      return 'Redis'
    case 'cut':
    case 'delay':
    case 'garbage':
      return 'provider'
  }
}

const percent = (share: number) => `${Math.round(share * 100)} % of the provider's connections`

/** Describes a fault for the printed plan. */
export function describeFault(fault: Fault): string {
  const length = `${fault.forSeconds.toFixed(1)} s`
  switch (fault.kind) {
    case 'kill':
      return `instance ${fault.instance} is killed with SIGKILL`
    case 'freeze':
      return `instance ${fault.instance} is frozen for ${length}`
    case 'clock':
      return `the clock of instance ${fault.instance} is ${fault.shiftSeconds} s off for ${length}`
    case 'postgres':
      return `PostgreSQL is stopped (${fault.mode}) for ${length}`
    case 'redis':
      return `Redis is stopped (${fault.mode}) for ${length}`
    case 'cut':
      return `${percent(fault.share)} are cut`
    case 'delay':
      return `${percent(fault.share)} are silent for ${length}`
    case 'garbage':
      return `${percent(fault.share)} send garbage (${fault.garbage})`
    case 'disk':
      return `PostgreSQL's disk is full for ${length}`
  }
}
