import type { Scope } from '@parley/sdk'
import type { Visit } from './visit.js'

/** One thing that must be true of a deployment. */
export interface Check {
  readonly title: string
  /** What the key must be allowed, for the check and for removing what it makes. */
  readonly needs?: readonly Scope[]
  /** Whether a model is asked, which may cost money. */
  readonly usesModel?: boolean
  /** 30 where left out. */
  readonly timeoutSeconds?: number
  /** Where to look when it fails. */
  readonly look: string
  /** Rejects with what is wrong, or with a `Skipped`. */
  run(visit: Visit): Promise<void>
}

export interface CheckGroup {
  readonly name: string
  readonly checks: readonly Check[]
}
