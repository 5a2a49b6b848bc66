import { Button, Group, Text } from '@mantine/core'
import type { PhoneConnection } from '@parley/sdk'
import { IconPhone, IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { useConsole } from '../../data/console-context'
import { useRows } from '../../data/use-rows'
import { EmptyState } from '../../parts/empty-state'
import { type Column, RowList } from '../../parts/row-list'
import { PhoneConnectionDrawer } from './phone-connection-drawer'
import { phoneConnectionKinds } from './phone-connection-kinds'
import { PhoneConnectionFailures, PhoneConnectionState } from './phone-connection-state'
import { StopAllCalls } from './stop-all-calls'

/** The accounts at telephone providers. */
export function PhoneConnectionList() {
  const { parley, may } = useConsole()
  const [opened, setOpened] = useState<PhoneConnection | 'new' | null>(null)
  const rows = useRows<PhoneConnection>({
    resource: 'PhoneConnection',
    // A registration and a failure cause no change event.
    refetchSeconds: 10,
    read: (range) => parley.phoneConnections.list(range),
  })
  const add = may('phone:write') && (
    <Button leftSection={<IconPlus size={16} />} onClick={() => setOpened('new')}>
      New phone connection
    </Button>
  )
  return (
    <>
      {rows.totalCount !== 0 && (
        <Group mb="sm" justify="end">
          <StopAllCalls />
          {add}
        </Group>
      )}
      <PhoneConnectionFailures of={rows.loaded} />
      <RowList
        label="Phone connections"
        rows={rows}
        columns={columns}
        onOpen={setOpened}
        isInPage
        empty={
          <EmptyState icon={IconPhone} title="No phone connections yet" action={add}>
            Agents answer and make calls through an account at a telephone provider, or through your own
            telephone system. SIP works with most of them.
          </EmptyState>
        }
      />
      {opened !== null && (
        <PhoneConnectionDrawer
          key={opened === 'new' ? 'new' : opened.id}
          connection={opened === 'new' ? null : latestOf(opened, rows.loaded)}
          onClose={() => setOpened(null)}
          onSaved={setOpened}
        />
      )}
    </>
  )
}

/** Returns the row, which has the latest state, unless the list is older than the opened phone connection. */
function latestOf(opened: PhoneConnection, loaded: readonly PhoneConnection[]): PhoneConnection {
  const row = loaded.find(({ id }) => id === opened.id)
  return row !== undefined && row.updatedAt >= opened.updatedAt ? row : opened
}

const columns: readonly Column<PhoneConnection>[] = [
  {
    title: 'Name',
    width: '2fr',
    isMain: true,
    cell: ({ name, kind }) => (
      <>
        <Text size="sm" fw={600} truncate>
          {name}
        </Text>
        <Text size="xs" c="dimmed" hiddenFrom="sm">
          {phoneConnectionKinds[kind].label}
        </Text>
      </>
    ),
  },
  { title: 'Kind', width: '6rem', isMinor: true, cell: ({ kind }) => phoneConnectionKinds[kind].label },
  {
    title: 'Account',
    width: '2fr',
    isMinor: true,
    cell: ({ accountId, sip }) => (sip === null ? accountId : `${accountId}@${sip.domain ?? sip.host}`),
  },
  {
    title: 'State',
    width: '8.5rem',
    cell: (connection) => <PhoneConnectionState connection={connection} />,
  },
  {
    title: 'Outgoing calls',
    width: '1.5fr',
    isMinor: true,
    cell: ({ kind, allowedPrefixes }) =>
      phoneConnectionKinds[kind].isDialing && allowedPrefixes.length > 0
        ? allowedPrefixes.join(', ')
        : 'None',
  },
]
