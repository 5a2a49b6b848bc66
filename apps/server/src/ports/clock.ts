/** The time. Tests move it by hand. */
export interface Clock {
  /** The present moment. */
  now(): Date
}
