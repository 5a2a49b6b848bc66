import { Lane } from '../relay/lane.js'
import type { Stream } from '../relay/load-side.js'
import { parley } from '../relay/targets/parley.js'
import { factors } from './exponent.js'
import type { GrowingWork, StartedWorks } from './growing-work.js'

const minSessions = 25
const framesPerSecond = 20
const measureSeconds = 1

/** The relay's work per second with more sessions, with more frames per session and with larger frames. */
export async function startRelayWorks(share: number): Promise<StartedWorks> {
  const lane = await Lane.open(parley, { sessions: minSessions * Math.max(...factors) })
  const work = (name: string, streamOf: (factor: number) => Stream): GrowingWork => ({
    name,
    async cost(factor) {
      const stream = streamOf(factor)
      const { cpuMicrosecondsPerMessage } = await lane.measure({
        stream,
        settleSeconds: 0.2 * share,
        measureSeconds: measureSeconds * share,
      })
      const { sessions = 0 } = stream
      return (cpuMicrosecondsPerMessage * 2 * sessions * stream.framesPerSecond) / 1000
    },
  })
  return {
    works: [
      work(`a second of ${minSessions} sessions`, (factor) => ({
        framesPerSecond,
        sessions: minSessions * factor,
      })),
      work(`a second of ${minSessions} sessions, more frames on each`, (factor) => ({
        framesPerSecond: framesPerSecond * factor,
        sessions: minSessions,
      })),
      work(`a second of ${minSessions} sessions, larger frames`, (factor) => ({
        framesPerSecond,
        sessions: minSessions,
        shape: { milliseconds: 40 * factor, hasEventId: false },
      })),
    ],
    stop: () => lane.close(),
  }
}
