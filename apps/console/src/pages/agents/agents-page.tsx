import { Button, Group, Text } from '@mantine/core'
import type { Agent, Connection } from '@parley/sdk'
import { IconPlus, IconRobot } from '@tabler/icons-react'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useConsole } from '../../data/console-context'
import { useConnectionDirectory } from '../../data/use-directory'
import { useRows } from '../../data/use-rows'
import { EmptyState } from '../../parts/empty-state'
import { PageFrame } from '../../parts/page-frame'
import { type Column, RowList } from '../../parts/row-list'
import { SearchField } from '../../parts/search-field'
import { Timestamp } from '../../parts/timestamp'
import { AgentSign } from './agent-sign'

export function AgentsPage() {
  const { parley, may } = useConsole()
  const navigate = useNavigate()
  const connections = useConnectionDirectory()
  const [search, setSearch] = useState('')
  const rows = useRows<Agent>({
    resource: 'Agent',
    filter: { search },
    read: (range) => parley.agents.list({ ...range, ...(search !== '' && { Search: search }) }),
  })
  const add = may('agent:write') && (
    <Button
      leftSection={<IconPlus size={16} />}
      renderRoot={(props) => <Link to="/agents/$agentId" params={{ agentId: 'new' }} {...props} />}
    >
      New agent
    </Button>
  )
  return (
    <PageFrame
      title="Agents"
      about="An agent combines instructions, a model and tools."
      actions={
        <>
          <SearchField label="Search agents" value={search} onSearch={setSearch} />
          {add}
        </>
      }
      isFilling
    >
      <RowList
        label="Agents"
        rows={rows}
        columns={columnsWith(connections.data ?? [])}
        onOpen={({ id }) => void navigate({ to: '/agents/$agentId', params: { agentId: id } })}
        empty={
          search === '' ? (
            <EmptyState icon={IconRobot} title="No agents yet" action={add}>
              Create an agent, then try it in the playground.
            </EmptyState>
          ) : (
            <EmptyState icon={IconRobot} title={`No agents match “${search}”`}>
              The search covers names and descriptions.
            </EmptyState>
          )
        }
      />
    </PageFrame>
  )
}

function columnsWith(connections: readonly Connection[]): readonly Column<Agent>[] {
  return [
    { title: 'Name', width: '3fr', isMain: true, cell: (agent) => <AgentCell agent={agent} /> },
    {
      title: 'Model',
      width: '2fr',
      isMinor: true,
      cell: (agent) => <ModelCell agent={agent} connections={connections} />,
    },
    {
      title: 'Tools',
      width: '5rem',
      isMinor: true,
      isEmpty: ({ tools }) => tools.length === 0,
      cell: ({ tools }) => <span data-figures>{String(tools.length)}</span>,
    },
    {
      title: 'Sub-agents',
      width: '6.5rem',
      isMinor: true,
      isEmpty: ({ subAgentIds }) => subAgentIds.length === 0,
      cell: ({ subAgentIds }) => <span data-figures>{String(subAgentIds.length)}</span>,
    },
    { title: 'Updated', width: '8rem', cell: ({ updatedAt }) => <Timestamp at={updatedAt} /> },
  ]
}

function AgentCell({ agent }: { readonly agent: Agent }) {
  return (
    <Group gap="sm" wrap="nowrap">
      <AgentSign agent={agent} />
      <div style={{ minWidth: 0 }}>
        <Text size="sm" fw={600} truncate>
          {agent.name}
        </Text>
        {agent.description !== null && (
          <Text size="xs" c="dimmed" truncate>
            {agent.description}
          </Text>
        )}
      </div>
    </Group>
  )
}

interface ModelCellProps {
  readonly agent: Agent
  readonly connections: readonly Connection[]
}

function ModelCell({ agent: { connectionId, model, realtimeModel }, connections }: ModelCellProps) {
  const connection = connections.find(({ id, isDefault }) =>
    connectionId === null ? isDefault : id === connectionId,
  )
  const named = [model, realtimeModel].filter((name) => name !== null).join(', ')
  const provider = connection?.name ?? (connectionId === null ? 'Default connection' : 'Unknown connection')
  return (
    <>
      {named === '' ? provider : named}
      <Text span size="xs" c="dimmed">
        {named !== '' ? ` · ${provider}` : connectionId === null && ' · default'}
      </Text>
    </>
  )
}
