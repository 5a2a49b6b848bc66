import { Badge } from '@mantine/core'
import type { AgentTestOutcome } from '@parley/sdk'

const labels = { passed: 'Passed', failed: 'Failed', not_run: 'Not run' } as const
const colors = { passed: 'green', failed: 'red', not_run: 'gray' } as const

/** The verdict of a test. Null: it has not been run. */
export function VerdictBadge({ verdict }: { readonly verdict: AgentTestOutcome['verdict'] | null }) {
  return verdict === null ? (
    <Badge variant="default" fw={500}>
      No result
    </Badge>
  ) : (
    <Badge variant="light" color={colors[verdict]} fw={500}>
      {labels[verdict]}
    </Badge>
  )
}

export const isNewlyFailing = ({ verdict, previousVerdict }: AgentTestOutcome) =>
  verdict === 'failed' && previousVerdict === 'passed'

export const isNewlyPassing = ({ verdict, previousVerdict }: AgentTestOutcome) =>
  verdict === 'passed' && previousVerdict === 'failed'

/** How the verdict differs from the run before. */
export function ChangeBadge({ outcome }: { readonly outcome: AgentTestOutcome }) {
  const change = isNewlyFailing(outcome) ? 'Newly failing' : isNewlyPassing(outcome) ? 'Newly passing' : null
  return change === null ? null : (
    <Badge variant="outline" color={isNewlyFailing(outcome) ? 'red' : 'green'} fw={500}>
      {change}
    </Badge>
  )
}
