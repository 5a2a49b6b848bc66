import type { RealtimeSessionTicket } from '@parley/contract'
import type { ClientOptions } from 'ws'
import { type RunningService, startService, type TestServiceOptions } from '../start-service.js'
import { openSocket, type RealtimeClient } from './open-socket.js'
import { type ProviderSession, type ScriptedProvider, startScriptedProvider } from './scripted-provider.js'

export type { RealtimeClient } from './open-socket.js'

export interface OpenSession {
  readonly ticket: RealtimeSessionTicket
  readonly client: RealtimeClient
  readonly provider: ProviderSession
}

export interface RealtimeTestService extends RunningService {
  readonly provider: ScriptedProvider
  /** An agent whose connection leads to the scripted provider. */
  readonly agentId: string
  /** Creates a session and expects a ticket. */
  createTicket(request?: object, agentId?: string): Promise<RealtimeSessionTicket>
  /** Opens the socket of a ticket. */
  connect(path: string, protocols?: string[], options?: ClientOptions): Promise<RealtimeClient>
  /** A session whose two ends the test controls. The provider has not read a frame yet. */
  openUnconfigured(request?: object, agentId?: string): Promise<OpenSession>
  /** A configured session whose two ends the test controls. */
  openSession(request?: object): Promise<OpenSession>
}

export const agentTools = [
  {
    kind: 'http',
    name: 'find_booking',
    description: 'Finds a booking.',
    parameters: { type: 'object', properties: { number: { type: 'string' } } },
    request: { method: 'GET', url: 'https://booking.example.com/{number}' },
  },
]

/** The real service with a scripted provider behind its default connection. */
export async function startRealtimeService(options: TestServiceOptions = {}): Promise<RealtimeTestService> {
  const provider = await startScriptedProvider()
  const running = await startService({
    ...options,
    env: { PARLEY_ALLOWED_PRIVATE_HOSTS: '127.0.0.1', ...options.env },
  })
  const connection = await running.client.call<{ id: string }>('POST', '/api/v1/Connection', {
    body: {
      name: 'Scripted',
      kind: 'openai-compatible',
      baseUrl: provider.baseUrl,
      apiKey: 'sk-scripted-secret',
    },
  })
  const agent = await running.client.call<{ id: string }>('POST', '/api/v1/Agent', {
    body: {
      name: 'Speaker',
      systemMessage: 'You speak.',
      connectionId: connection.body.id,
      tools: agentTools,
    },
  })
  const agentId = agent.body.id

  async function createTicket(request: object = {}, id = agentId): Promise<RealtimeSessionTicket> {
    const path = `/api/v1/Agent/${id}/realtime-session`
    const answer = await running.client.call<RealtimeSessionTicket>('POST', path, { body: request })
    if (answer.status !== 201) throw new Error(answer.text)
    return answer.body
  }

  const connect = (path: string, protocols?: string[], clientOptions?: ClientOptions) =>
    openSocket(running.url, path, protocols, clientOptions)

  async function openUnconfigured(request: object = {}, id = agentId): Promise<OpenSession> {
    const ticket = await createTicket(request, id)
    const client = await connect(ticket.webSocketPath)
    return { ticket, client, provider: await provider.accept() }
  }

  return {
    ...running,
    provider,
    agentId,
    createTicket,
    connect,
    openUnconfigured,
    async openSession(request = {}) {
      const session = await openUnconfigured(request)
      await session.provider.inbox.takeType('session.update')
      return session
    },
    async close() {
      await running.close()
      await provider.close()
    },
  }
}
