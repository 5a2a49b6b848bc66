import type { Agent } from '@parley/contract'
import { expect } from 'vitest'
import { type ScriptedHttpServer, startScriptedHttpServer } from '../scripted-http-server.js'
import type { PostgresDatabase } from '../services/postgres-database.js'
import { migratedDatabase } from '../start-service.js'
import { makeTestTimers, type TestTimers } from '../test-timers.js'
import { type OpenSession, type RealtimeTestService, startRealtimeService } from './realtime-service.js'
import { type ProviderSession, type ScriptedProvider, startScriptedProvider } from './scripted-provider.js'

export interface MovingSessions {
  /** Its provider is the first one of each session. */
  readonly service: RealtimeTestService
  readonly timers: TestTimers
  readonly postgres: PostgresDatabase
  /** The endpoint of the agent's tool `note`. */
  readonly tools: ScriptedHttpServer
  readonly fallback: ScriptedProvider
  /** The id of the newest agent. */
  readonly agentId: string
  /** Must be called before each test, because the service remembers failures of a connection. */
  renew(): Promise<void>
  /** Opens a session of the newest agent. */
  open(request?: object): Promise<OpenSession>
  /** Ends the provider of a session, and confirms the session at the fallback. */
  move(session: OpenSession, reason?: string): Promise<ProviderSession>
  close(): Promise<void>
}

/** The real service with an agent that has a tool and one fallback. */
export async function startMovingSessions(): Promise<MovingSessions> {
  const timers = makeTestTimers()
  const postgres = await migratedDatabase()
  const service = await startRealtimeService({ timers, env: { DATABASE_URL: postgres.url } })
  const fallback = await startScriptedProvider()
  const tools = await startScriptedHttpServer()
  const fallbackId = await createConnection('Fallback', fallback.baseUrl)
  let agentId = ''

  async function createConnection(name: string, baseUrl: string): Promise<string> {
    const models = { realtime: [`model-${name}`] }
    const body = { name, kind: 'openai-compatible', baseUrl, apiKey: 'k', models }
    return (await service.client.call<{ id: string }>('POST', '/api/v1/Connection', { body })).body.id
  }

  return {
    ...{ service, timers, postgres, tools, fallback },
    get agentId() {
      return agentId
    },
    async renew() {
      for (const provider of [service.provider, fallback]) provider.onUpgrade(() => 'accept')
      const connectionId = await createConnection('Own', service.provider.baseUrl)
      const { body } = await service.client.call<Agent>('POST', '/api/v1/Agent', {
        body: {
          ...{ name: 'Robust', connectionId, realtimeFallbacks: [{ connectionId: fallbackId }] },
          tools: [
            {
              ...{ kind: 'http', name: 'note', description: 'Notes.', parameters: { type: 'object' } },
              request: { method: 'POST', url: `${tools.url}/note` },
            },
          ],
        },
      })
      agentId = body.id
    },
    async open(request = {}) {
      const ticket = await service.createTicket(request, agentId)
      const client = await service.connect(ticket.webSocketPath)
      const provider = await confirmNext(service.provider)
      await client.inbox.takeType('session.updated')
      return { ticket, client, provider }
    },
    async move({ client, provider }, reason = 'closed') {
      die(provider)
      const next = await confirmNext(fallback)
      expect(await client.inbox.takeType('session.provider_changed')).toMatchObject({ data: { reason } })
      return next
    },
    async close() {
      await service.close()
      await postgres.drop()
      await fallback.close()
      await tools.close()
    },
  }
}

/** Takes the configuration of the next connection, and confirms it. */
export async function confirmNext(provider: ScriptedProvider): Promise<ProviderSession> {
  const session = await provider.accept()
  await session.inbox.takeType('session.update')
  session.send({ type: 'session.created' })
  session.send({ type: 'session.updated' })
  return session
}

/** Ends a connection as a provider does that has too much to do. */
export const die = ({ socket }: ProviderSession) => socket.close(1011, 'overloaded')
