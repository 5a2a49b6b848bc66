import { Button, Group, Text } from '@mantine/core'
import type { PhoneConnection } from '@parley/sdk'
import { IconPhone, IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { useConsole } from '../../data/console-context'
import { useRows } from '../../data/use-rows'
import { EmptyState } from '../../parts/empty-state'
import { type Column, RowList } from '../../parts/row-list'
import { Timestamp } from '../../parts/timestamp'
import { PhoneConnectionDrawer } from './phone-connection-drawer'
import { phoneConnectionKinds } from './phone-connection-kinds'
import { PhoneConnectionState } from './phone-connection-state'
import { StopAllCalls } from './stop-all-calls'

/** The accounts at telephone providers. */
export function PhoneConnectionList() {
  const { parley, may } = useConsole()
  const [opened, setOpened] = useState<PhoneConnection | 'new' | null>(null)
  const rows = useRows<PhoneConnection>({
    resource: 'PhoneConnection',
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
      <RowList
        label="Phone connections"
        rows={rows}
        columns={columns}
        onOpen={setOpened}
        isInPage
        empty={
          <EmptyState icon={IconPhone} title="No phone connections yet" action={add}>
            Agents make and answer calls through your account at a telephone provider, for example Twilio.
          </EmptyState>
        }
      />
      {opened !== null && (
        <PhoneConnectionDrawer
          key={opened === 'new' ? 'new' : `${opened.id} ${opened.updatedAt}`}
          connection={opened === 'new' ? null : opened}
          onClose={() => setOpened(null)}
          onSaved={setOpened}
        />
      )}
    </>
  )
}

const columns: readonly Column<PhoneConnection>[] = [
  {
    title: 'Name',
    width: '2fr',
    isMain: true,
    cell: ({ name }) => (
      <Text size="sm" fw={600} truncate>
        {name}
      </Text>
    ),
  },
  { title: 'Provider', width: '6rem', isMinor: true, cell: ({ kind }) => phoneConnectionKinds[kind].title },
  {
    title: 'State',
    width: '3fr',
    cell: ({ state, failure }) => (
      <Group gap="xs" wrap="nowrap" miw={0}>
        <PhoneConnectionState state={state} />
        {state === 'failed' && (
          <Text span size="sm" c="dimmed" truncate>
            {failure}
          </Text>
        )}
      </Group>
    ),
  },
  {
    title: 'Outgoing calls',
    width: '1.5fr',
    isMinor: true,
    cell: ({ allowedPrefixes }) => (allowedPrefixes.length === 0 ? 'None' : allowedPrefixes.join(', ')),
  },
  {
    title: 'Updated',
    width: '7.5rem',
    isMinor: true,
    cell: ({ updatedAt }) => <Timestamp at={updatedAt} />,
  },
]
