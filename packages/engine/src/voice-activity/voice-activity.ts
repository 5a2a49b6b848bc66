import type { Outcome } from '../runtime/outcome.js'

/** The detector reads frames of 32 ms, each with the last samples of the frame before. */
export const frameSamples = 512
export const contextSamples = 64
export const stateSize = 256

/** The state of the detector for one audio stream. It travels with each job, so the worker keeps no sessions. */
export interface DetectorMemory {
  readonly state: Float32Array
  readonly context: Float32Array
}

export interface DetectorJob {
  /** A whole number of frames. */
  readonly samples: Float32Array
  readonly memory: DetectorMemory
}

export interface DetectorResult {
  /** The probability of speech for each frame. */
  readonly probabilities: readonly number[]
  readonly memory: DetectorMemory
}

export interface VoiceActivity {
  /** Loads the detector before the first audio arrives. */
  prepare?(): void
  detect(job: DetectorJob): Promise<Outcome<DetectorResult>>
}

export function freshMemory(): DetectorMemory {
  return { state: new Float32Array(stateSize), context: new Float32Array(contextSamples) }
}
