import { Group, Skeleton, Title } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { useConsole } from '../../data/console-context'
import { type Days, spanOf } from '../../data/metric-period'
import { ErrorNotice } from '../../parts/error-notice'
import { loadPart } from '../../parts/load-part'
import { PeriodSelect } from '../../parts/period-select'

// The chart library is loaded on demand.
const CallCharts = lazy(async () => ({
  default: (await loadPart(() => import('./call-charts'))).CallCharts,
}))

interface CallFiguresProps {
  readonly filter: Readonly<{
    AgentId: string | undefined
    PhoneNumberId: string | undefined
    Direction: 'incoming' | 'outgoing' | undefined
  }>
  readonly days: Days
  readonly onDays: (days: Days) => void
}

/** Statistics of the calls in a period. */
export function CallFigures({ filter, days, onDays }: CallFiguresProps) {
  const { parley } = useConsole()
  const statistics = useQuery({
    queryKey: ['PhoneCall', 'statistics', days, filter],
    queryFn: async () => parley.phoneCalls.getStatistics({ ...spanOf(days), ...filter }),
    placeholderData: keepPreviousData,
  })
  return (
    <section aria-labelledby="call-figures">
      <Group justify="space-between" mb="xs">
        <Title order={2} fz="md" id="call-figures">
          Statistics
        </Title>
        <PeriodSelect days={days} onDays={onDays} />
      </Group>
      {statistics.error !== null && statistics.data === undefined && (
        <ErrorNotice error={statistics.error} onRetry={() => void statistics.refetch()} />
      )}
      <Suspense fallback={<Skeleton h={300} />}>
        {statistics.data === undefined ? (
          statistics.isPending && <Skeleton h={300} />
        ) : (
          <CallCharts statistics={statistics.data} />
        )}
      </Suspense>
    </section>
  )
}
