import type { Ledger } from './ledger.js'

/** The state that all users of the load share. */
export interface LoadStage {
  /** The address of the proxy in front of the instances. */
  readonly url: string
  readonly ledger: Ledger
  readonly random: () => number
  /** If true, users finish their work and begin no new work. */
  isOver: boolean
}
