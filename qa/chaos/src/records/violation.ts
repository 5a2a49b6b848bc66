/**
 * Short names of the invariants that must hold. Shrinking a plan searches for a run that violates the same
 * invariant.
 */
export type Invariant =
  | 'turns'
  | 'order'
  | 'calls'
  | 'effects'
  | 'approvals'
  | 'sessions'
  | 'questions'
  | 'tasks'
  | 'files'
  | 'webhooks'
  | 'audit'
  | 'answers'
  | 'processes'
  | 'leftovers'

export interface Violation {
  readonly invariant: Invariant
  readonly what: string
  /** When the invariant was violated, in milliseconds of this machine's clock, or null if the time is unknown. */
  readonly at: number | null
  /** Ids to look for in the logs. */
  readonly ids: readonly string[]
}
