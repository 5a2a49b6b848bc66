import { Group, Select, SimpleGrid, Skeleton, Title } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { useConsole } from '../../data/console-context'
import { ErrorNotice } from '../../parts/error-notice'
import { loadPart } from '../../parts/load-part'
import type { EndReason } from './end-labels'

// The chart library is loaded on demand.
const SessionCharts = lazy(async () => ({
  default: (await loadPart(() => import('./session-charts'))).SessionCharts,
}))

export const periods = [
  { value: '1', label: 'Last 24 hours' },
  { value: '7', label: 'Last 7 days' },
  { value: '30', label: 'Last 30 days' },
  { value: '90', label: 'Last 90 days' },
]

const timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone

interface SessionFiguresProps {
  readonly agentId: string | undefined
  readonly days: string
  readonly onDays: (days: string) => void
  readonly onReason: (reason: EndReason) => void
}

/** Figures of the sessions in a period. */
export function SessionFigures({ agentId, days, onDays, onReason }: SessionFiguresProps) {
  const { parley } = useConsole()
  const statistics = useQuery({
    queryKey: ['RealtimeSession', 'statistics', days, agentId],
    queryFn: async () =>
      parley.realtimeSessions.getStatistics({
        From: beginningOf(Number(days)),
        By: days === '1' ? 'hour' : 'day',
        TimeZone: timeZone,
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
        <Select
          aria-label="Period"
          data={periods}
          value={days}
          allowDeselect={false}
          onChange={(next) => onDays(next ?? '7')}
          size="xs"
          w="10rem"
        />
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

/** One day in hours, longer periods in whole days including today. */
function beginningOf(days: number): string {
  if (days === 1) return new Date(Date.now() - 86_400_000).toISOString()
  const day = new Date()
  day.setHours(0, 0, 0, 0)
  day.setDate(day.getDate() - (days - 1))
  return day.toISOString()
}
