import { Badge, Button, Group, Text } from '@mantine/core'
import type { Agent, Connection } from '@parley/sdk'
import { IconPlugConnected, IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { useConsole } from '../../data/console-context'
import { useAgentDirectory } from '../../data/use-directory'
import { useRows } from '../../data/use-rows'
import { EmptyState } from '../../parts/empty-state'
import { PageFrame } from '../../parts/page-frame'
import { type Column, RowList } from '../../parts/row-list'
import { SearchField } from '../../parts/search-field'
import { Timestamp } from '../../parts/timestamp'
import { ConnectionDrawer } from './connection-drawer'
import { ConnectionGuide } from './connection-guide'
import { connectionKinds } from './connection-kinds'
import { usersOf } from './connection-users'

/** Connections to model providers. */
export function ConnectionsPage() {
  const { parley, may } = useConsole()
  const [search, setSearch] = useState('')
  const [opened, setOpened] = useState<Connection | 'new' | null>(null)
  const agents = useAgentDirectory().data ?? []
  const rows = useRows<Connection>({
    resource: 'Connection',
    filter: { search },
    read: (range) => parley.connections.list({ ...range, ...(search !== '' && { Search: search }) }),
  })
  const add = may('connection:write') && (
    <Button leftSection={<IconPlus size={16} />} onClick={() => setOpened('new')}>
      New connection
    </Button>
  )
  return (
    <PageFrame
      title="Connections"
      about="Model providers that agents use."
      actions={
        <>
          <SearchField label="Search connections" value={search} onSearch={setSearch} />
          {add}
        </>
      }
      isFilling
    >
      <ConnectionGuide />
      <RowList
        label="Connections"
        rows={rows}
        columns={columnsWith(agents)}
        onOpen={setOpened}
        empty={
          <EmptyState
            icon={IconPlugConnected}
            title={search === '' ? 'No connections yet' : `No connections match “${search}”`}
            action={search === '' && add}
          >
            Agents need a connection to answer.
          </EmptyState>
        }
      />
      {opened !== null && (
        <ConnectionDrawer
          key={opened === 'new' ? 'new' : opened.id}
          connection={opened === 'new' ? null : opened}
          onClose={() => setOpened(null)}
          onSaved={setOpened}
        />
      )}
    </PageFrame>
  )
}

function columnsWith(agents: readonly Agent[]): readonly Column<Connection>[] {
  return [
    { title: 'Name', width: '3fr', cell: (connection) => <NameCell connection={connection} /> },
    { title: 'Provider', width: '2fr', isMinor: true, cell: ({ kind }) => connectionKinds[kind].label },
    { title: 'Models', width: '3fr', isMinor: true, cell: (connection) => <ModelsCell {...connection} /> },
    {
      title: 'Agents',
      width: '4rem',
      cell: (connection) => <span data-figures>{String(usersOf(connection, agents).length)}</span>,
    },
    { title: 'Updated', width: '8rem', isMinor: true, cell: ({ updatedAt }) => <Timestamp at={updatedAt} /> },
  ]
}

function NameCell({
  connection: { name, isDefault, governanceDisabled },
}: {
  readonly connection: Connection
}) {
  return (
    <Group gap="xs" wrap="nowrap">
      <Text size="sm" fw={600} truncate>
        {name}
      </Text>
      {isDefault && <Badge variant="light">Default</Badge>}
      {governanceDisabled && (
        <Badge variant="light" color="red">
          Disabled
        </Badge>
      )}
    </Group>
  )
}

function ModelsCell({ models: { chat, realtime } }: Connection) {
  const named = [chat, ...(realtime ?? [])].filter((name) => name !== null)
  return named.length === 0 ? (
    <Text size="sm" c="dimmed">
      Service default
    </Text>
  ) : (
    <span title={named.join('\n')}>{named.join(', ')}</span>
  )
}
