import type { AgentRevision, AgentRevisionSummary, Page } from '@parley/sdk'
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { useConsole } from '../../../data/console-context'

const maxRevisions = 100

/** The revisions of an agent, newest first. */
export function useRevisions(agentId: string): UseQueryResult<Page<AgentRevisionSummary>> {
  const { parley } = useConsole()
  return useQuery({
    queryKey: ['Agent', agentId, 'revisions'],
    queryFn: async () => parley.agentRevisions.list(agentId, { Limit: maxRevisions }),
  })
}

/** An immutable snapshot of the agent after a change. Null disables the query. */
export function useRevision(agentId: string, number: number | null): UseQueryResult<AgentRevision> {
  const { parley } = useConsole()
  return useQuery({
    queryKey: ['AgentRevision', agentId, number],
    queryFn: async () => parley.agentRevisions.get(agentId, number ?? 0),
    enabled: number !== null,
    staleTime: Number.POSITIVE_INFINITY,
  })
}

export function actorLabel(actor: AgentRevisionSummary['actor']): string {
  if (actor === null) return 'unknown user'
  const name = actor.name ?? actor.id ?? 'unknown'
  switch (actor.type) {
    case 'person':
    case 'agent':
      return name
    case 'api_key':
      return `API key ${name}`
    case 'operator':
      return 'operator'
    case 'system':
      return 'service'
    case 'session':
      return 'session'
  }
}
