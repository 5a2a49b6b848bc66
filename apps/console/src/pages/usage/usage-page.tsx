import { Button, Group, Select, Stack } from '@mantine/core'
import { IconChartBar, IconDownload } from '@tabler/icons-react'
import { useMemo } from 'react'
import { useFilter } from '../../data/use-filter'
import { rowsOf } from '../../data/use-rows'
import { AgentSelect } from '../../parts/agent-select'
import { EmptyState } from '../../parts/empty-state'
import { ErrorNotice } from '../../parts/error-notice'
import { Filters } from '../../parts/filters'
import { PageFrame } from '../../parts/page-frame'
import { RowList } from '../../parts/row-list'
import { saveFile } from '../../parts/save-file'
import { usageColumns } from './usage-columns'
import { usageCsv } from './usage-csv'
import { rowsByUse, type UsageGroup, usageGroups } from './usage-groups'
import { usagePeriods } from './usage-periods'
import { UsageSummary, UsageWaiting } from './usage-summary'
import { type GroupedUsage, useUsage } from './use-usage'

/** Usage and cost of models. */
export function UsagePage() {
  const [filter, setFilter] = useFilter(['period', 'by', 'AgentId'])
  const period = usagePeriods.find(({ value }) => value === filter.period)?.value ?? '30'
  const by = usageGroups.find(({ value }) => value === filter.by)?.value ?? 'day'
  const agentId = filter.AgentId
  const byDay = useUsage({ period, agentId, by: 'day' })
  const grouped = useUsage({ period, agentId, by })
  const error = byDay.error ?? grouped.error
  return (
    <PageFrame title="Usage" about="Usage and cost of models. Days are in UTC.">
      <Filters>
        <Select
          aria-label="Period"
          data={usagePeriods}
          value={period}
          allowDeselect={false}
          onChange={(next) => setFilter({ period: next ?? '' })}
        />
        <AgentSelect value={agentId ?? null} onChange={(next) => setFilter({ AgentId: next ?? '' })} />
      </Filters>
      {error !== null && byDay.data === undefined && (
        <ErrorNotice error={error} onRetry={() => void Promise.all([byDay.refetch(), grouped.refetch()])} />
      )}
      {byDay.data === undefined ? byDay.isPending && <UsageWaiting /> : <UsageSummary usage={byDay.data} />}
      <UsageTable
        usage={grouped.data}
        isOutdated={grouped.isPlaceholderData}
        by={by}
        onBy={(next) => setFilter({ by: next })}
      />
    </PageFrame>
  )
}

interface UsageTableProps {
  readonly usage: GroupedUsage | undefined
  readonly isOutdated: boolean
  /** The selected grouping. The shown data may still have the previous one. */
  readonly by: UsageGroup
  readonly onBy: (by: string) => void
}

function UsageTable({ usage, isOutdated, by, onBy }: UsageTableProps) {
  const rows = useMemo(() => usage && rowsByUse(usage, usage.by), [usage])
  return (
    <Stack gap="xs" component="section" aria-label="Details">
      <Group justify="space-between">
        <Select
          aria-label="Group by"
          data={usageGroups}
          value={by}
          allowDeselect={false}
          onChange={(next) => onBy(next ?? '')}
          w="11rem"
        />
        <Button
          variant="default"
          leftSection={<IconDownload size={16} />}
          disabled={rows === undefined || rows.length === 0 || isOutdated}
          onClick={() =>
            rows !== undefined &&
            saveFile(`usage-by-${by}.csv`, new Blob([usageCsv(rows, by)], { type: 'text/csv' }))
          }
        >
          Export
        </Button>
      </Group>
      <RowList
        isInPage
        label="Usage"
        rows={rowsOf(rows, isOutdated)}
        columns={usageColumns(usage?.by ?? by)}
        empty={
          <EmptyState icon={IconChartBar} title="No usage in this period">
            Talk to an agent in the playground or select a longer period.
          </EmptyState>
        }
      />
    </Stack>
  )
}
