import { Text } from '@mantine/core'
import type { EndUser } from '@parley/sdk'
import { IconUsers } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useConsole } from '../../data/console-context'
import { useFilter } from '../../data/use-filter'
import { useMetadataFilter } from '../../data/use-metadata-filter'
import { useRows } from '../../data/use-rows'
import { EmptyState } from '../../parts/empty-state'
import { Filters } from '../../parts/filters'
import { MetadataFilterField } from '../../parts/metadata-filter-field'
import { NoMatches } from '../../parts/no-matches'
import { PageFrame } from '../../parts/page-frame'
import { type Column, RowList } from '../../parts/row-list'
import { SearchField } from '../../parts/search-field'
import { Timestamp } from '../../parts/timestamp'

export function EndUsersPage() {
  const { parley } = useConsole()
  const navigate = useNavigate()
  const [search, setSearch] = useFilter(['Search'])
  const [metadata, setMetadata] = useMetadataFilter()
  const filter = { ...search, ...metadata }
  const rows = useRows<EndUser>({
    resource: 'EndUser',
    filter,
    read: (range) => parley.endUsers.list({ ...filter, ...range }),
  })
  const open = ({ id }: EndUser) => void navigate({ to: '/end-users/$endUserId', params: { endUserId: id } })
  return (
    <PageFrame title="End users" about="The people who talk to your agents." isFilling>
      <Filters>
        <SearchField
          label="Search end users"
          value={search.Search ?? ''}
          onSearch={(Search) => setSearch({ Search })}
        />
        <MetadataFilterField value={metadata} onChange={setMetadata} />
      </Filters>
      <RowList
        label="End users"
        rows={rows}
        columns={columns}
        onOpen={open}
        empty={<NoEndUser isNarrowed={Object.keys(filter).length > 0} />}
      />
    </PageFrame>
  )
}

function NoEndUser({ isNarrowed }: { readonly isNarrowed: boolean }) {
  if (isNarrowed) return <NoMatches icon={IconUsers} what="end user" />
  return (
    <EmptyState icon={IconUsers} title="No end users yet">
      Send <code>externalUserId</code> with a question or session. The first request with an ID creates the
      end user.
    </EmptyState>
  )
}

const columns: readonly Column<EndUser>[] = [
  {
    title: 'Name',
    width: '2fr',
    isEmpty: ({ name }) => name === null,
    cell: ({ name }) =>
      name ?? (
        <Text span inherit c="dimmed">
          No name
        </Text>
      ),
  },
  { title: 'External ID', width: '2fr', cell: ({ externalId }) => externalId },
  {
    title: 'Conversations',
    width: '7rem',
    isMinor: true,
    cell: ({ conversationCount }) => <span data-figures>{conversationCount.toLocaleString()}</span>,
  },
  {
    title: 'First seen',
    width: '7.5rem',
    isMinor: true,
    cell: ({ firstSeenAt }) => <Timestamp at={firstSeenAt} />,
  },
  { title: 'Last seen', width: '7.5rem', cell: ({ lastSeenAt }) => <Timestamp at={lastSeenAt} /> },
]
