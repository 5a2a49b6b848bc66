/**
 * Short names of the promises that must hold. Shrinking a plan searches for a run that breaks the same
 * promise.
 */
export type PromiseName =
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

export interface BrokenPromise {
  readonly promise: PromiseName
  readonly what: string
  /** When the promise was broken, in milliseconds of this machine's clock, or null if the time is unknown. */
  readonly at: number | null
  /** Ids to look for in the logs. */
  readonly ids: readonly string[]
}
