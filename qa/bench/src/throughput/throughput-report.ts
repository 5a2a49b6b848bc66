import { median, quantile, spread } from '@parley/stage/terminal/figures'
import { describeTable } from '@parley/stage/terminal/table'
import type { ThroughputOptions } from './throughput-options.js'

/** The rate of an operation while other sessions talk. */
export interface Rate {
  readonly perSecond: number
  /** Of each operation. */
  readonly milliseconds: readonly number[]
  /** The service's share of its core: 1 is all of it. */
  readonly cores: number
}

export interface Talk {
  /** Processor time of all of its processes while all sessions are silent, in milliseconds per second. */
  readonly silentCpu: number
  /** The additional processor time of one talking session while nothing else runs. */
  readonly talkingCpu: number
  /** The same, but all workers together have as many talking sessions as one worker has otherwise. */
  readonly sharedCpu: number
}

/** Sessions that are created and opened while others talk. */
export interface Burst {
  readonly created: Rate
  readonly opened: Rate
}

interface Measured {
  readonly workers: number
  readonly talks: readonly Talk[]
  readonly bursts: readonly Burst[]
}

const target = 0.1

/**
 * The cost per session with two processes relative to one. It is computed per round, because the machine's
 * speed changes.
 */
function ratios(lanes: readonly Measured[], kind: 'talkingCpu' | 'sharedCpu' = 'talkingCpu'): number[] {
  const [one, other] = lanes
  return (one?.talks ?? []).map(
    ({ talkingCpu }, round) => (other?.talks[round]?.[kind] ?? Number.NaN) / talkingCpu,
  )
}

export const isWithinTarget = (lanes: readonly Measured[]) => Math.abs(median(ratios(lanes)) - 1) <= target

export function describeThroughput(
  { sessions, framesPerSecond }: ThroughputOptions,
  lanes: readonly Measured[],
  sharedRelay: readonly number[],
): string {
  const head = [
    'workers',
    'silent, CPU ms/s',
    'CPU ms/s a session',
    'created /s',
    'p50 ms',
    'p99 ms',
    'opened /s',
    'p50 ms',
    'p99 ms',
  ]
  const rows = lanes.map(({ workers, talks, bursts }) => {
    const figures = (['created', 'opened'] as const).flatMap((kind) => {
      const rates = bursts.map((burst) => burst[kind])
      const all = rates.flatMap(({ milliseconds }) => milliseconds)
      return [
        spread(rates.map(({ perSecond }) => perSecond)),
        ...[0.5, 0.99].map((share) => quantile(all, share).toFixed(0)),
      ]
    })
    const cpu = (['silentCpu', 'talkingCpu'] as const).map((kind) => spread(talks.map((talk) => talk[kind])))
    return [String(workers), ...cpu, ...figures]
  })
  const cores = lanes.map(({ workers, bursts }) => {
    const used = (['created', 'opened'] as const).map((kind) =>
      median(bursts.map((burst) => burst[kind].cores)).toFixed(2),
    )
    return `${workers}: ${used.join(' and ')}`
  })
  const verdict = isWithinTarget(lanes) ? 'within' : 'beyond'
  return [
    `\n${sessions} sessions per worker, ${framesPerSecond} frames per second in each direction. Others are created and opened while ${sessions} talk, with one core for the service. Median and middle half of the rounds:\n`,
    describeTable([head, ...rows]),
    `\nThe service's share of its core while sessions were created and opened, by workers: ${cores.join('; ')}.`,
    `With two workers, a talking session costs ${spread(ratios(lanes))} x as much as with one: ${verdict} 10 %.`,
    `Two workers that share one worker's ${sessions} sessions: ${spread(ratios(lanes, 'sharedCpu'))} x CPU per session (bare relay: ${spread(sharedRelay)} x). The difference is less batching per wakeup.\n`,
  ].join('\n')
}
