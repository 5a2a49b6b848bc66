import { SimpleGrid, Text } from '@mantine/core'
import type { Usage } from '@parley/sdk'
import { useMemo } from 'react'
import { formatCost, formatMoney } from '../../data/format-cost'
import { ChartCard } from '../../parts/chart-card'
import { ChartTable } from '../../parts/chart-table'
import { Plot } from '../../parts/plot'
import { tokensOf } from './usage-groups'
import { daysBetween, formatDay } from './usage-periods'

const compact = new Intl.NumberFormat(undefined, { notation: 'compact' })
const figure = (value: number) => compact.format(value)

/** Cost and tokens by day. */
export function UsageCharts({ usage }: { readonly usage: Usage }) {
  const { days, times, cost, tokens } = useMemo(() => seriesOf(usage), [usage])
  const { amount } = usage.totals.cost
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md">
      <ChartCard order={2} title="Cost by day">
        {amount ? (
          <Plot times={times} series={cost} formatLabel={formatMoney} isBars />
        ) : (
          <Text size="sm" c="dimmed">
            {amount === null ? 'No priced usage in this period.' : 'No cost in this period.'}
          </Text>
        )}
        <ChartTable
          caption="Cost by day"
          heads={['Cost']}
          buckets={days}
          formatLabel={formatDay}
          cells={({ item }) => [item === undefined ? 'no usage' : formatCost(item.cost).amount]}
        />
      </ChartCard>
      <ChartCard order={2} title="Tokens by day">
        <Plot times={times} series={tokens} formatLabel={figure} isBars />
        <ChartTable
          caption="Tokens by day"
          heads={['Tokens']}
          buckets={days}
          formatLabel={formatDay}
          cells={({ item }) => [String(item === undefined ? 0 : tokensOf(item.tokens))]}
        />
      </ChartCard>
    </SimpleGrid>
  )
}

function seriesOf({ from, to, items }: Usage) {
  const byDay = new Map(items.map((item) => [item.group.day, item]))
  const days = daysBetween(from, to).map((day) => ({ from: day, item: byDay.get(day) }))
  return {
    days,
    // Shifted to local midnight, where the chart draws the label.
    times: days.map(({ from: day }) => new Date(`${day}T00:00`).getTime() / 1000),
    cost: [
      {
        label: 'Cost',
        color: 'green-6',
        values: days.map(({ item }) => (item === undefined ? 0 : item.cost.amount)),
      },
    ],
    tokens: [
      {
        label: 'Tokens',
        color: 'blue-6',
        values: days.map(({ item }) => (item === undefined ? 0 : tokensOf(item.tokens))),
      },
    ],
  }
}
