import type { Outcome } from '../workers/outcome.js'
import type { DetectorJob, DetectorResult } from './silero.js'

/** Tells for each frame of 32 ms how likely somebody speaks. */
export interface VoiceActivity {
  detect(job: DetectorJob): Promise<Outcome<DetectorResult>>
}
