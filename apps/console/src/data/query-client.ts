import { ApiError } from '@parley/sdk'
import { QueryClient, type QueryClientConfig } from '@tanstack/react-query'

/** Cached data stays visible during a refetch. The live stream triggers refetches. */
export function makeQueryClient(
  caches: Pick<QueryClientConfig, 'queryCache' | 'mutationCache'>,
): QueryClient {
  return new QueryClient({
    ...caches,
    defaultOptions: {
      queries: {
        staleTime: 15_000,
        retry: (failures, error) => failures < 2 && !(error instanceof ApiError && error.status < 500),
      },
      mutations: { retry: false },
    },
  })
}
