import type { McpGrant } from '@parley/sdk'
import { IconPlugConnected } from '@tabler/icons-react'
import { useConsole } from '../../data/console-context'
import { useRows } from '../../data/use-rows'
import { EmptyState } from '../../parts/empty-state'
import { PageFrame } from '../../parts/page-frame'
import { type Column, RowList } from '../../parts/row-list'
import { Timestamp } from '../../parts/timestamp'
import { RevokeGrant } from './revoke-grant'

export function McpClientsPage() {
  const { parley } = useConsole()
  const rows = useRows<McpGrant>({ resource: 'McpGrant', read: (range) => parley.mcpGrants.list(range) })
  return (
    <PageFrame
      title="MCP clients"
      about={`Clients that members have authorized at ${window.location.origin}/mcp. Clients with an API key are not listed.`}
      isFilling
    >
      <RowList
        label="MCP clients"
        rows={rows}
        columns={columns}
        empty={
          <EmptyState icon={IconPlugConnected} title="No MCP clients yet">
            No member has authorized a client.
          </EmptyState>
        }
      />
    </PageFrame>
  )
}

const columns: readonly Column<McpGrant>[] = [
  { title: 'Client', width: '1fr', cell: ({ clientName }) => clientName },
  { title: 'Member', width: '1fr', cell: ({ personName }) => personName },
  { title: 'Scopes', width: '2fr', isMinor: true, cell: ({ scopes }) => scopes.join(', ') },
  { title: 'Last used', width: '8rem', cell: ({ lastUsedAt }) => <Timestamp at={lastUsedAt} /> },
  { title: 'Actions', width: '7rem', cell: (grant) => <RevokeOne grant={grant} /> },
]

function RevokeOne({ grant }: { readonly grant: McpGrant }) {
  const { parley } = useConsole()
  return <RevokeGrant grant={grant} revoke={async () => parley.mcpGrants.delete(grant.id)} />
}
