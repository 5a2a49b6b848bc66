export interface ThroughputOptions {
  /** The talking sessions per worker, and the frames per second that each sends and receives. */
  readonly sessions: number
  readonly framesPerSecond: number
  readonly rounds: number
  readonly seconds: number
}
