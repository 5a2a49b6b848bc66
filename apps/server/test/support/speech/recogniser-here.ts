import { monitorEventLoopDelay } from 'node:perf_hooks'
import { samplesFromBytes } from '@parley/engine'
import { vi } from 'vitest'
import { toFloat } from '../../../../../packages/engine/dist/audio/pcm.js'
import { resampleClip } from '../../../../../packages/engine/dist/audio/resampler.js'
import { loadMoonshine } from '../../../../../packages/engine/dist/speech-to-text/moonshine.js'
import { wireRate } from './person.js'

const recognitionRate = 16_000
/** The same as that of the service's own gauge. */
const resolution = 10

export interface RecogniserHere {
  /** Recognises a sound on this very thread, and tells how long that kept its event loop at most, in milliseconds. */
  stallOf(sound: Buffer): Promise<number>
}

/** The engine's recogniser where it must never be: on the thread that has sockets to serve. */
export async function loadRecogniserHere(): Promise<RecogniserHere> {
  const { transcribe } = await loadMoonshine('auto')
  await transcribe(new Float32Array(recognitionRate))
  return {
    async stallOf(sound) {
      const samples = toFloat(
        resampleClip({ samples: samplesFromBytes(sound), rate: wireRate }, recognitionRate),
      )
      const delay = monitorEventLoopDelay({ resolution })
      delay.enable()
      // The monitor measures from one firing of its own timer to the next.
      await vi.waitUntil(() => delay.count > 0)
      await transcribe(samples)
      const { count } = delay
      await vi.waitUntil(() => delay.count > count)
      delay.disable()
      return delay.max / 1e6
    },
  }
}
