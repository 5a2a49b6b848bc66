import type { Scope } from '@parley/sdk'
import type { Visit } from './visit.js'

/** One requirement of a deployment. */
export interface Check {
  readonly title: string
  /** The scopes that the check needs, also those for the cleanup. */
  readonly needs?: readonly Scope[]
  /** Whether the check calls a model, which may cost money. */
  readonly usesModel?: boolean
  /** Defaults to 30. */
  readonly timeoutSeconds?: number
  /** Where to look when it fails. */
  readonly look: string
  /** Rejects with the failure, or with a `Skipped`. */
  run(visit: Visit): Promise<void>
}

export interface CheckGroup {
  readonly name: string
  readonly checks: readonly Check[]
}
