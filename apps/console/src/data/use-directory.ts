import type { Agent, ApiKey, Connection, ListPromise, PhoneConnection, PhoneNumber } from '@parley/sdk'
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { useConsole } from './console-context'

/** The number loaded for selection fields. Lists can find the rest. */
const maxItems = 1000

/** All agents, for selection fields and links. */
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

/** Returns a function that says whether the text model of a connection is the built-in one. Null is the default connection. */
export function useBuiltInText(): (connectionId: string | null) => boolean {
  const connections = useConnectionDirectory().data ?? []
  return (connectionId) => {
    const chosen = connections.find(({ id, isDefault }) =>
      connectionId === null ? isDefault : id === connectionId,
    )
    return chosen?.kind === 'embedded' && chosen.chatConnectionId === null
  }
}

export function usePhoneConnectionDirectory(): UseQueryResult<readonly PhoneConnection[]> {
  const { parley, may } = useConsole()
  return useQuery({
    queryKey: ['PhoneConnection', 'directory'],
    queryFn: async () => readAll(parley.phoneConnections.list({ Limit: 200 })),
    enabled: may('phone:read'),
  })
}

export function usePhoneNumberDirectory(): UseQueryResult<readonly PhoneNumber[]> {
  const { parley, may } = useConsole()
  return useQuery({
    queryKey: ['PhoneNumber', 'directory'],
    queryFn: async () => readAll(parley.phoneNumbers.list({ Limit: 200 })),
    enabled: may('phone:read'),
  })
}

/** The API keys, if the user may see them. */
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
