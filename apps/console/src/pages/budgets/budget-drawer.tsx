import type { Budget } from '@parley/sdk'
import { useConsole } from '../../data/console-context'
import { useDraftForm } from '../../data/use-draft-form'
import { DeleteResource } from '../../parts/delete-button'
import { FormDrawer } from '../../parts/form-drawer'
import { draftOf, inputOf, newBudget, validateDraft } from './budget-draft'
import { BudgetFields } from './budget-fields'

interface BudgetDrawerProps {
  /** Null for a new budget. */
  readonly budget: Budget | null
  readonly onClose: () => void
}

export function BudgetDrawer({ budget, onClose }: BudgetDrawerProps) {
  const { parley, may } = useConsole()
  const isReadOnly = !may('usage:write')
  const { fields, drawer } = useDraftForm({
    start: budget === null ? newBudget : draftOf(budget),
    errorsIn: validateDraft,
    // Replaces the whole limit, so that no amount of the other unit remains.
    save: async (draft) =>
      budget === null
        ? parley.budgets.create(inputOf(draft))
        : parley.budgets.replace(budget.id, { ...keptOf(budget), ...inputOf(draft) }),
    resource: 'Budget',
    done: ({ name }) => `${name} saved.`,
    onDone: onClose,
  })
  return (
    <FormDrawer
      {...drawer}
      title={budget?.name ?? 'New budget'}
      action={budget === null ? 'Create budget' : 'Save changes'}
      isReadOnly={isReadOnly}
      onClose={onClose}
    >
      <BudgetFields {...fields} isReadOnly={isReadOnly} />
      {budget !== null && !isReadOnly && (
        <DeleteResource
          action="Delete budget"
          question={`Delete ${budget.name}?`}
          resource="Budget"
          remove={() => parley.budgets.delete(budget.id)}
          done={`${budget.name} deleted.`}
          onDeleted={onClose}
        >
          The limit no longer applies. Recorded usage is kept.
        </DeleteResource>
      )}
    </FormDrawer>
  )
}

/** Its key in the exported file, if it comes from one. */
const keptOf = ({ externalId, managedBy }: Budget) => ({ externalId, managedBy })
