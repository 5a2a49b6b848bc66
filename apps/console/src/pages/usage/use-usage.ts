import type { Usage } from '@parley/sdk'
import { keepPreviousData, type UseQueryResult, useQuery } from '@tanstack/react-query'
import { useConsole } from '../../data/console-context'
import type { UsageGroup } from './usage-groups'
import { spanOf, type UsagePeriod } from './usage-periods'

interface UsageFilter {
  readonly period: UsagePeriod
  readonly by: UsageGroup
  readonly agentId?: string | undefined
  readonly endUserId?: string | undefined
}

/**
 * Usage and the grouping that it was requested with. While data for a new grouping loads, the page shows the
 * previous data.
 */
export interface GroupedUsage extends Usage {
  readonly by: UsageGroup
}

export function useUsage({ period, by, agentId, endUserId }: UsageFilter): UseQueryResult<GroupedUsage> {
  const { parley } = useConsole()
  return useQuery({
    queryKey: ['Usage', period, by, agentId, endUserId],
    queryFn: async () => ({
      ...(await parley.usages.get({
        ...spanOf(period),
        GroupBy: by,
        AgentId: agentId,
        EndUserId: endUserId,
      })),
      by,
    }),
    placeholderData: keepPreviousData,
  })
}
