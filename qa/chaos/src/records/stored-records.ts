import type { Approval, Message, RealtimeSession, Task } from '@parley/contract'

/** The service's data at the end, read through its API, and with SQL if the API does not return it. */
export interface StoredRecords {
  /** By conversation, in order. */
  readonly messages: ReadonlyMap<string, readonly Message[]>
  readonly sessions: readonly StoredSession[]
  readonly approvals: readonly (Approval & { readonly isFinished: boolean })[]
  readonly tasks: readonly StoredTask[]
  readonly turns: readonly StoredTurn[]
  readonly files: ReadonlyMap<string, StoredFile>
  /** Counts of rows that are still under way, by name. Names with no rows are left out. */
  readonly leftovers: Readonly<Record<string, number>>
  /** One for each organization. */
  readonly audits: readonly StoredAudit[]
  /** Events that receivers must have got, as `type id`. */
  readonly owedDeliveries: readonly string[]
}

export type StoredSession = RealtimeSession & {
  /** The key of the load's session, or null if no user of the load opened it. */
  readonly key: string | null
}

export interface StoredTask {
  readonly task: Task
  /** Audit records of starts and ends of the task's run. */
  readonly starts: number
  readonly ends: number
}

export interface StoredTurn {
  readonly id: string
  readonly state: string
  readonly answer: string | null
}

export type StoredFile =
  | { readonly kind: 'readable'; readonly hash: string }
  | { readonly kind: 'gone'; readonly status: number }

export interface StoredAudit {
  readonly organizationId: string
  readonly isValid: boolean
  readonly unsealed: number
  readonly detail: string
}
