/** The amount of audio played or received at some time. */
export interface SoundSample {
  readonly atMilliseconds: number
  readonly soundMilliseconds: number
}

/**
 * Returns the median lag of the audio behind the clock. Buffers and a busy machine make single samples early
 * or late. The change of the lag over minutes is the drift.
 */
export function lagOf(moments: readonly SoundSample[]): number {
  const lags = moments
    .map(({ atMilliseconds, soundMilliseconds }) => atMilliseconds - soundMilliseconds)
    .sort((one, other) => one - other)
  return lags[Math.floor(lags.length / 2)] ?? Number.NaN
}
