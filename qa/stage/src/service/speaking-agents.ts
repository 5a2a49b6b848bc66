import type { Agent, Connection, RealtimeSessionTicket } from '@parley/contract'
import type { Api } from './api.js'

/** Makes one agent for each realtime model, all on one connection to this provider. */
export async function makeSpeakingAgents<Model extends string>(
  api: Api,
  providerUrl: string,
  models: readonly Model[],
): Promise<Record<Model, string>> {
  const connection = await api.call<Connection>('POST', '/api/v1/Connection', {
    name: 'Bench',
    kind: 'openai-compatible',
    baseUrl: providerUrl,
    apiKey: 'sk-bench',
    models: { realtime: models },
  })
  const agents = await Promise.all(
    models.map(async (realtimeModel) => {
      const body = {
        name: realtimeModel,
        systemMessage: 'You speak.',
        connectionId: connection.id,
        realtimeModel,
      }
      const agent = await api.call<Agent>('POST', '/api/v1/Agent', body)
      return [realtimeModel, agent.id] as const
    }),
  )
  return Object.fromEntries(agents) as Record<Model, string>
}

/** Creates a session. The address of its socket is `url` plus the ticket's path. */
export function createTicket(api: Api, agentId: string): Promise<RealtimeSessionTicket> {
  return api.call('POST', `/api/v1/Agent/${agentId}/realtime-session`, {})
}
