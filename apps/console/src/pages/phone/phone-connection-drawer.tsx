import type { PhoneConnection } from '@parley/sdk'
import { useConsole } from '../../data/console-context'
import { useDraftForm } from '../../data/use-draft-form'
import { DeleteResource } from '../../parts/delete-button'
import { FormDrawer } from '../../parts/form-drawer'
import { draftOf, inputOf, newPhoneConnection, validateDraft } from './phone-connection-draft'
import { PhoneConnectionFields } from './phone-connection-fields'
import { PhoneConnectionTrial } from './phone-connection-trial'
import { PhoneConnectionUrls } from './phone-connection-urls'

interface PhoneConnectionDrawerProps {
  /** Null for a new phone connection. */
  readonly connection: PhoneConnection | null
  readonly onClose: () => void
  /** The drawer stays open after saving, so that the phone connection can be tested. */
  readonly onSaved: (saved: PhoneConnection) => void
}

export function PhoneConnectionDrawer({ connection, onClose, onSaved }: PhoneConnectionDrawerProps) {
  const { parley, may } = useConsole()
  const isReadOnly = !may('phone:write')
  const { fields, drawer } = useDraftForm({
    start: connection === null ? newPhoneConnection : draftOf(connection),
    errorsIn: validateDraft,
    save: async (draft) => {
      const input = inputOf(draft, connection)
      return connection === null
        ? parley.phoneConnections.create(input)
        : parley.phoneConnections.patch(connection.id, input)
    },
    resource: 'PhoneConnection',
    done: ({ name }) => `${name} saved.`,
    onDone: onSaved,
    restart: draftOf,
  })
  return (
    <FormDrawer
      {...drawer}
      title={connection?.name ?? 'New phone connection'}
      action={connection === null ? 'Create phone connection' : 'Save changes'}
      isReadOnly={isReadOnly}
      onClose={onClose}
    >
      {connection !== null && <PhoneConnectionUrls connection={connection} />}
      {connection !== null && !isReadOnly && (
        <PhoneConnectionTrial connection={connection} isDirty={drawer.isDirty} />
      )}
      <PhoneConnectionFields {...fields} saved={connection} isReadOnly={isReadOnly} />
      {connection !== null && !isReadOnly && (
        <DeleteResource
          action="Delete phone connection"
          question={`Delete ${connection.name}?`}
          resource="PhoneConnection"
          remove={() => parley.phoneConnections.delete(connection.id)}
          done={`${connection.name} deleted.`}
          onDeleted={onClose}
        >
          This also deletes its secrets. A phone connection that has phone numbers or active calls cannot be
          deleted.
        </DeleteResource>
      )}
    </FormDrawer>
  )
}
