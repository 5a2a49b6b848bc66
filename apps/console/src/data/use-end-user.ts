import type { EndUser } from '@parley/sdk'
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { useConsole } from './console-context'

/** Reads one end user. Reads nothing if the id is null. */
export function useEndUser(endUserId: string | null): UseQueryResult<EndUser> {
  const { parley } = useConsole()
  return useQuery({
    queryKey: ['EndUser', endUserId],
    queryFn: async () => parley.endUsers.get(endUserId ?? ''),
    enabled: endUserId !== null,
  })
}
