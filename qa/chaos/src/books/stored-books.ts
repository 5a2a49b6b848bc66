import type { Approval, Message, RealtimeSession, Task } from '@parley/contract'

/** What the service holds once everything is over: through its API, and by SQL where the API does not tell. */
export interface StoredBooks {
  /** In the order of their conversation. */
  readonly messages: ReadonlyMap<string, readonly Message[]>
  readonly sessions: readonly StoredSession[]
  readonly approvals: readonly (Approval & { readonly isFinished: boolean })[]
  readonly tasks: readonly StoredTask[]
  readonly turns: readonly StoredTurn[]
  readonly files: ReadonlyMap<string, StoredFile>
  /** What the database says is still under way: name and count, those with none left out. */
  readonly leftovers: Readonly<Record<string, number>>
  /** Of each organization. */
  readonly audits: readonly StoredAudit[]
  /** What receivers must have been told: `type id`. */
  readonly owedDeliveries: readonly string[]
}

export type StoredSession = RealtimeSession & {
  /** That of the load's session; null where it is nobody's. */
  readonly key: string | null
}

export interface StoredTask {
  readonly task: Task
  /** Records of its run's start and of its end. */
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
