import { Group, Text } from '@mantine/core'
import type { Conversation } from '@parley/sdk'
import { IconMessages } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useConsole } from '../../data/console-context'
import { useFilter } from '../../data/use-filter'
import { useRows } from '../../data/use-rows'
import { AgentName, AgentSelect } from '../../parts/agent-select'
import { EmptyState } from '../../parts/empty-state'
import { NoMatches } from '../../parts/no-matches'
import { PageFrame } from '../../parts/page-frame'
import { type Column, RowList } from '../../parts/row-list'
import { SearchField } from '../../parts/search-field'
import { Timestamp } from '../../parts/timestamp'

export function ConversationsPage() {
  const { parley } = useConsole()
  const navigate = useNavigate()
  const [filter, setFilter] = useFilter(['Search', 'AgentId'])
  const rows = useRows<Conversation>({
    resource: 'Conversation',
    filter,
    read: (range) => parley.conversations.list({ ...filter, ...range }),
  })
  const open = ({ id }: Conversation) =>
    void navigate({ to: '/conversations/$conversationId', params: { conversationId: id } })
  return (
    <PageFrame title="Conversations" about="Text and voice conversations between users and agents." isFilling>
      <Group gap="sm">
        <SearchField
          label="Search conversations"
          value={filter.Search ?? ''}
          onSearch={(Search) => setFilter({ Search })}
        />
        <AgentSelect
          value={filter.AgentId ?? null}
          onChange={(AgentId) => setFilter({ AgentId: AgentId ?? '' })}
        />
      </Group>
      <RowList
        label="Conversations"
        rows={rows}
        columns={columns}
        onOpen={open}
        empty={<NoConversation isNarrowed={Object.keys(filter).length > 0} />}
      />
    </PageFrame>
  )
}

function NoConversation({ isNarrowed }: { readonly isNarrowed: boolean }) {
  if (isNarrowed) return <NoMatches icon={IconMessages} what="conversation" />
  return (
    <EmptyState icon={IconMessages} title="No conversations yet">
      Talk to an agent in the playground, or ask one over the API:{' '}
      <code>POST /api/v1/Agent/&#123;id&#125;/question</code>
    </EmptyState>
  )
}

const columns: readonly Column<Conversation>[] = [
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
