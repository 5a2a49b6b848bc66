import { Badge, Box, Select, Stack } from '@mantine/core'
import type { Approval } from '@parley/sdk'
import { IconUserCheck } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useConsole } from '../../data/console-context'
import { useFilter } from '../../data/use-filter'
import { useRows } from '../../data/use-rows'
import { AgentName, AgentSelect } from '../../parts/agent-select'
import { stateLabels } from '../../parts/approval-state-labels'
import { DeciderName } from '../../parts/decider-name'
import { EmptyState } from '../../parts/empty-state'
import { Filters } from '../../parts/filters'
import { type Column, RowList } from '../../parts/row-list'
import { Timestamp } from '../../parts/timestamp'

const states = ['approved', 'rejected', 'expired'] as const

/** Decided approvals, newest call first. */
export function DecidedApprovals() {
  const { parley } = useConsole()
  const navigate = useNavigate()
  const [filter, setFilter] = useFilter(['State', 'AgentId'])
  const state = states.find((one) => one === filter.State)
  const rows = useRows<Approval>({
    resource: 'Approval',
    filter: { state, agentId: filter.AgentId, isWaiting: false },
    read: (range) =>
      parley.approvals.list({ IsWaiting: 'false', State: state, AgentId: filter.AgentId, ...range }),
  })
  const open = ({ conversationId }: Approval) =>
    void navigate({ to: '/conversations/$conversationId', params: { conversationId } })
  return (
    <Stack h="100%" mih={0}>
      <Filters>
        <Select
          aria-label="Status"
          placeholder="Any status"
          clearable
          data={states.map((value) => ({ value, label: stateLabels[value].label }))}
          value={state ?? null}
          onChange={(State) => setFilter({ State: State ?? '' })}
        />
        <AgentSelect
          value={filter.AgentId ?? null}
          onChange={(AgentId) => setFilter({ AgentId: AgentId ?? '' })}
        />
      </Filters>
      <Box flex={1} mih={0}>
        <RowList
          label="Resolved approvals"
          rows={rows}
          columns={columns}
          onOpen={open}
          empty={
            <EmptyState icon={IconUserCheck} title="No matching approvals">
              Approved, rejected and expired calls are listed here for a limited time.
            </EmptyState>
          }
        />
      </Box>
    </Stack>
  )
}

const columns: readonly Column<Approval>[] = [
  { title: 'Tool', width: '2fr', cell: ({ tool, title }) => <span title={tool}>{title}</span> },
  {
    title: 'Status',
    width: '7rem',
    cell: ({ state }) => (
      <Badge variant="light" color={stateLabels[state].color}>
        {stateLabels[state].label}
      </Badge>
    ),
  },
  {
    title: 'Decided by',
    width: '1.5fr',
    isMinor: true,
    cell: ({ decidedBy }) => (decidedBy === null ? '—' : <DeciderName decidedBy={decidedBy} />),
  },
  { title: 'Agent', width: '1.5fr', isMinor: true, cell: ({ agentId }) => <AgentName agentId={agentId} /> },
  {
    title: 'Reason',
    width: '2fr',
    isMinor: true,
    cell: ({ reason }) => <span title={reason ?? undefined}>{reason}</span>,
  },
  {
    title: 'Date',
    width: '7.5rem',
    cell: ({ decidedAt, updatedAt }) => <Timestamp at={decidedAt ?? updatedAt} />,
  },
]
