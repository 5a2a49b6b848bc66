import { Stack, Text } from '@mantine/core'
import type { Connection } from '@parley/sdk'
import { useConsole } from '../../data/console-context'
import { useAgentDirectory } from '../../data/use-directory'
import { useDraftForm } from '../../data/use-draft-form'
import { DeleteResource } from '../../parts/delete-button'
import { FormDrawer } from '../../parts/form-drawer'
import { draftOf, inputOf, newConnection, validateDraft } from './connection-draft'
import { ConnectionFields } from './connection-fields'
import { ConnectionTrial } from './connection-trial'
import { ConnectionUsers, namersOf } from './connection-users'

interface ConnectionDrawerProps {
  /** Null for a new connection. */
  readonly connection: Connection | null
  readonly onClose: () => void
  /** The drawer stays open after saving, so that the connection can be tested. */
  readonly onSaved: (saved: Connection) => void
}

export function ConnectionDrawer({ connection, onClose, onSaved }: ConnectionDrawerProps) {
  const { parley, may } = useConsole()
  const isReadOnly = !may('connection:write')
  const { fields, drawer } = useDraftForm({
    start: connection === null ? newConnection : draftOf(connection),
    errorsIn: validateDraft,
    save: async (draft) => {
      const input = inputOf(draft, connection)
      return connection === null
        ? parley.connections.create(input)
        : parley.connections.patch(connection.id, input)
    },
    resource: 'Connection',
    affected: ['Agent'],
    done: ({ name }) => `${name} saved.`,
    onDone: onSaved,
    restart: draftOf,
  })
  return (
    <FormDrawer
      {...drawer}
      title={connection?.name ?? 'New connection'}
      action={connection === null ? 'Create connection' : 'Save changes'}
      isReadOnly={isReadOnly}
      onClose={onClose}
    >
      <ConnectionFields {...fields} saved={connection} isReadOnly={isReadOnly} />
      {connection !== null && (
        <Stack>
          {!isReadOnly && <ConnectionTrial connection={connection} isDirty={drawer.isDirty} />}
          <ConnectionUsers connection={connection} />
          {!isReadOnly && <DeleteConnection connection={connection} onDeleted={onClose} />}
        </Stack>
      )}
    </FormDrawer>
  )
}

interface DeleteConnectionProps {
  readonly connection: Connection
  readonly onDeleted: () => void
}

/** Deletion is rejected while agents use the connection. */
function DeleteConnection({ connection, onDeleted }: DeleteConnectionProps) {
  const { parley } = useConsole()
  const namers = namersOf(connection, useAgentDirectory().data ?? [])
  if (namers.length > 0)
    return (
      <Text size="sm" c="dimmed">
        Used by {namers.map(({ name }) => name).join(', ')}. Assign another connection before you delete this
        one.
      </Text>
    )
  return (
    <DeleteResource
      action="Delete connection"
      question={`Delete ${connection.name}?`}
      resource="Connection"
      remove={() => parley.connections.delete(connection.id)}
      done={`${connection.name} deleted.`}
      onDeleted={onDeleted}
    >
      This also deletes the API key.
      {connection.isDefault &&
        ' This is the default connection. Agents without a connection stop working until you set a new default.'}
    </DeleteResource>
  )
}
