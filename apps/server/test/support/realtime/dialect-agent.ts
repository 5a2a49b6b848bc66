import type { Agent, ConnectionKind } from '@parley/contract'
import type { RealtimeTestService } from './realtime-service.js'

/**
 * Creates an agent with a tool, and a connection of this kind to the scripted provider with these fields. Returns the
 * agent's ID.
 */
export async function createDialectAgent(
  { client, provider }: Pick<RealtimeTestService, 'client' | 'provider'>,
  kind: ConnectionKind,
  fields: object = {},
): Promise<string> {
  const connection = await client.call<{ id: string }>('POST', '/api/v1/Connection', {
    body: { name: kind, kind, baseUrl: provider.baseUrl, apiKey: 'secret', ...fields },
  })
  const agent = await client.call<Agent>('POST', '/api/v1/Agent', {
    body: {
      name: kind,
      systemMessage: 'Be brief.',
      connectionId: connection.body.id,
      tools: [{ kind: 'builtin', name: 'clock', builtin: 'current_time' }],
    },
  })
  return agent.body.id
}
