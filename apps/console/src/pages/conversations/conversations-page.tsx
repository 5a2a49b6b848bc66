import type { Conversation } from '@parley/sdk'
import { IconMessages } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useConsole } from '../../data/console-context'
import { useFilter } from '../../data/use-filter'
import { useMetadataFilter } from '../../data/use-metadata-filter'
import { useRows } from '../../data/use-rows'
import { AgentSelect } from '../../parts/agent-select'
import { EmptyState } from '../../parts/empty-state'
import { EndUserSelect } from '../../parts/end-user-select'
import { Filters } from '../../parts/filters'
import { MetadataFilterField } from '../../parts/metadata-filter-field'
import { NoMatches } from '../../parts/no-matches'
import { PageFrame } from '../../parts/page-frame'
import { RowList } from '../../parts/row-list'
import { SearchField } from '../../parts/search-field'
import { conversationColumns } from './conversation-columns'

export function ConversationsPage() {
  const { parley } = useConsole()
  const navigate = useNavigate()
  const [chosen, setFilter] = useFilter(['Search', 'AgentId', 'EndUserId'])
  const [metadata, setMetadata] = useMetadataFilter()
  const filter = { ...chosen, ...metadata }
  const rows = useRows<Conversation>({
    resource: 'Conversation',
    filter,
    read: (range) => parley.conversations.list({ ...filter, ...range }),
  })
  const open = ({ id }: Conversation) =>
    void navigate({ to: '/conversations/$conversationId', params: { conversationId: id } })
  return (
    <PageFrame title="Conversations" about="Text and voice conversations between users and agents." isFilling>
      <Filters>
        <SearchField
          label="Search conversations"
          value={chosen.Search ?? ''}
          onSearch={(Search) => setFilter({ Search })}
        />
        <AgentSelect
          value={chosen.AgentId ?? null}
          onChange={(AgentId) => setFilter({ AgentId: AgentId ?? '' })}
        />
        <EndUserSelect
          value={chosen.EndUserId ?? null}
          onChange={(EndUserId) => setFilter({ EndUserId: EndUserId ?? '' })}
        />
        <MetadataFilterField value={metadata} onChange={setMetadata} />
      </Filters>
      <RowList
        label="Conversations"
        rows={rows}
        columns={conversationColumns}
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
