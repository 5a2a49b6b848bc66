/** How far sound has come at some moment. */
export interface SoundMoment {
  readonly atMilliseconds: number
  readonly soundMilliseconds: number
}

/**
 * By how much sound lags behind the clock, in the middle of all moments: buffers and a busy machine make single ones early or
 * late. What this changes by from one minute to another is drift.
 */
export function lagOf(moments: readonly SoundMoment[]): number {
  const lags = moments
    .map(({ atMilliseconds, soundMilliseconds }) => atMilliseconds - soundMilliseconds)
    .sort((one, other) => one - other)
  return lags[Math.floor(lags.length / 2)] ?? Number.NaN
}
