import { Group, SimpleGrid, Text, Title } from '@mantine/core'
import type { RealtimeStatistics, RealtimeStatisticsBucket } from '@parley/sdk'
import { type ReactNode, useMemo } from 'react'
import { formatMilliseconds } from '../../data/format-duration'
import { ChartTable } from '../../parts/chart-table'
import { Plot } from '../../parts/plot'
import type { EndReason } from './end-labels'
import { EndsChart } from './ends-chart'
import styles from './sessions.module.css'

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
      <Chart
        title="Time to first audio"
        figures={[
          ['Median', total.firstAudioP50Ms, 'green'],
          ['p95', total.firstAudioP95Ms, 'orange'],
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
      </Chart>
      <Chart title="End reasons">
        <EndsChart ends={total.ends} onReason={onReason} />
      </Chart>
      <Chart
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
      </Chart>
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

interface ChartProps {
  readonly title: string
  readonly figures?: readonly (readonly [string, number | null, string])[]
  readonly children: ReactNode
}

function Chart({ title, figures = [], children }: ChartProps) {
  return (
    <section className={styles.card} aria-label={title}>
      <Group justify="space-between" mb="xs" gap="xs">
        <Title order={3} fz="sm">
          {title}
        </Title>
        <Group gap="sm">
          {figures.map(([label, milliseconds, color]) => (
            <Group key={label} gap={5} wrap="nowrap">
              <span className={styles.dot} data-color={color} aria-hidden />
              <Text size="xs" data-figures>
                {label} {milliseconds === null ? '' : `≤ ${formatMilliseconds(milliseconds)}`}
              </Text>
            </Group>
          ))}
        </Group>
      </Group>
      {children}
    </section>
  )
}
