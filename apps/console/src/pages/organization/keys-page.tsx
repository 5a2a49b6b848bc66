import { ActionIcon, Button, Group, Text } from '@mantine/core'
import type { ApiKey } from '@parley/sdk'
import { IconKey, IconPlus, IconTrash } from '@tabler/icons-react'
import { useConsole } from '../../data/console-context'
import { useChange } from '../../data/use-change'
import { useRows } from '../../data/use-rows'
import { Confirm } from '../../parts/confirm'
import { EmptyState } from '../../parts/empty-state'
import { PageFrame } from '../../parts/page-frame'
import { type Column, RowList } from '../../parts/row-list'
import { Timestamp } from '../../parts/timestamp'
import { NewKey } from './new-key'
import { NewKeyDrawer, useNewKey } from './new-key-drawer'

export function KeysPage() {
  const { parley } = useConsole()
  const newKey = useNewKey()
  const rows = useRows<ApiKey>({ resource: 'ApiKey', read: (range) => parley.apiKeys.list(range) })
  const add = (
    <Button leftSection={<IconPlus size={16} />} onClick={newKey.open}>
      New API key
    </Button>
  )
  return (
    <PageFrame
      title="API keys"
      about="Create one key for each integration and environment, with only the scopes it needs."
      actions={add}
      isFilling
    >
      {newKey.created !== null && <NewKey created={newKey.created} onClose={newKey.putAway} />}
      <RowList
        label="API keys"
        rows={rows}
        columns={columns}
        empty={
          <EmptyState icon={IconKey} title="No API keys yet" action={add}>
            Your backend needs an API key to call the API.
          </EmptyState>
        }
      />
      <NewKeyDrawer newKey={newKey} />
    </PageFrame>
  )
}

const columns: readonly Column<ApiKey>[] = [
  { title: 'Name', width: '2fr', cell: ({ name }) => name },
  {
    title: 'Key',
    width: '9rem',
    isMinor: true,
    cell: ({ prefix }) => (
      <Text ff="monospace" size="sm">
        {prefix}…
      </Text>
    ),
  },
  {
    title: 'Scopes',
    width: '2fr',
    isMinor: true,
    cell: ({ scopes }) => <span title={scopes.join('\n')}>{scopes.join(', ')}</span>,
  },
  { title: 'Last used', width: '8rem', cell: ({ lastUsedAt }) => <Timestamp at={lastUsedAt} /> },
  {
    title: 'Expires',
    width: '8rem',
    isMinor: true,
    isEmpty: ({ expiresAt }) => expiresAt === null,
    cell: ({ expiresAt }) => <Timestamp at={expiresAt} />,
  },
  { title: 'Actions', width: '4rem', cell: (key) => <DeleteKey apiKey={key} /> },
]

function DeleteKey({ apiKey: { id, name } }: { readonly apiKey: ApiKey }) {
  const { parley } = useConsole()
  const remove = useChange({
    change: async () => parley.apiKeys.delete(id),
    changes: ['ApiKey'],
    done: `API key ${name} deleted.`,
  })
  return (
    <Group justify="end">
      <Confirm
        title={`Delete API key ${name}?`}
        action="Delete API key"
        onConfirm={() => remove.mutateAsync(undefined)}
        trigger={(open) => (
          <ActionIcon variant="subtle" color="red" onClick={open} aria-label={`Delete API key ${name}`}>
            <IconTrash size={16} />
          </ActionIcon>
        )}
      >
        Requests with this key are rejected immediately.
      </Confirm>
    </Group>
  )
}
