/** What must hold, by a short name for each: what is broken once is looked for again by it. */
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
  /** When it was broken, as far as that is known: milliseconds of this machine's time. */
  readonly at: number | null
  /** What log lines about it have in them. */
  readonly ids: readonly string[]
}
