import type { EndReason } from '@parley/contract'

/** Added to with every frame, so they are plain numbers, read only when somebody looks. */
export interface RelayCounters {
  clientFrames: number
  clientBytes: number
  providerFrames: number
  providerBytes: number
}

/** What is measured of realtime sessions. */
export interface RealtimeMetrics {
  readonly relayed: RelayCounters
  /** A session began. */
  sessionStarted(): void
  /** A session ended. */
  sessionEnded(reason: EndReason): void
  /** The provider took this long to connect. */
  providerConnected(seconds: number): void
  /** From the end of a turn of the user to the first audio of the answer. */
  firstAudio(seconds: number): void
}
