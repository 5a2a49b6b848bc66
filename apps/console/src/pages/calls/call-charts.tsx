import { Text } from '@mantine/core'
import type { PhoneCallStatistics, PhoneCallStatisticsBucket } from '@parley/sdk'
import { useMemo } from 'react'
import { formatDuration } from '../../data/format-duration'
import { ChartCard } from '../../parts/chart-card'
import { ChartTable } from '../../parts/chart-table'
import { Plot } from '../../parts/plot'
import { Total } from '../../parts/total'
import styles from './calls.module.css'

const compact = new Intl.NumberFormat(undefined, { notation: 'compact' })
const percent = new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 0 })
const figure = (value: number) => (Number.isInteger(value) ? compact.format(value) : '')

/** Totals, and the calls over time. */
export function CallCharts({ statistics: { buckets, total } }: { readonly statistics: PhoneCallStatistics }) {
  const drawn = useMemo(() => seriesOf(buckets), [buckets])
  const { calls, incoming, outgoing, answered, answeredShare, seconds, averageSeconds } = total
  return (
    <div className={styles.figures}>
      <dl className={styles.totals}>
        <Total name="Calls" value={calls.toLocaleString()}>
          {incoming.toLocaleString()} incoming, {outgoing.toLocaleString()} outgoing
        </Total>
        <Total name="Answered" value={answeredShare === null ? 'none' : percent.format(answeredShare)}>
          {answered.toLocaleString()} answered
        </Total>
        <Total
          name="Average duration"
          value={averageSeconds === null ? 'none' : formatDuration(averageSeconds)}
        >
          {formatDuration(seconds)} in total
        </Total>
      </dl>
      <ChartCard
        title="Calls over time"
        legend={[
          { label: 'Answered', color: 'green' },
          { label: 'Not answered', color: 'orange' },
        ]}
      >
        {calls === 0 ? (
          <Text size="sm" c="dimmed">
            No calls in this period.
          </Text>
        ) : (
          <Plot times={drawn.times} series={drawn.series} formatLabel={figure} isBars />
        )}
        <ChartTable
          caption="Calls over time"
          heads={['Calls', 'Answered', 'Average duration']}
          buckets={buckets}
          cells={(bucket) => [
            String(bucket.calls),
            String(bucket.answered),
            bucket.averageSeconds === null ? 'none' : formatDuration(bucket.averageSeconds),
          ]}
        />
      </ChartCard>
    </div>
  )
}

/** The answered calls are drawn over all calls, so that the rest of a bar shows those without an answer. */
function seriesOf(buckets: readonly PhoneCallStatisticsBucket[]) {
  return {
    times: buckets.map(({ from }) => Date.parse(from) / 1000),
    series: [
      { label: 'Calls', color: 'orange-6', values: buckets.map(({ calls }) => calls) },
      { label: 'Answered', color: 'green-7', values: buckets.map(({ answered }) => answered) },
    ],
  }
}
