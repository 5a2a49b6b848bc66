import { Button } from '@mantine/core'
import type { Price } from '@parley/sdk'
import { IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { useConsole } from '../../data/console-context'
import { fieldErrorsOf } from '../../data/error-words'
import { useChange } from '../../data/use-change'
import { Confirm } from '../../parts/confirm'
import { FormDrawer } from '../../parts/form-drawer'
import { changedList, draftMistakes, itemOf, type PriceDraft, priceId } from './price-draft'
import { PriceFields } from './price-fields'

interface PriceDrawerProps {
  /** What stands in the form at first. */
  readonly start: PriceDraft
  /** The price that is changed; null for a new one. */
  readonly before: Price | null
  /** All that the organization has. */
  readonly own: readonly Price[]
  readonly onClose: () => void
}

/** One price. The API takes the whole list: it is read again at the last moment, so that nobody's change is lost. */
export function PriceDrawer({ start, before, own, onClose }: PriceDrawerProps) {
  const { parley, may } = useConsole()
  const isReadOnly = !may('usage:write')
  const [draft, setDraft] = useState(start)
  const [wasTried, setTried] = useState(false)
  const found = draftMistakes(draft, {
    before,
    others: own.filter((price) => before === null || priceId(price) !== priceId(before)),
  })
  const replace = async (after: Price | null) =>
    parley.prices.replace(changedList(await parley.prices.get(), { before, after }))
  const save = useChange({
    change: async () => replace(itemOf(draft, before)),
    changes: ['Price'],
    done: `The price of ${draft.model} is saved.`,
    isErrorShown: true,
    onDone: onClose,
  })
  const remove = useChange({
    change: async () => replace(null),
    changes: ['Price'],
    done: `The price of ${draft.model} is deleted.`,
    onDone: onClose,
  })
  return (
    <FormDrawer
      title={before === null ? 'New price' : before.model}
      action="Save price"
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
      <PriceFields
        draft={draft}
        mistakes={{ ...placedMistakes(save.error), ...(wasTried ? found : {}) }}
        isReadOnly={isReadOnly}
        onChange={(fields) => setDraft({ ...draft, ...fields })}
      />
      {before !== null && !isReadOnly && (
        <Confirm
          title={`Delete the price of ${before.model}?`}
          action="Delete price"
          onConfirm={() => remove.mutateAsync(undefined)}
          trigger={(open) => (
            <Button
              variant="subtle"
              color="red"
              leftSection={<IconTrash size={16} />}
              onClick={open}
              w="fit-content"
            >
              Delete price
            </Button>
          )}
        >
          From now on the price that comes with the service counts, where there is one.
        </Confirm>
      )}
    </FormDrawer>
  )
}

/** The service names fields by their place in the list. */
function placedMistakes(error: unknown): Readonly<Record<string, string>> {
  const mistakes = Object.entries(fieldErrorsOf(error))
  return Object.fromEntries(
    mistakes.map(([path, message]) => [path.replace(/^items\[\d+\]\.(?:perMillion\.)?/, ''), message]),
  )
}
