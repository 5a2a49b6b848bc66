import { Group, SimpleGrid, Skeleton, Title } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { useConsole } from '../../data/console-context'
import { type Days, spanOf } from '../../data/metric-period'
import { ErrorNotice } from '../../parts/error-notice'
import { loadPart } from '../../parts/load-part'
import { PeriodSelect } from '../../parts/period-select'
import type { EndReason } from './end-labels'

// The chart library is loaded on demand.
const SessionCharts = lazy(async () => ({
  default: (await loadPart(() => import('./session-charts'))).SessionCharts,
}))

interface SessionFiguresProps {
  readonly agentId: string | undefined
  readonly days: Days
  readonly onDays: (days: Days) => void
  readonly onReason: (reason: EndReason) => void
}

/** Figures of the sessions in a period. */
export function SessionFigures({ agentId, days, onDays, onReason }: SessionFiguresProps) {
  const { parley } = useConsole()
  const statistics = useQuery({
    queryKey: ['RealtimeSession', 'statistics', days, agentId],
    queryFn: async () =>
      parley.realtimeSessions.getStatistics({
        ...spanOf(days),
        AgentId: agentId,
      }),
    placeholderData: keepPreviousData,
  })
  return (
    <section aria-labelledby="session-figures">
      <Group justify="space-between" mb="xs">
        <Title order={2} fz="md" id="session-figures">
          Metrics
        </Title>
        <PeriodSelect days={days} onDays={onDays} />
      </Group>
      {statistics.error !== null && statistics.data === undefined && (
        <ErrorNotice error={statistics.error} onRetry={() => void statistics.refetch()} />
      )}
      <Suspense fallback={<Waiting />}>
        {statistics.data === undefined ? (
          statistics.isPending && <Waiting />
        ) : (
          <SessionCharts statistics={statistics.data} onReason={onReason} />
        )}
      </Suspense>
    </section>
  )
}

function Waiting() {
  return (
    <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }} spacing="md">
      <Skeleton h={236} />
      <Skeleton h={236} />
      <Skeleton h={236} />
    </SimpleGrid>
  )
}
