import { Button, Group, Stack, Text } from '@mantine/core'
import type { EndUserFact } from '@parley/sdk'
import { IconBulb, IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { useConsole } from '../../data/console-context'
import { useAgentDirectory, useBuiltInText } from '../../data/use-directory'
import { useRows } from '../../data/use-rows'
import { AgentName } from '../../parts/agent-select'
import { EmptyState } from '../../parts/empty-state'
import { type Column, RowList } from '../../parts/row-list'
import { Timestamp } from '../../parts/timestamp'
import { FactDrawer } from './fact-drawer'

/** The facts that agents remember about an end user. */
export function EndUserMemory({ endUserId }: { readonly endUserId: string }) {
  const { parley, may } = useConsole()
  const [opened, setOpened] = useState<EndUserFact | 'new' | null>(null)
  const rows = useRows<EndUserFact>({
    resource: 'EndUserFact',
    of: endUserId,
    // The extraction after a conversation causes no change events.
    refetchSeconds: 15,
    read: (range) => parley.endUsers.listFacts(endUserId, range),
  })
  const isBuiltIn = useBuiltInText()
  const unable = (useAgentDirectory().data ?? []).filter(
    ({ memory, connectionId }) => memory === 'facts' && isBuiltIn(connectionId),
  )
  const mayChange = may('conversation:write')
  const add = mayChange && (
    <Button size="xs" variant="default" leftSection={<IconPlus size={14} />} onClick={() => setOpened('new')}>
      Add fact
    </Button>
  )
  return (
    <Stack gap="xs" h="100%">
      <Group justify="space-between">
        <Text size="sm" c="dimmed">
          Unverified notes of agents with memory. Later conversations with the same agent start with the
          newest ones.
        </Text>
        {add}
      </Group>
      {unable.length > 0 && (
        <Text size="sm" c="dimmed" role="note">
          Without facts, because the built-in text model neither extracts nor uses them:{' '}
          {unable.map(({ name }) => name).join(', ')}.
        </Text>
      )}
      <RowList
        label="Facts"
        rows={rows}
        columns={columns}
        {...(mayChange && { onOpen: setOpened })}
        empty={
          <EmptyState icon={IconBulb} title="No facts yet">
            Agents whose memory is on extract facts after each conversation.
          </EmptyState>
        }
      />
      {opened !== null && (
        <FactDrawer
          key={opened === 'new' ? 'new' : opened.id}
          endUserId={endUserId}
          fact={opened === 'new' ? null : opened}
          onClose={() => setOpened(null)}
        />
      )}
    </Stack>
  )
}

const columns: readonly Column<EndUserFact>[] = [
  { title: 'Fact', width: '3fr', isMain: true, cell: ({ text }) => text },
  { title: 'Agent', width: '1fr', isMinor: true, cell: ({ agentId }) => <AgentName agentId={agentId} /> },
  {
    title: 'Source',
    width: '8rem',
    isMinor: true,
    cell: ({ conversationId }) => (conversationId === null ? 'Added manually' : 'Conversation'),
  },
  { title: 'Updated', width: '7.5rem', cell: ({ updatedAt }) => <Timestamp at={updatedAt} /> },
]
