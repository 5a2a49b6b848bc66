/** Samples per second on the wire: mono, 16 bit. */
export const wireRate = 24_000
export const chunkMilliseconds = 20
export const chunkSamples = (wireRate * chunkMilliseconds) / 1000

/** The audio to send, in chunks of a microphone's size. */
export interface SpokenQuestion {
  readonly chunks: readonly Buffer[]
  /** The number of chunks up to the last one that is loud enough to be speech. */
  readonly spokenChunks: number
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
