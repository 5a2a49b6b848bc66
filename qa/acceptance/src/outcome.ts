export type Outcome = {
  readonly group: string
  readonly title: string
  readonly milliseconds: number
} & (
  | { readonly kind: 'passed' }
  | { readonly kind: 'skipped'; readonly reason: string }
  | { readonly kind: 'failed'; readonly failure: Failure }
)

export interface Failure {
  readonly expected: string | null
  readonly got: string
  /** The last requests of the check. Their ids lead to the service's log. */
  readonly requestIds: readonly string[]
  readonly look: string
}

export interface Summary {
  readonly url: string
  readonly run: string
  readonly startedAt: string
  readonly seconds: number
  /** The check was interrupted or timed out. */
  readonly isCutShort: boolean
  readonly outcomes: readonly Outcome[]
  readonly removed: number
  readonly left: readonly string[]
}

export const countOf = ({ outcomes }: Summary, kind: Outcome['kind']) =>
  outcomes.filter((outcome) => outcome.kind === kind).length
