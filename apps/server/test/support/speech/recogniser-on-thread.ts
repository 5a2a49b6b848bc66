import { monitorEventLoopDelay } from 'node:perf_hooks'
import { samplesFromBytes } from '@parley/engine'
import { vi } from 'vitest'
import { toFloat } from '../../../../../packages/engine/dist/audio/pcm.js'
import { resampleClip } from '../../../../../packages/engine/dist/audio/resampler.js'
import { loadMoonshine } from '../../../../../packages/engine/dist/speech-to-text/moonshine.js'
import { wireRate } from './person.js'

const recognitionRate = 16_000
/** The resolution of the service's own event loop metric. */
const resolution = 10

export interface RecogniserOnThread {
  /** Recognises speech on the current thread. Returns the longest event loop delay in milliseconds. */
  measureStall(sound: Buffer): Promise<number>
}

/**
 * Loads the engine's recognizer on the current thread, where it blocks the event loop. The service never does
 * this.
 */
export async function loadRecogniserOnThread(): Promise<RecogniserOnThread> {
  const { transcribe } = await loadMoonshine('auto')
  await transcribe(new Float32Array(recognitionRate))
  return {
    async measureStall(sound) {
      const samples = toFloat(
        resampleClip({ samples: samplesFromBytes(sound), rate: wireRate }, recognitionRate),
      )
      const delay = monitorEventLoopDelay({ resolution })
      delay.enable()
      // The monitor measures the time between two firings of its own timer.
      await vi.waitUntil(() => delay.count > 0)
      await transcribe(samples)
      const { count } = delay
      await vi.waitUntil(() => delay.count > count)
      delay.disable()
      return delay.max / 1e6
    },
  }
}
