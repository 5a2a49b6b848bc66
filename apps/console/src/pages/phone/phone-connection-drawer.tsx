import { Stack, Text } from '@mantine/core'
import type { PhoneConnection } from '@parley/sdk'
import { useConsole } from '../../data/console-context'
import { useChange } from '../../data/use-change'
import { useDraftForm } from '../../data/use-draft-form'
import { CopyField } from '../../parts/copy-field'
import { DeleteButton } from '../../parts/delete-button'
import { FormDrawer } from '../../parts/form-drawer'
import { draftOf, inputOf, newPhoneConnection, validateDraft } from './phone-connection-draft'
import { PhoneConnectionFields } from './phone-connection-fields'
import { phoneConnectionKinds } from './phone-connection-kinds'
import { PhoneConnectionTrial } from './phone-connection-trial'

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
    save: async (draft) =>
      connection === null
        ? parley.phoneConnections.create(inputOf(draft))
        : parley.phoneConnections.patch(connection.id, inputOf(draft)),
    resource: 'PhoneConnection',
    done: ({ name }) => `${name} saved.`,
    onDone: onSaved,
  })
  return (
    <FormDrawer
      {...drawer}
      title={connection?.name ?? 'New phone connection'}
      action={connection === null ? 'Create phone connection' : 'Save changes'}
      isReadOnly={isReadOnly}
      onClose={onClose}
    >
      {connection !== null && <AnswerUrl connection={connection} />}
      {connection !== null && !isReadOnly && (
        <PhoneConnectionTrial connection={connection} isDirty={drawer.isDirty} />
      )}
      <PhoneConnectionFields {...fields} saved={connection} isReadOnly={isReadOnly} />
      {connection !== null && !isReadOnly && (
        <DeletePhoneConnection connection={connection} onDeleted={onClose} />
      )}
    </FormDrawer>
  )
}

/** The address of the service that the provider calls about incoming calls. */
function AnswerUrl({ connection: { id, kind } }: { readonly connection: PhoneConnection }) {
  return (
    <Stack gap={4} component="section" aria-label="Answer URL">
      <Text size="sm" fw={500}>
        Answer URL
      </Text>
      <Text size="xs" c="dimmed">
        {phoneConnectionKinds[kind].answer}
      </Text>
      <CopyField value={`${location.origin}/phone/${id}/answer`} label="answer URL" />
      {location.protocol !== 'https:' && (
        <Text size="xs" fw={600} role="note">
          The provider cannot reach this address. Set PARLEY_PUBLIC_URL to a public https address.
        </Text>
      )}
    </Stack>
  )
}

interface DeletePhoneConnectionProps {
  readonly connection: PhoneConnection
  readonly onDeleted: () => void
}

function DeletePhoneConnection({ connection: { id, name }, onDeleted }: DeletePhoneConnectionProps) {
  const { parley } = useConsole()
  const remove = useChange({
    change: async () => parley.phoneConnections.delete(id),
    changes: ['PhoneConnection'],
    done: `${name} deleted.`,
    onDone: onDeleted,
  })
  return (
    <DeleteButton
      action="Delete phone connection"
      question={`Delete ${name}?`}
      onDelete={() => remove.mutateAsync(undefined)}
    >
      This also deletes the secret. A phone connection that has phone numbers or active calls cannot be
      deleted.
    </DeleteButton>
  )
}
