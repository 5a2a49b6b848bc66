import type { Usage } from '@parley/sdk'
import { keepPreviousData, type UseQueryResult, useQuery } from '@tanstack/react-query'
import { useConsole } from '../../data/console-context'
import type { UsageGroup } from './usage-groups'
import { spanOf, type UsagePeriod } from './usage-periods'

interface UsageFilter {
  readonly period: UsagePeriod
  readonly by: UsageGroup
  readonly agentId: string | undefined
}

/** Read again now and then: what models use is told by no live stream, as it would be told without a pause. */
export function useUsage({ period, by, agentId }: UsageFilter): UseQueryResult<Usage> {
  const { parley } = useConsole()
  return useQuery({
    queryKey: ['Usage', period, by, agentId],
    queryFn: async () => parley.usages.get({ ...spanOf(period), GroupBy: by, AgentId: agentId }),
    placeholderData: keepPreviousData,
    refetchInterval: 15_000,
  })
}
