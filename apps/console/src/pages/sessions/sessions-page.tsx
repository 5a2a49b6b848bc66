import { Group, Select, Stack, Title } from '@mantine/core'
import type { RealtimeSession } from '@parley/sdk'
import { IconWaveSine } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useConsole } from '../../data/console-context'
import { metricPeriods } from '../../data/metric-period'
import { useFilter } from '../../data/use-filter'
import { useMetadataFilter } from '../../data/use-metadata-filter'
import { useRows } from '../../data/use-rows'
import { AgentSelect } from '../../parts/agent-select'
import { EmptyState } from '../../parts/empty-state'
import { EndUserSelect } from '../../parts/end-user-select'
import { Filters } from '../../parts/filters'
import { valueIn } from '../../parts/label-select'
import { MetadataFilterField } from '../../parts/metadata-filter-field'
import { NoMatches } from '../../parts/no-matches'
import { PageFrame } from '../../parts/page-frame'
import { RowList } from '../../parts/row-list'
import { endLabels, endReasons } from './end-labels'
import { LiveSessions } from './live-sessions'
import { sessionColumns } from './session-columns'
import { SessionFigures } from './session-figures'

export function SessionsPage() {
  const { parley } = useConsole()
  const navigate = useNavigate()
  const [filter, setFilter] = useFilter(['AgentId', 'EndUserId', 'EndReason', 'days'])
  const [metadata, setMetadata] = useMetadataFilter()
  const chosen = { AgentId: filter.AgentId, EndUserId: filter.EndUserId, ...metadata }
  const isOfAll = filter.EndUserId === undefined && Object.keys(metadata).length === 0
  const reason = endReasons.find((one) => one === filter.EndReason)
  const rows = useRows<RealtimeSession>({
    resource: 'RealtimeSession',
    filter: { ...chosen, reason, isRunning: false },
    read: (range) =>
      parley.realtimeSessions.list({
        ...chosen,
        EndReason: reason,
        IsRunning: 'false',
        ...range,
      }),
  })
  const open = ({ id }: RealtimeSession) =>
    void navigate({ to: '/sessions/$sessionId', params: { sessionId: id } })
  return (
    <PageFrame title="Sessions" about="Live and past voice sessions.">
      <Filters>
        <AgentSelect
          value={filter.AgentId ?? null}
          onChange={(AgentId) => setFilter({ AgentId: AgentId ?? '' })}
        />
        <EndUserSelect
          value={filter.EndUserId ?? null}
          onChange={(EndUserId) => setFilter({ EndUserId: EndUserId ?? '' })}
        />
        <MetadataFilterField value={metadata} onChange={setMetadata} />
      </Filters>
      <LiveSessions filter={chosen} />
      {/* The metrics cannot be filtered by end user. */}
      {isOfAll && (
        <SessionFigures
          agentId={filter.AgentId}
          days={valueIn(metricPeriods, filter.days) ?? '7'}
          onDays={(days) => setFilter({ days })}
          onReason={(EndReason) => setFilter({ EndReason })}
        />
      )}
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
        <RowList
          isInPage
          label="Ended sessions"
          rows={rows}
          columns={sessionColumns}
          onOpen={open}
          empty={<NoSession isNarrowed={filter.AgentId !== undefined || reason !== undefined || !isOfAll} />}
        />
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
