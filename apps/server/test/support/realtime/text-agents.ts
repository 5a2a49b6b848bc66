import type { ScriptedChatServer } from '../scripted-chat-server.js'
import type { RunningService } from '../start-service.js'

/** An agent that answers in text through a new connection to the scripted model. */
export async function makeTextAgent(
  { client }: Pick<RunningService, 'client'>,
  { baseUrl }: Pick<ScriptedChatServer, 'baseUrl'>,
  agent: { readonly name: string } & Readonly<Record<string, unknown>>,
): Promise<string> {
  const connection = await client.call<{ id: string }>('POST', '/api/v1/Connection', {
    body: {
      name: `Text for ${agent.name}`,
      kind: 'openai-compatible',
      baseUrl,
      apiKey: 'sk-scripted-text',
      models: { chat: 'a-text-model' },
    },
  })
  if (connection.status !== 201) throw new Error(connection.text)
  const made = await client.call<{ id: string }>('POST', '/api/v1/Agent', {
    body: { connectionId: connection.body.id, ...agent },
  })
  if (made.status !== 201) throw new Error(made.text)
  return made.body.id
}
