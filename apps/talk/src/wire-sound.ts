/** Samples a second on the wire: one channel, 16 bit. */
export const wireRate = 24_000
export const chunkMilliseconds = 20
export const chunkSamples = (wireRate * chunkMilliseconds) / 1000

/** What is to be said, in the pieces that a microphone would give. */
export interface SpokenQuestion {
  readonly chunks: readonly Buffer[]
  /** How many there are up to the last one that is loud enough to be speech: there the person stops. */
  readonly spokenChunks: number
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
