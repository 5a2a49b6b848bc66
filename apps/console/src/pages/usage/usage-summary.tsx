import { SimpleGrid, Skeleton } from '@mantine/core'
import type { Usage } from '@parley/sdk'
import { lazy, Suspense } from 'react'
import { UsageTotals } from './usage-totals'

// The chart library is loaded on demand.
const UsageCharts = lazy(async () => ({ default: (await import('./usage-charts')).UsageCharts }))

/** Totals, and charts by day. */
export function UsageSummary({ usage }: { readonly usage: Usage }) {
  return (
    <>
      <UsageTotals totals={usage.totals} />
      {usage.items.length > 0 && (
        <Suspense fallback={<Skeleton h={236} />}>
          <UsageCharts usage={usage} />
        </Suspense>
      )}
    </>
  )
}

export function UsageWaiting() {
  return (
    <>
      <Skeleton h={96} />
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <Skeleton h={236} />
        <Skeleton h={236} />
      </SimpleGrid>
    </>
  )
}
