import { Text } from '@mantine/core'
import type { Conversation } from '@parley/sdk'
import { AgentName } from '../../parts/agent-select'
import type { Column } from '../../parts/row-list'
import { Timestamp } from '../../parts/timestamp'

export const conversationColumns: readonly Column<Conversation>[] = [
  {
    title: 'Title',
    width: '3fr',
    isMain: true,
    cell: ({ title }) =>
      title ?? (
        <Text span inherit c="dimmed">
          Untitled
        </Text>
      ),
  },
  { title: 'Agent', width: '1fr', isMinor: true, cell: ({ agentId }) => <AgentName agentId={agentId} /> },
  {
    title: 'End user',
    width: '1fr',
    isMinor: true,
    isEmpty: ({ externalUserId }) => externalUserId === null,
    cell: ({ externalUserId }) => externalUserId,
  },
  {
    title: 'Messages',
    width: '6rem',
    isMinor: true,
    cell: ({ messageCount }) => <span data-figures>{messageCount}</span>,
  },
  {
    title: 'Last activity',
    width: '7.5rem',
    cell: ({ lastMessageAt, createdAt }) => <Timestamp at={lastMessageAt ?? createdAt} />,
  },
]
