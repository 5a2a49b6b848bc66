import { Badge, Button, Group, Tabs, Text } from '@mantine/core'
import type { PhoneNumber } from '@parley/sdk'
import { IconPhone, IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { useConsole } from '../../data/console-context'
import { usePhoneConnectionDirectory } from '../../data/use-directory'
import { useFilter } from '../../data/use-filter'
import { useRows } from '../../data/use-rows'
import { AgentName, AgentSelect } from '../../parts/agent-select'
import { EmptyState } from '../../parts/empty-state'
import { Filters } from '../../parts/filters'
import { NoMatches } from '../../parts/no-matches'
import { PageFrame } from '../../parts/page-frame'
import { type Column, RowList } from '../../parts/row-list'
import { SearchField } from '../../parts/search-field'
import { PhoneConnectionList } from './phone-connection-list'
import { PhoneNumberDrawer } from './phone-number-drawer'

/** Phone numbers, and the accounts at providers that they belong to. */
export function PhoneNumbersPage() {
  const [{ tab = 'numbers' }, setFilter] = useFilter(['tab'])
  const showConnections = () => setFilter({ tab: 'connections' })
  return (
    <PageFrame title="Phone numbers" about="Numbers on which agents answer and make calls.">
      <Tabs
        value={tab === 'connections' ? tab : 'numbers'}
        onChange={(next) => setFilter({ tab: next === 'connections' ? next : '' })}
        keepMounted={false}
      >
        <Tabs.List mb="md">
          <Tabs.Tab value="numbers">Numbers</Tabs.Tab>
          <Tabs.Tab value="connections">Connections</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="numbers">
          <PhoneNumberList onConnect={showConnections} />
        </Tabs.Panel>
        <Tabs.Panel value="connections">
          <PhoneConnectionList />
        </Tabs.Panel>
      </Tabs>
    </PageFrame>
  )
}

function PhoneNumberList({ onConnect }: { readonly onConnect: () => void }) {
  const { parley, may } = useConsole()
  const [filter, setFilter] = useFilter(['Search', 'AgentId'])
  const [opened, setOpened] = useState<PhoneNumber | 'new' | null>(null)
  const { Search, AgentId } = filter
  const connections = usePhoneConnectionDirectory().data
  const rows = useRows<PhoneNumber>({
    resource: 'PhoneNumber',
    filter: { Search, AgentId },
    read: (range) => parley.phoneNumbers.list({ Search, AgentId, ...range }),
  })
  const add = may('phone:write') && (
    <Button leftSection={<IconPlus size={16} />} onClick={() => setOpened('new')}>
      New phone number
    </Button>
  )
  const isNarrowed = Search !== undefined || AgentId !== undefined
  const isUnconnected = connections?.length === 0
  return (
    <>
      {(isNarrowed || rows.totalCount !== 0) && (
        <Group mb="sm" justify="space-between" align="end">
          <Filters>
            <SearchField
              label="Search phone numbers"
              value={Search ?? ''}
              onSearch={(text) => setFilter({ Search: text })}
            />
            <AgentSelect value={AgentId ?? null} onChange={(id) => setFilter({ AgentId: id ?? '' })} />
          </Filters>
          {add}
        </Group>
      )}
      <RowList
        label="Phone numbers"
        rows={rows}
        columns={columns}
        onOpen={setOpened}
        isInPage
        empty={
          isNarrowed ? (
            <NoMatches icon={IconPhone} what="phone number" />
          ) : isUnconnected ? (
            <EmptyState
              icon={IconPhone}
              title="No phone numbers yet"
              action={may('phone:write') && <Button onClick={onConnect}>Set up a phone connection</Button>}
            >
              Start with a phone connection: the account at your telephone provider. Then add its numbers.
            </EmptyState>
          ) : (
            <EmptyState icon={IconPhone} title="No phone numbers yet" action={add}>
              Add a number of your telephone provider, and choose the agent that answers it.
            </EmptyState>
          )
        }
      />
      {opened !== null && (
        <PhoneNumberDrawer
          key={opened === 'new' ? 'new' : opened.id}
          phoneNumber={opened === 'new' ? null : opened}
          onClose={() => setOpened(null)}
        />
      )}
    </>
  )
}

const columns: readonly Column<PhoneNumber>[] = [
  {
    title: 'Name',
    width: '2fr',
    isMain: true,
    cell: ({ name, isEnabled }) => (
      <Group gap="xs" wrap="nowrap" miw={0}>
        <Text size="sm" fw={600} truncate>
          {name}
        </Text>
        {!isEnabled && (
          <Badge variant="light" color="gray" flex="none">
            Disabled
          </Badge>
        )}
      </Group>
    ),
  },
  { title: 'Number', width: '10rem', cell: ({ number }) => <span data-figures>{number}</span> },
  {
    title: 'Agent',
    width: '2fr',
    isMinor: true,
    cell: ({ agentId }) =>
      agentId === null ? (
        <Text span inherit c="dimmed">
          None: calls are rejected
        </Text>
      ) : (
        <AgentName agentId={agentId} />
      ),
  },
  {
    title: 'Phone connection',
    width: '1.5fr',
    isMinor: true,
    cell: ({ phoneConnectionId }) => <PhoneConnectionName phoneConnectionId={phoneConnectionId} />,
  },
]

function PhoneConnectionName({ phoneConnectionId }: Pick<PhoneNumber, 'phoneConnectionId'>) {
  const connections = usePhoneConnectionDirectory().data ?? []
  if (phoneConnectionId === null)
    return (
      <Text span inherit c="dimmed">
        None
      </Text>
    )
  return <>{connections.find(({ id }) => id === phoneConnectionId)?.name ?? phoneConnectionId.slice(0, 8)}</>
}
