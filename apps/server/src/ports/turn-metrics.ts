import type { TurnEnd } from './turn-store.js'

/** What is measured of questions in text. */
export interface TurnMetrics {
  /** An answer began. */
  turnStarted(): void
  turnEnded(state: TurnEnd['state']): void
  /** From the start of a turn to the first words of its answer. */
  firstWords(seconds: number): void
}
