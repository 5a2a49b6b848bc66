import { usualShape } from '../relay/frames.js'
import { Lane } from '../relay/lane.js'
import { blindRelay } from '../relay/targets/bare-relays.js'
import type { Target } from '../relay/targets/target.js'

export interface SharedRelayOptions {
  readonly sessions: number
  readonly framesPerSecond: number
  readonly rounds: number
  readonly seconds: number
}

const settleSeconds = 0.5

/** The blind relay in two processes, which take turns at sessions. */
const twoRelays: Target = {
  name: 'two blind relays',
  async start(providerUrl) {
    const relays = [await blindRelay.start(providerUrl), await blindRelay.start(providerUrl)]
    let count = 0
    return {
      pids: relays.flatMap(({ pids }) => pids),
      async sessionUrl() {
        count += 1
        return (await relays[count % relays.length]?.sessionUrl()) ?? ''
      },
      async stop() {
        for (const relay of relays) await relay.stop()
      },
    }
  },
}

/**
 * What a message costs when the same sessions are shared by two processes of a relay that does nothing else, against one: as
 * much of it as two workers of the service have is the price of two processes. One figure for each round.
 */
export async function measureSharedRelay({
  sessions,
  framesPerSecond,
  rounds,
  seconds,
}: SharedRelayOptions): Promise<number[]> {
  const lanes: Lane[] = []
  try {
    for (const target of [blindRelay, twoRelays]) lanes.push(await Lane.open(target, { sessions }))
    const stream = { framesPerSecond, shape: usualShape, burst: 1 }
    const ratios: number[] = []
    for (let round = 0; round <= rounds; round += 1) {
      const cpu: number[] = []
      for (const lane of lanes)
        cpu.push(
          (await lane.measure({ stream, settleSeconds, measureSeconds: seconds })).cpuMicrosecondsPerMessage,
        )
      const [one = Number.NaN, two = Number.NaN] = cpu
      // The first pays for what is compiled when it is first used.
      if (round > 0) ratios.push(two / one)
    }
    return ratios
  } finally {
    for (const lane of lanes) await lane.close()
  }
}
