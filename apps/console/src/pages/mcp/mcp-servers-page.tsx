import { ActionIcon, Badge, Button, Group } from '@mantine/core'
import type { McpAuthorization } from '@parley/sdk'
import { IconPlugConnected, IconPlus, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { useConsole } from '../../data/console-context'
import { useChange } from '../../data/use-change'
import { useRows } from '../../data/use-rows'
import { Confirm } from '../../parts/confirm'
import { EmptyState } from '../../parts/empty-state'
import { PageFrame } from '../../parts/page-frame'
import { type Column, RowList } from '../../parts/row-list'
import { showError } from '../../parts/show-error'
import { Timestamp } from '../../parts/timestamp'
import { NewServerDrawer } from './new-server-drawer'

/** MCP servers with OAuth, and their authorization state. */
export function McpServersPage() {
  const { parley, may } = useConsole()
  const [isAdding, setAdding] = useState(false)
  const rows = useRows<McpAuthorization>({
    resource: 'McpAuthorization',
    read: (range) => parley.mcpAuthorizations.list(range),
  })
  const add = may('connection:write') && (
    <Button leftSection={<IconPlus size={16} />} onClick={() => setAdding(true)}>
      New server
    </Button>
  )
  return (
    <PageFrame
      title="MCP servers"
      about="Sign-in to MCP servers that require OAuth. Agents get the tools of any MCP server on their Tools tab."
      actions={add}
      isFilling
    >
      <RowList
        label="MCP servers"
        rows={rows}
        columns={columns}
        empty={
          <EmptyState icon={IconPlugConnected} title="No servers yet" action={add}>
            Only servers with OAuth need an entry here. Add other servers on the Tools tab of an agent.
          </EmptyState>
        }
      />
      {isAdding && <NewServerDrawer onClose={() => setAdding(false)} />}
    </PageFrame>
  )
}

const stateLabels = {
  new: 'Not authorized',
  authorized: 'Authorized',
  expired: 'Authorization expired',
}
const stateColors = { new: 'gray', authorized: 'green', expired: 'orange' }

const columns: readonly Column<McpAuthorization>[] = [
  { title: 'URL', width: '2fr', cell: ({ serverUrl }) => serverUrl },
  {
    title: 'Status',
    width: '13rem',
    cell: ({ state, failure }) => (
      <Badge variant="light" color={stateColors[state]} title={failure ?? ''}>
        {stateLabels[state]}
      </Badge>
    ),
  },
  {
    title: 'Authorized by',
    width: '1fr',
    isMinor: true,
    cell: ({ authorizedBy }) => authorizedBy?.name ?? '',
  },
  {
    title: 'Token expires',
    width: '9rem',
    isMinor: true,
    cell: ({ expiresAt }) => <Timestamp at={expiresAt} />,
  },
  { title: 'Actions', width: '10rem', cell: (server) => <ServerActions server={server} /> },
]

function ServerActions({ server: { id, serverUrl, state } }: { readonly server: McpAuthorization }) {
  const { parley, may } = useConsole()
  const begin = useChange({
    change: async () => parley.mcpAuthorizations.beginConsent(id, {}),
    changes: [],
    onDone: ({ authorizationUrl, detail }) => {
      if (authorizationUrl === null) showError(new Error(detail))
      else window.location.assign(authorizationUrl)
    },
  })
  const remove = useChange({
    change: async () => parley.mcpAuthorizations.delete(id),
    changes: ['McpAuthorization'],
    done: 'Server removed.',
  })
  if (!may('connection:write')) return null
  return (
    <Group justify="end" gap={6} wrap="nowrap">
      <Button size="xs" variant="default" loading={begin.isPending} onClick={() => begin.mutate(undefined)}>
        {state === 'authorized' ? 'Reauthorize' : 'Authorize'}
      </Button>
      <Confirm
        title={`Remove ${serverUrl}?`}
        action="Remove server"
        onConfirm={() => remove.mutateAsync(undefined)}
        trigger={(open) => (
          <ActionIcon variant="subtle" color="red" onClick={open} aria-label={`Remove ${serverUrl}`}>
            <IconTrash size={16} />
          </ActionIcon>
        )}
      >
        Agents cannot call the server until it is authorized again.
      </Confirm>
    </Group>
  )
}
