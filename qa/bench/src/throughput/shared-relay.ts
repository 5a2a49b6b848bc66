import { usualShape } from '@parley/stage/load/frames'
import { canPin, pin } from '@parley/stage/processes/pin'
import { Lane } from '../relay/lane.js'
import { blindRelay } from '../relay/targets/bare-relays.js'
import type { Target } from '../relay/targets/target.js'
import type { ThroughputOptions } from './throughput-options.js'

const settleSeconds = 0.5

/** The blind relay in two processes, which take turns at sessions. */
const twoRelays: Target = {
  name: 'two blind relays',
  async start(providerUrl) {
    let [next, other] = [await blindRelay.start(providerUrl), await blindRelay.start(providerUrl)]
    return {
      pids: [...next.pids, ...other.pids],
      sessionUrl() {
        ;[next, other] = [other, next]
        return next.sessionUrl()
      },
      async stop() {
        await next.stop()
        await other.stop()
      },
    }
  },
}

/**
 * Measures the cost of a message if two relay processes share the sessions, relative to one process. The relay does nothing
 * else, so this is the part of the service's overhead that two processes cause. Returns one figure per round.
 */
export async function measureSharedRelay({
  sessions,
  framesPerSecond,
  rounds,
  seconds,
}: ThroughputOptions): Promise<number[]> {
  const lanes: Lane[] = []
  try {
    for (const target of [blindRelay, twoRelays]) lanes.push(await Lane.open(target, { sessions }))
    if (canPin()) for (const { pids } of lanes) pin(pids, '0')
    const stream = { framesPerSecond, shape: usualShape, burst: 1 }
    const ratios: number[] = []
    for (let round = 0; round <= rounds; round += 1) {
      const cpu: number[] = []
      for (const lane of lanes)
        cpu.push(
          (await lane.measure({ stream, settleSeconds, measureSeconds: seconds })).cpuMicrosecondsPerMessage,
        )
      const [one = Number.NaN, two = Number.NaN] = cpu
      // The first round includes compilation.
      if (round > 0) ratios.push(two / one)
    }
    return ratios
  } finally {
    for (const lane of lanes) await lane.close()
  }
}
