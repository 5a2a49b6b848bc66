import type { Agent } from '@parley/sdk'
import { useQuery } from '@tanstack/react-query'
import { useConsole } from '../../data/console-context'

/** Whether the agent uses the built-in voice. */
export function useBuiltIn({ connectionId }: Agent): boolean {
  const { parley, may } = useConsole()
  const connection = useQuery({
    queryKey: ['Connection', 'of-agent', connectionId],
    queryFn: async () => {
      if (connectionId !== null) return parley.connections.get(connectionId)
      for await (const each of parley.connections.list({ Limit: 200 })) if (each.isDefault) return each
      return null
    },
    enabled: may('connection:read'),
  })
  return connection.data?.kind === 'embedded'
}
