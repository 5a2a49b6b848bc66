import { SimpleGrid, Text } from '@mantine/core'
import type { RealtimeStatistics, RealtimeStatisticsBucket } from '@parley/sdk'
import { useMemo } from 'react'
import { formatMilliseconds } from '../../data/format-duration'
import { ChartCard } from '../../parts/chart-card'
import { ChartTable } from '../../parts/chart-table'
import { Plot } from '../../parts/plot'
import type { EndReason } from './end-labels'
import { EndsChart } from './ends-chart'

interface SessionChartsProps {
  readonly statistics: RealtimeStatistics
  readonly onReason: (reason: EndReason) => void
}

const compact = new Intl.NumberFormat(undefined, { notation: 'compact' })
const figure = (value: number) => compact.format(value)

/** Charts: latency, end reasons and usage. */
export function SessionCharts({ statistics: { buckets, total }, onReason }: SessionChartsProps) {
  const drawn = useMemo(() => seriesOf(buckets), [buckets])
  return (
    <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }} spacing="md">
      <ChartCard
        title="Time to first audio"
        legend={[
          { label: `Median ${atMost(total.firstAudioP50Ms)}`, color: 'green' },
          { label: `p95 ${atMost(total.firstAudioP95Ms)}`, color: 'orange' },
        ]}
      >
        {total.firstAudioP50Ms === null ? (
          <Text size="sm" c="dimmed">
            No latency data in this period.
          </Text>
        ) : (
          <Plot times={drawn.times} series={drawn.latency} formatLabel={formatMilliseconds} />
        )}
        <ChartTable
          caption="Time to first audio"
          heads={['Median', 'p95']}
          buckets={buckets}
          cells={({ firstAudioP50Ms, firstAudioP95Ms }) => [
            formatLatency(firstAudioP50Ms),
            formatLatency(firstAudioP95Ms),
          ]}
        />
      </ChartCard>
      <ChartCard title="End reasons">
        <EndsChart ends={total.ends} onReason={onReason} />
      </ChartCard>
      <ChartCard
        title={`Tokens: ${figure(total.usage.totalTokens)} in ${figure(total.sessions)} ${total.sessions === 1 ? 'session' : 'sessions'}`}
      >
        {total.usage.totalTokens === 0 ? (
          <Text size="sm" c="dimmed">
            No tokens in this period.
          </Text>
        ) : (
          <Plot times={drawn.times} series={drawn.tokens} formatLabel={figure} isBars />
        )}
        <ChartTable
          caption="Tokens"
          heads={['Sessions', 'Input tokens', 'Output tokens']}
          buckets={buckets}
          cells={({ sessions, usage }) => [
            String(sessions),
            String(usage.inputTokens),
            String(usage.outputTokens),
          ]}
        />
      </ChartCard>
    </SimpleGrid>
  )
}

function seriesOf(buckets: readonly RealtimeStatisticsBucket[]) {
  return {
    times: buckets.map(({ from }) => Date.parse(from) / 1000),
    latency: [
      { label: 'Median', color: 'green-7', values: buckets.map(({ firstAudioP50Ms }) => firstAudioP50Ms) },
      {
        label: 'p95',
        color: 'orange-6',
        values: buckets.map(({ firstAudioP95Ms }) => firstAudioP95Ms),
      },
    ],
    tokens: [{ label: 'Tokens', color: 'green-6', values: buckets.map(({ usage }) => usage.totalTokens) }],
  }
}

function formatLatency(milliseconds: number | null): string {
  return milliseconds === null ? 'none' : formatMilliseconds(milliseconds)
}

function atMost(milliseconds: number | null): string {
  return milliseconds === null ? '' : `≤ ${formatMilliseconds(milliseconds)}`
}
