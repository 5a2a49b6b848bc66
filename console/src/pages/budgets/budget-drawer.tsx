import { Button } from '@mantine/core'
import type { Budget } from '@parley/sdk'
import { IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { useConsole } from '../../data/console-context'
import { fieldErrorsOf } from '../../data/error-words'
import { useChange } from '../../data/use-change'
import { Confirm } from '../../parts/confirm'
import { FormDrawer } from '../../parts/form-drawer'
import { draftMistakes, draftOf, inputOf, newBudget } from './budget-draft'
import { BudgetFields } from './budget-fields'

interface BudgetDrawerProps {
  /** Null for a new one. */
  readonly budget: Budget | null
  readonly onClose: () => void
}

export function BudgetDrawer({ budget, onClose }: BudgetDrawerProps) {
  const { parley, may } = useConsole()
  const isReadOnly = !may('usage:write')
  const [start] = useState(() => (budget === null ? newBudget : draftOf(budget)))
  const [draft, setDraft] = useState(start)
  const [wasTried, setTried] = useState(false)
  const found = draftMistakes(draft)
  const save = useChange({
    // All of it: of a limit in another unit nothing must stay.
    change: async () =>
      budget === null
        ? parley.budgets.create(inputOf(draft))
        : parley.budgets.replace(budget.id, { ...keptOf(budget), ...inputOf(draft) }),
    changes: ['Budget'],
    done: `${draft.name} is saved.`,
    isErrorShown: true,
    onDone: onClose,
  })
  return (
    <FormDrawer
      title={budget?.name ?? 'New budget'}
      action={budget === null ? 'Create budget' : 'Save budget'}
      isOpen
      isReadOnly={isReadOnly}
      onClose={onClose}
      onSubmit={(event) => {
        event.preventDefault()
        setTried(true)
        if (Object.keys(found).length === 0) save.mutate(undefined)
      }}
      isBusy={save.isPending}
      isDirty={JSON.stringify(draft) !== JSON.stringify(start)}
      error={save.error}
    >
      <BudgetFields
        draft={draft}
        mistakes={{ ...fieldErrorsOf(save.error), ...(wasTried ? found : {}) }}
        isReadOnly={isReadOnly}
        onChange={(fields) => setDraft({ ...draft, ...fields })}
      />
      {budget !== null && !isReadOnly && <DeleteBudget budget={budget} onDeleted={onClose} />}
    </FormDrawer>
  )
}

interface DeleteBudgetProps {
  readonly budget: Budget
  readonly onDeleted: () => void
}

function DeleteBudget({ budget: { id, name }, onDeleted }: DeleteBudgetProps) {
  const { parley } = useConsole()
  const remove = useChange({
    change: async () => parley.budgets.delete(id),
    changes: ['Budget'],
    done: `${name} is deleted.`,
    onDone: onDeleted,
  })
  return (
    <Confirm
      title={`Delete ${name}?`}
      action="Delete budget"
      onConfirm={() => remove.mutateAsync(undefined)}
      trigger={(open) => (
        <Button
          variant="subtle"
          color="red"
          leftSection={<IconTrash size={16} />}
          onClick={open}
          w="fit-content"
        >
          Delete budget
        </Button>
      )}
    >
      It limits nothing any more. What was used stays counted.
    </Confirm>
  )
}

/** What the file that it comes from calls it by, where there is one. */
const keptOf = ({ externalId, managedBy }: Budget) => ({ externalId, managedBy })
