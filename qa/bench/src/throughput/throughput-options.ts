export interface ThroughputOptions {
  /** How many talk through each worker, and how many frames a second each of them sends and hears. */
  readonly sessions: number
  readonly framesPerSecond: number
  readonly rounds: number
  readonly seconds: number
}
