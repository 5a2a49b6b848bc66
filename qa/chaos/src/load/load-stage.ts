import type { Ledger } from './ledger.js'

/** What everybody of the load shares. */
export interface LoadStage {
  /** The proxy before the instances. */
  readonly url: string
  readonly ledger: Ledger
  readonly random: () => number
  /** Nothing new is begun any more; what was begun is finished. */
  isOver: boolean
}
