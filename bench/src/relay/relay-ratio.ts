import { median } from '../terminal/figures.js'
import { Lane } from './lane.js'
import { blindRelay } from './targets/bare-relays.js'
import { parleyWith } from './targets/parley.js'

export interface RelayRatioOptions {
  readonly sessions: number
  /** Each way, on each session. */
  readonly framesPerSecond: number
  /** Of one attempt. */
  readonly rounds: number
  readonly measureSeconds: number
  /** What is good enough; an attempt above it is followed by another. */
  readonly bound: number
  readonly maxAttempts: number
  /** Where the service finds its data, which stays there; left out, a place of its own. */
  readonly dataDir?: string
}

const warmUpSeconds = 0.7
const settleSeconds = 0.1

/**
 * How often the processor time of a message is that of the blind relay: the median of short rounds, in each of which both
 * have the same load one after the other. One attempt for each until one is within the bound.
 */
export async function measureRelayRatio(options: RelayRatioOptions): Promise<readonly number[]> {
  const { sessions, framesPerSecond, bound, maxAttempts, dataDir } = options
  const [blind, service] = await Promise.all([
    Lane.open(blindRelay, { sessions }),
    Lane.open(parleyWith(dataDir === undefined ? {} : { dataDir }), { sessions }),
  ])
  const stream = { framesPerSecond }
  try {
    for (const lane of [blind, service])
      await lane.measure({ stream, settleSeconds: 0, measureSeconds: warmUpSeconds })
    const attempts: number[] = []
    while (attempts.length < maxAttempts) {
      const ratio = median(await measureRounds(blind, service, options))
      attempts.push(ratio)
      if (ratio <= bound) break
    }
    return attempts
  } finally {
    await Promise.all([blind.close(), service.close()])
  }
}

async function measureRounds(
  blind: Lane,
  service: Lane,
  { framesPerSecond, rounds, measureSeconds }: RelayRatioOptions,
): Promise<number[]> {
  const load = { stream: { framesPerSecond }, settleSeconds, measureSeconds }
  const cost = async (lane: Lane) => (await lane.measure(load)).cpuMicrosecondsPerMessage
  const ratios: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    // In turns the first and the second, as what else the machine does may be at its beginning or at its end.
    const isFirst = round % 2 === 0
    const before = isFirst ? await cost(blind) : Number.NaN
    const own = await cost(service)
    ratios.push(own / (isFirst ? before : await cost(blind)))
  }
  return ratios
}
