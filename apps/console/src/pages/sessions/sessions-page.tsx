import { Box, Group, Select, Stack, Text, Title } from '@mantine/core'
import type { RealtimeSession } from '@parley/sdk'
import { IconWaveSine } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useConsole } from '../../data/console-context'
import { formatDuration } from '../../data/format-duration'
import { useFilter } from '../../data/use-filter'
import { useRows } from '../../data/use-rows'
import { AgentName, AgentSelect } from '../../parts/agent-select'
import { CostText } from '../../parts/cost-text'
import { EmptyState } from '../../parts/empty-state'
import { NoMatches } from '../../parts/no-matches'
import { PageFrame } from '../../parts/page-frame'
import { type Column, RowList } from '../../parts/row-list'
import { Timestamp } from '../../parts/timestamp'
import { EndBadge } from './end-badge'
import { endLabels, endReasons, lengthOf } from './end-labels'
import { LiveSessions } from './live-sessions'
import { periods, SessionFigures } from './session-figures'
import styles from './sessions.module.css'

export function SessionsPage() {
  const { parley } = useConsole()
  const navigate = useNavigate()
  const [filter, setFilter] = useFilter(['AgentId', 'EndReason', 'days'])
  const reason = endReasons.find((one) => one === filter.EndReason)
  const rows = useRows<RealtimeSession>({
    resource: 'RealtimeSession',
    filter: { agentId: filter.AgentId, reason, isRunning: false },
    read: (range) =>
      parley.realtimeSessions.list({
        AgentId: filter.AgentId,
        EndReason: reason,
        IsRunning: 'false',
        ...range,
      }),
  })
  const open = ({ id }: RealtimeSession) =>
    void navigate({ to: '/sessions/$sessionId', params: { sessionId: id } })
  return (
    <PageFrame title="Sessions" about="Live and past voice sessions.">
      <Group gap="sm">
        <AgentSelect
          value={filter.AgentId ?? null}
          onChange={(AgentId) => setFilter({ AgentId: AgentId ?? '' })}
        />
      </Group>
      <LiveSessions agentId={filter.AgentId} />
      <SessionFigures
        agentId={filter.AgentId}
        days={periods.some(({ value }) => value === filter.days) ? (filter.days ?? '7') : '7'}
        onDays={(days) => setFilter({ days })}
        onReason={(EndReason) => setFilter({ EndReason })}
      />
      <Stack gap="xs" component="section" aria-labelledby="ended-sessions">
        <Group justify="space-between">
          <Title order={2} fz="md" id="ended-sessions">
            Ended
          </Title>
          <Select
            aria-label="End reason"
            placeholder="Any end reason"
            clearable
            data={endReasons.map((value) => ({ value, label: endLabels[value].label }))}
            value={reason ?? null}
            onChange={(EndReason) => setFilter({ EndReason: EndReason ?? '' })}
            size="xs"
            w="15rem"
          />
        </Group>
        <Box className={styles.list}>
          <RowList
            label="Ended sessions"
            rows={rows}
            columns={columns}
            onOpen={open}
            empty={<NoSession isNarrowed={filter.AgentId !== undefined || reason !== undefined} />}
          />
        </Box>
      </Stack>
    </PageFrame>
  )
}

function NoSession({ isNarrowed }: { readonly isNarrowed: boolean }) {
  if (isNarrowed) return <NoMatches icon={IconWaveSine} what="session" />
  return (
    <EmptyState icon={IconWaveSine} title="No sessions yet">
      Talk to an agent in the playground, or start a session with the SDK.
    </EmptyState>
  )
}

const columns: readonly Column<RealtimeSession>[] = [
  { title: 'Agent', width: '1.5fr', cell: ({ agentId }) => <AgentName agentId={agentId} /> },
  { title: 'End reason', width: '2fr', cell: (session) => <EndBadge session={session} /> },
  {
    title: 'Duration',
    width: '7rem',
    isMinor: true,
    cell: (session) => <Length session={session} />,
  },
  {
    title: 'Tokens',
    width: '6rem',
    isMinor: true,
    isEmpty: ({ usage }) => usage.totalTokens === 0,
    cell: ({ usage }) => <span data-figures>{usage.totalTokens.toLocaleString()}</span>,
  },
  {
    title: 'Cost',
    width: '8rem',
    isMinor: true,
    isEmpty: ({ cost, usage }) => cost.amount === 0 && usage.totalTokens === 0,
    cell: ({ cost }) => <CostText cost={cost} />,
  },
  {
    title: 'Started',
    width: '7.5rem',
    cell: ({ startedAt, createdAt }) => <Timestamp at={startedAt ?? createdAt} />,
  },
]

function Length({ session }: { readonly session: RealtimeSession }) {
  const seconds = lengthOf(session)
  if (seconds === null)
    return (
      <Text span inherit c="dimmed">
        none
      </Text>
    )
  return <span data-figures>{formatDuration(seconds)}</span>
}
