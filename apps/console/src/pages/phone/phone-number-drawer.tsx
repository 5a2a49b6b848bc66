import type { PhoneNumber } from '@parley/sdk'
import { useConsole } from '../../data/console-context'
import { useChange } from '../../data/use-change'
import { useDraftForm } from '../../data/use-draft-form'
import { DeleteButton } from '../../parts/delete-button'
import { FormDrawer } from '../../parts/form-drawer'
import { draftOf, inputOf, newPhoneNumber, validateDraft } from './phone-number-draft'
import { PhoneNumberFields } from './phone-number-fields'

interface PhoneNumberDrawerProps {
  /** Null for a new phone number. */
  readonly phoneNumber: PhoneNumber | null
  readonly onClose: () => void
}

export function PhoneNumberDrawer({ phoneNumber, onClose }: PhoneNumberDrawerProps) {
  const { parley, may } = useConsole()
  const isReadOnly = !may('phone:write')
  const { fields, drawer } = useDraftForm({
    start: phoneNumber === null ? newPhoneNumber : draftOf(phoneNumber),
    errorsIn: validateDraft,
    // Replaces the whole turn detection, so that no field of the other type remains.
    save: async (draft) =>
      phoneNumber === null
        ? parley.phoneNumbers.create(inputOf(draft))
        : parley.phoneNumbers.replace(phoneNumber.id, { ...keptOf(phoneNumber), ...inputOf(draft) }),
    resource: 'PhoneNumber',
    done: ({ name }) => `${name} saved.`,
    onDone: onClose,
  })
  return (
    <FormDrawer
      {...drawer}
      title={phoneNumber?.name ?? 'New phone number'}
      action={phoneNumber === null ? 'Create phone number' : 'Save changes'}
      isReadOnly={isReadOnly}
      onClose={onClose}
    >
      <PhoneNumberFields {...fields} isReadOnly={isReadOnly} />
      {phoneNumber !== null && !isReadOnly && (
        <DeletePhoneNumber phoneNumber={phoneNumber} onDeleted={onClose} />
      )}
    </FormDrawer>
  )
}

interface DeletePhoneNumberProps {
  readonly phoneNumber: PhoneNumber
  readonly onDeleted: () => void
}

function DeletePhoneNumber({ phoneNumber: { id, name }, onDeleted }: DeletePhoneNumberProps) {
  const { parley } = useConsole()
  const remove = useChange({
    change: async () => parley.phoneNumbers.delete(id),
    changes: ['PhoneNumber'],
    done: `${name} deleted.`,
    onDone: onDeleted,
  })
  return (
    <DeleteButton
      action="Delete phone number"
      question={`Delete ${name}?`}
      onDelete={() => remove.mutateAsync(undefined)}
    >
      The agent no longer answers this number. Active calls continue.
    </DeleteButton>
  )
}

/** Its key in the exported file, if it comes from one. */
const keptOf = ({ externalId, managedBy }: PhoneNumber) => ({ externalId, managedBy })
