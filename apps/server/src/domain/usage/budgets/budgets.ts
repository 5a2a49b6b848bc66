import {
  Budget,
  BudgetInput,
  type BudgetListQuery,
  type BudgetPatch,
  type BudgetUpsert,
  type Page,
} from '@parley/contract'
import type { Stores } from '../../../ports/database.js'
import type { Clock } from '../../../ports/time.js'
import type { BudgetRecord } from '../../../ports/usage-stores.js'
import { recordChange } from '../../audit/record-change.js'
import type { CallerScope } from '../../caller-scope.js'
import { invalidRequest } from '../../domain-error.js'
import type { Limits } from '../../limits/organization-limits.js'
import {
  addResource,
  applyPatch,
  type Changed,
  changedFields,
  changeResource,
  listResources,
  newResource,
  readResource,
  removeResource,
  type TargetExternalId,
  type TargetVersion,
  upsertResource,
} from '../../resources/resource.js'
import { currentStandings, reachedThresholds, recordCrossings, recordThreshold } from './budget-standing.js'

const type = 'Budget'

export type Budgets = ReturnType<typeof makeBudgets>

type StandingBudget = BudgetRecord & Pick<Budget, 'spent' | 'state' | 'periodStartsAt' | 'resetsAt'>

export function makeBudgets({ clock, limits }: { readonly clock: Clock; readonly limits: Limits }) {
  const kind = {
    type,
    clock,
    limits,
    counted: 'budgets',
    store: (stores: Stores) => stores.budgets,
    duplicate: 'Another budget of this organization already has this externalId.',
  } as const

  async function withStandings(
    { stores }: CallerScope,
    budgets: readonly BudgetRecord[],
  ): Promise<StandingBudget[]> {
    const standings = await currentStandings({ clock }, stores, budgets)
    return standings.map(({ budget, ...standing }) => ({ ...budget, ...standing }))
  }

  async function withStanding(scope: CallerScope, budget: BudgetRecord): Promise<StandingBudget> {
    const [found] = await withStandings(scope, [budget])
    if (found === undefined) throw new Error('A budget has no state.')
    return found
  }

  /**
   * Records the thresholds (warning or limit) that usage exceeds after the limit was lowered. Clears those
   * that it no longer exceeds after the limit was raised, so that they can be reported again.
   */
  async function recordReached(scope: CallerScope, before: BudgetRecord, after: BudgetRecord): Promise<void> {
    const { stores } = scope
    const [from] = await currentStandings({ clock }, stores, [before])
    const [to] = await currentStandings({ clock }, stores, [after])
    if (from === undefined || to === undefined) return
    for (const threshold of reachedThresholds(from)) {
      if (reachedThresholds(to).includes(threshold)) await recordThreshold(stores, to, threshold)
      else await stores.budgets.forgetCrossing(after.id, threshold)
    }
    await recordCrossings({ clock }, stores, [to])
  }

  async function change(
    scope: CallerScope,
    target: TargetVersion,
    inputFor: (current: BudgetRecord) => BudgetInput,
  ): Promise<Changed<StandingBudget>> {
    const { before, after } = await changeResource(kind, scope, {
      ...target,
      change: async (current) => {
        const next = { ...current, ...fieldsOf(inputFor(current)) }
        await requireSubject(scope, next, current)
        return next
      },
    })
    const changed = changedFields(before, after)
    const details = { changed, name: after.name }
    await recordChange(clock, scope, { action: 'budget.update', type, id: after.id, details })
    await recordReached(scope, before, after)
    return { ...(await withStanding(scope, after)), changed }
  }

  async function create(scope: CallerScope, input: BudgetInput): Promise<Changed<StandingBudget>> {
    const record = { ...newResource(clock, scope.caller.organizationId), ...fieldsOf(input) }
    await requireSubject(scope, record)
    await addResource(kind, scope, record)
    const { id, name, limit, period } = record
    await recordChange(clock, scope, {
      action: 'budget.create',
      type,
      id,
      details: { name, limit, period },
    })
    const [standing] = await currentStandings({ clock }, scope.stores, [record])
    // Usage before the budget's creation causes no warning.
    if (standing !== undefined)
      for (const threshold of reachedThresholds(standing))
        await recordThreshold(scope.stores, standing, threshold)
    return withStanding(scope, record)
  }

  const replace = (scope: CallerScope, target: TargetVersion, input: BudgetInput) =>
    change(scope, target, () => input)

  return {
    async list(scope: CallerScope, query: BudgetListQuery): Promise<Page<StandingBudget>> {
      const filter = { agentId: query.AgentId, apiKeyId: query.ApiKeyId }
      const page = await listResources(kind, scope, { query, filter })
      return { ...page, items: await withStandings(scope, page.items) }
    },

    read: async (scope: CallerScope, id: string) => withStanding(scope, await readResource(kind, scope, id)),

    create,

    replace,

    upsert(scope: CallerScope, target: TargetExternalId, upsert: BudgetUpsert) {
      const input = { ...upsert, externalId: target.externalId }
      return upsertResource(scope.stores.budgets, scope, {
        ...target,
        create: () => create(scope, input),
        replace: (current) => replace(scope, current, input),
      })
    },

    patch: (scope: CallerScope, target: TargetVersion, patch: BudgetPatch) =>
      change(scope, target, (current) => applyPatch({ wire: stored, input: BudgetInput }, current, patch)),

    async remove(scope: CallerScope, target: TargetVersion): Promise<undefined> {
      const { id, name } = await removeResource(kind, scope, target)
      await recordChange(clock, scope, { action: 'budget.delete', type, id, details: { name } })
    },
  }
}

const stored = Budget.omit({ spent: true, state: true, periodStartsAt: true, resetsAt: true })

/** Returns the stored fields of a limit. A limit in tokens has no money amount, and vice versa. */
function fieldsOf({
  limit,
  ...fields
}: BudgetInput): Omit<BudgetRecord, keyof ReturnType<typeof newResource>> {
  const { amount, tokens } = limit
  return {
    ...fields,
    limit: typeof amount === 'number' ? { amount } : { tokens: tokens ?? 0 },
  }
}

/**
 * Throws if a new budget refers to an agent or key that does not exist. An existing budget is not checked
 * again, because it may outlive its agent or key.
 */
async function requireSubject(
  { stores, caller }: CallerScope,
  { agentId, apiKeyId }: Pick<BudgetRecord, 'agentId' | 'apiKeyId'>,
  current?: BudgetRecord,
): Promise<void> {
  const { organizationId } = caller
  if (
    agentId !== null &&
    agentId !== current?.agentId &&
    !(await stores.agents.find(organizationId, agentId))
  )
    throw invalidRequest([{ path: 'agentId', message: 'must be an agent of this organization' }])
  if (
    apiKeyId !== null &&
    apiKeyId !== current?.apiKeyId &&
    !(await stores.apiKeys.find(organizationId, apiKeyId))
  )
    throw invalidRequest([{ path: 'apiKeyId', message: 'must be an API key of this organization' }])
}
