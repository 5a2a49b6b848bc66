import type { EndUser } from '@parley/sdk'
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { useConsole } from './console-context'

/** Reads one end user. Reads nothing without an id, or if the user may not see end users. */
export function useEndUser(endUserId: string | null): UseQueryResult<EndUser> {
  const { parley, may } = useConsole()
  return useQuery({
    queryKey: ['EndUser', endUserId],
    queryFn: async () => parley.endUsers.get(endUserId ?? ''),
    // The progress of an erasure causes no change events.
    refetchInterval: ({ state }) => (state.data?.erasure && state.error === null ? 1000 : false),
    enabled: endUserId !== null && may('conversation:read'),
  })
}
