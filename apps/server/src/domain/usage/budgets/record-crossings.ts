import type { BudgetLine } from '../../../ports/budget-store.js'
import type { Clock } from '../../../ports/clock.js'
import type { Stores } from '../../../ports/database.js'
import { recordChange } from '../../audit/record-change.js'
import { systemCaller } from '../../system-caller.js'
import { recordEvent } from '../../webhooks/record-event.js'
import type { BudgetStanding } from './budget-standing.js'

interface BudgetCrossing {
  readonly kind: BudgetLine
  readonly standing: BudgetStanding
}

const linesOf = {
  open: [],
  warning: ['warning'],
  exceeded: ['warning', 'exceeded'],
} as const satisfies Record<BudgetStanding['state'], readonly BudgetLine[]>

/** The lines that a budget has reached. */
export const reachedLines = ({ state }: BudgetStanding): readonly BudgetLine[] => linesOf[state]

/** Notes a line of a budget as reached in its period. Returns false if it was noted before. */
export const noteLine = (
  stores: Stores,
  { budget, periodStartsAt }: BudgetStanding,
  line: BudgetLine,
): Promise<boolean> =>
  stores.budgets.noteCrossing(budget.id, line, periodStartsAt.slice(0, 'yyyy-mm-dd'.length))

/**
 * Records the lines that budgets have reached: a warning, a limit, or both at once. Each is recorded once a period, also
 * if several transactions see it at the same moment.
 */
export async function recordCrossings(
  dependencies: { readonly clock: Clock },
  stores: Stores,
  standings: readonly BudgetStanding[],
): Promise<void> {
  for (const standing of standings)
    for (const kind of reachedLines(standing))
      if (await noteLine(stores, standing, kind))
        await recordCrossing(dependencies, stores, { kind, standing })
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
  const { budget, ...current } = standing
  const { spent, resetsAt } = current
  const { id, organizationId, name, limit, period } = budget
  await recordChange(
    clock,
    { stores, caller: systemCaller(organizationId) },
    {
      action: `budget.${kind}`,
      type: 'Budget',
      id,
      details: { name, period, limit, spent, resetsAt },
    },
  )
  await recordEvent(stores, organizationId, { type: `usage.budget.${kind}`, data: { ...budget, ...current } })
}
