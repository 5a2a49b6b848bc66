import type { Clock } from '../../../ports/clock.js'
import type { Stores } from '../../../ports/database.js'
import { recordChange } from '../../audit/record-change.js'
import type { Caller } from '../../caller-scope.js'
import type { BudgetStanding, StandingChange } from './budget-standing.js'

export interface BudgetCrossing {
  readonly kind: 'warning' | 'exceeded'
  readonly standing: BudgetStanding
}

/** Records which lines were crossed: a budget's warning, its limit, or both at once. */
export async function recordCrossings(
  dependencies: { readonly clock: Clock },
  stores: Stores,
  changes: readonly StandingChange[],
): Promise<void> {
  for (const { before, after } of changes) {
    if (before.state === 'open' && after.state !== 'open')
      await recordCrossing(dependencies, stores, { kind: 'warning', standing: after })
    if (before.state !== 'exceeded' && after.state === 'exceeded')
      await recordCrossing(dependencies, stores, { kind: 'exceeded', standing: after })
  }
}

/**
 * The one place where it is known that a budget has reached its warning or its limit, in the transaction that did it:
 * whatever is to follow from it goes here.
 */
async function recordCrossing(
  { clock }: { readonly clock: Clock },
  stores: Stores,
  { kind, standing }: BudgetCrossing,
): Promise<void> {
  const { budget, spent, resetsAt } = standing
  const { id, organizationId, name, limit, period } = budget
  await recordChange(
    clock,
    { stores, caller: service(organizationId) },
    {
      action: `budget.${kind}`,
      type: 'Budget',
      id,
      details: { name, period, limit, spent, resetsAt },
    },
  )
}

const service = (organizationId: string): Caller => ({
  organizationId,
  actor: { type: 'system', id: null, name: 'Parley' },
  scopes: [],
  expiresAt: null,
  ipAddress: null,
  requestId: null,
})
