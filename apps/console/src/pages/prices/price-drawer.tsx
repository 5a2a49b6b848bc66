import type { Price } from '@parley/sdk'
import { useState } from 'react'
import { useConsole } from '../../data/console-context'
import { useDraftForm } from '../../data/use-draft-form'
import { DeleteResource } from '../../parts/delete-button'
import { FormDrawer } from '../../parts/form-drawer'
import { itemOf, type PriceDraft, priceId, validateDraft } from './price-draft'
import { PriceFields } from './price-fields'
import { PriceConflict, savePrice } from './save-price'

interface PriceDrawerProps {
  readonly start: PriceDraft
  /** The edited price. Null for a new one. */
  readonly before: Price | null
  /** All prices of the organization. */
  readonly own: readonly Price[]
  readonly onClose: () => void
}

export function PriceDrawer({ start, before, own, onClose }: PriceDrawerProps) {
  const { parley, may } = useConsole()
  const isReadOnly = !may('usage:write')
  const [seen, setSeen] = useState(before)
  const replace = async (after: Price | null) => {
    try {
      await savePrice(parley, { before: seen, after })
    } catch (error) {
      // After a conflict the form shows the stored value.
      if (error instanceof PriceConflict) setSeen(error.theirs)
      throw error
    }
  }
  const { fields, drawer } = useDraftForm({
    start,
    errorsIn: (draft) =>
      validateDraft(draft, {
        before,
        others: own.filter((price) => before === null || priceId(price) !== priceId(before)),
      }),
    save: async (draft) => replace(itemOf(draft, before)),
    resource: 'Price',
    done: ({ model }) => `Price of ${model} saved.`,
    onDone: onClose,
    fieldOf: nameInList,
  })
  return (
    <FormDrawer
      {...drawer}
      title={before === null ? 'New price' : before.model}
      action="Save price"
      isReadOnly={isReadOnly}
      onClose={onClose}
    >
      <PriceFields {...fields} isReadOnly={isReadOnly} />
      {before !== null && !isReadOnly && (
        <DeleteResource
          action="Delete price"
          question={`Delete price of ${before.model}?`}
          resource="Price"
          remove={() => replace(null)}
          done={`Price of ${before.model} deleted.`}
          onDeleted={onClose}
        >
          The built-in price applies again, if there is one.
        </DeleteResource>
      )}
    </FormDrawer>
  )
}

/** The service reports errors by list index. */
const nameInList = (path: string) => path.replace(/^items\[\d+\]\.(?:perMillion\.)?/, '')
