import type { Agent, ApiKey, Connection, ListPromise } from '@parley/sdk'
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { useConsole } from './console-context'

/** More than one chooses from; what is beyond is found by the lists. */
const maxItems = 1000

/** All agents, for choosing among them and for what leads from one to another. */
export function useAgentDirectory(): UseQueryResult<readonly Agent[]> {
  const { parley, may } = useConsole()
  return useQuery({
    queryKey: ['Agent', 'directory'],
    queryFn: async () => readAll(parley.agents.list({ Limit: 200 })),
    enabled: may('agent:read'),
  })
}

export function useConnectionDirectory(): UseQueryResult<readonly Connection[]> {
  const { parley, may } = useConsole()
  return useQuery({
    queryKey: ['Connection', 'directory'],
    queryFn: async () => readAll(parley.connections.list({ Limit: 200 })),
    enabled: may('connection:read'),
  })
}

/** The keys, for whoever may see them. */
export function useKeyDirectory(): UseQueryResult<readonly ApiKey[]> {
  const { parley, may } = useConsole()
  return useQuery({
    queryKey: ['ApiKey', 'directory'],
    queryFn: async () => readAll(parley.apiKeys.list({ Limit: 200 })),
    enabled: may('org:manage'),
  })
}

async function readAll<Item>(list: ListPromise<Item>): Promise<readonly Item[]> {
  const items: Item[] = []
  for await (const item of list) {
    items.push(item)
    if (items.length === maxItems) break
  }
  return items
}
