import { Group, Select, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { ErrorNotice } from '../../parts/error-notice'
import { formatDay, type UsagePeriod, usagePeriods } from '../usage/usage-periods'
import { UsageSummary, UsageWaiting } from '../usage/usage-summary'
import { useUsage } from '../usage/use-usage'

/** Usage and cost of one end user. */
export function EndUserUsage({ endUserId }: { readonly endUserId: string }) {
  const [period, setPeriod] = useState<UsagePeriod>('30')
  const usage = useUsage({ period, by: 'day', endUserId })
  return (
    <Stack>
      <Group gap="sm">
        <Select
          aria-label="Period"
          data={usagePeriods}
          value={period}
          allowDeselect={false}
          onChange={(next) => setPeriod(usagePeriods.find(({ value }) => value === next)?.value ?? '30')}
          w="12rem"
        />
        {usage.data !== undefined && (
          <Text size="xs" c="dimmed">
            Since {formatDay(usage.data.from)}. Days are in UTC.
          </Text>
        )}
      </Group>
      {usage.error !== null && usage.data === undefined && (
        <ErrorNotice error={usage.error} onRetry={() => void usage.refetch()} />
      )}
      {usage.data === undefined ? usage.isPending && <UsageWaiting /> : <UsageSummary usage={usage.data} />}
    </Stack>
  )
}
