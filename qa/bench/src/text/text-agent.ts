import type { Agent, Connection } from '@parley/contract'
import type { Api } from '@parley/stage/service/api'

/** Creates an agent with a text model at this origin. Returns its id. */
export async function makeTextAgent(api: Api, origin: string): Promise<string> {
  const connection = await api.call<Connection>('POST', '/api/v1/Connection', {
    name: 'Bench',
    kind: 'openai-compatible',
    baseUrl: `${origin}/v1`,
    apiKey: 'sk-bench',
    models: { chat: 'wordy' },
  })
  const body = { name: 'Bench', systemMessage: 'You speak.', connectionId: connection.id }
  return (await api.call<Agent>('POST', '/api/v1/Agent', body)).id
}
