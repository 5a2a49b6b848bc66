import { Button, Stack, Text, Tooltip } from '@mantine/core'
import type { Connection } from '@parley/sdk'
import { IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { useConsole } from '../../data/console-context'
import { fieldErrorsOf } from '../../data/error-message'
import { useChange } from '../../data/use-change'
import { useAgentDirectory } from '../../data/use-directory'
import { Confirm } from '../../parts/confirm'
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
  const start = connection === null ? newConnection : draftOf(connection)
  const [draft, setDraft] = useState(start)
  const [wasTried, setTried] = useState(false)
  const isDirty = JSON.stringify(draft) !== JSON.stringify(start)
  const found = validateDraft(draft)
  const save = useChange({
    change: async () => {
      const input = inputOf(draft, connection)
      return connection === null
        ? parley.connections.create(input)
        : parley.connections.patch(connection.id, input)
    },
    changes: ['Connection', 'Agent'],
    done: `${draft.name} saved.`,
    isErrorShown: true,
    onDone: (saved) => {
      setDraft(draftOf(saved))
      onSaved(saved)
    },
  })
  return (
    <FormDrawer
      title={connection?.name ?? 'New connection'}
      action={connection === null ? 'Create connection' : 'Save changes'}
      isOpen
      onClose={onClose}
      onSubmit={(event) => {
        event.preventDefault()
        setTried(true)
        if (Object.keys(found).length === 0) save.mutate(undefined)
      }}
      isBusy={save.isPending}
      isDirty={isDirty}
      isReadOnly={isReadOnly}
      error={save.error}
    >
      <ConnectionFields
        draft={draft}
        saved={connection}
        errors={{ ...fieldErrorsOf(save.error), ...(wasTried || connection !== null ? found : {}) }}
        isReadOnly={isReadOnly}
        onChange={(fields) => setDraft({ ...draft, ...fields })}
      />
      {connection !== null && (
        <Stack>
          {!isReadOnly && <ConnectionTrial connection={connection} isDirty={isDirty} />}
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
  const remove = useChange({
    change: async () => parley.connections.delete(connection.id),
    changes: ['Connection'],
    done: `${connection.name} deleted.`,
    onDone: onDeleted,
  })
  if (namers.length > 0)
    return (
      <Text size="sm" c="dimmed">
        Used by {namers.map(({ name }) => name).join(', ')}. Assign another connection before you delete this
        one.
      </Text>
    )
  return (
    <Confirm
      title={`Delete ${connection.name}?`}
      action="Delete connection"
      onConfirm={() => remove.mutateAsync(undefined)}
      trigger={(open) => (
        <Tooltip label="Also deletes the API key">
          <Button
            variant="subtle"
            color="red"
            leftSection={<IconTrash size={16} />}
            onClick={open}
            w="fit-content"
          >
            Delete connection
          </Button>
        </Tooltip>
      )}
    >
      This also deletes the API key.
      {connection.isDefault &&
        ' This is the default connection. Agents without a connection stop working until you set a new default.'}
    </Confirm>
  )
}
