import type { Agent } from '@parley/contract'
import type { RealtimeTestService } from '../realtime-service.js'
import type { ProviderSession } from '../scripted-provider.js'
import { GeminiServer, type GeminiSessions, newGeminiSessions } from './gemini-server.js'

/** Plays Gemini on a socket. Its messages come in binary frames, as the real ones may. */
export function serveGemini(
  { socket, inbox }: ProviderSession,
  sessions: GeminiSessions = newGeminiSessions(),
): GeminiServer {
  const server = new GeminiServer(
    {
      send: (message) => socket.send(Buffer.from(JSON.stringify(message)), { binary: true }),
      close: (code, reason) => socket.close(code, reason),
    },
    sessions,
  )
  const receive = (data: Buffer) => server.receive(JSON.parse(data.toString()))
  for (const { data } of inbox.all) receive(data)
  socket.on('message', receive)
  socket.on('close', () => server.lose())
  return server
}

/** Creates an agent with a connection of kind `google` to the scripted provider. Returns the agent's ID. */
export async function createGeminiAgent(
  { client, provider }: Pick<RealtimeTestService, 'client' | 'provider'>,
  {
    realtime,
    connection: fields = {},
    ...agent
  }: {
    readonly realtime?: readonly string[]
    readonly connection?: object
    readonly [field: string]: unknown
  } = {},
): Promise<string> {
  const connection = await client.call<{ id: string }>('POST', '/api/v1/Connection', {
    body: {
      ...{ name: 'Gemini', kind: 'google', baseUrl: provider.baseUrl, apiKey: 'gemini-secret' },
      models: { realtime: realtime ?? null },
      ...fields,
    },
  })
  const { body } = await client.call<Agent>('POST', '/api/v1/Agent', {
    body: {
      ...{ name: 'Gemini', systemMessage: 'Be brief.', connectionId: connection.body.id },
      tools: [{ kind: 'builtin', name: 'clock', builtin: 'current_time' }],
      ...agent,
    },
  })
  return body.id
}

/** Opens a session whose provider is played by a strict Gemini. */
export async function openGemini(
  service: RealtimeTestService,
  agentId: string,
  {
    request = {},
    sessions = newGeminiSessions(),
  }: { readonly request?: object; readonly sessions?: GeminiSessions } = {},
) {
  const ticket = await service.createTicket(request, agentId)
  const connecting = service.connect(ticket.webSocketPath)
  const provider = await service.provider.accept()
  const gemini = serveGemini(provider, sessions)
  return { ticket, client: await connecting, provider, gemini, sessions }
}
