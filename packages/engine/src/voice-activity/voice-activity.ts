import type { Outcome } from '../runtime/outcome.js'

/** The detector takes 32 ms at a time, and the end of what came before. */
export const frameSamples = 512
export const contextSamples = 64
export const stateSize = 256

/** What the detector remembers of a stream. It travels with the work, so the worker keeps nothing of any session. */
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
  /** For each frame, how likely somebody speaks. */
  readonly probabilities: readonly number[]
  readonly memory: DetectorMemory
}

/** Detects when somebody speaks. */
export interface VoiceActivity {
  /** There will be sound soon. */
  prepare?(): void
  detect(job: DetectorJob): Promise<Outcome<DetectorResult>>
}

export function freshMemory(): DetectorMemory {
  return { state: new Float32Array(stateSize), context: new Float32Array(contextSamples) }
}
