import type { PhoneNumber } from '@parley/sdk'
import { useConsole } from '../../data/console-context'
import { useDraftForm } from '../../data/use-draft-form'
import { DeleteResource } from '../../parts/delete-button'
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
        <DeleteResource
          action="Delete phone number"
          question={`Delete ${phoneNumber.name}?`}
          resource="PhoneNumber"
          remove={() => parley.phoneNumbers.delete(phoneNumber.id)}
          done={`${phoneNumber.name} deleted.`}
          onDeleted={onClose}
        >
          The agent no longer answers this number. Active calls continue.
        </DeleteResource>
      )}
    </FormDrawer>
  )
}

/** The fields that the form does not show. */
const keptOf = ({ externalId, managedBy }: PhoneNumber) => ({ externalId, managedBy })
