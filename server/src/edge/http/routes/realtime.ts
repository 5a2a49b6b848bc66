import { operations } from '@parley/contract'
import { explainToken } from '../../../domain/realtime/opening/accept-session.js'
import { createRealtimeSession } from '../../../domain/realtime/opening/create-session.js'
import { requireOpenDoor } from '../../ws/open-door.js'
import { claimFrom } from '../../ws/session-claim.js'
import type { App, Services } from '../context.js'
import type { Router } from '../operation-route.js'

export function registerRealtimeRoutes(app: App, { read, write }: Router, services: Services): void {
  const { clock, database, realtimeSettings, realtimeSessions, toolTrials } = services
  // It may have to ask the agent's MCP servers for their tools, which must not hold a transaction.
  read(operations.createRealtimeSession, async ({ caller, params, body }, { agents }) => {
    const agent = await agents.find(caller.organizationId, params.agentId)
    const listings = agent === null ? new Map() : await toolTrials.discoverMcpTools(agent)
    const ticket = await database.transaction((stores) =>
      createRealtimeSession(stores, clock, realtimeSettings, caller, params.agentId, body, listings),
    )
    services.afterChange()
    return ticket
  })
  read(operations.listRealtimeSessions, ({ caller, query }, stores) =>
    realtimeSessions.list(stores, caller, query),
  )
  read(operations.getRealtimeSession, ({ caller, params }, stores) =>
    realtimeSessions.read(stores, caller, params.realtimeSessionId),
  )
  write(operations.endRealtimeSession, ({ caller, params }, stores) =>
    realtimeSessions.end(stores, caller, params.realtimeSessionId),
  )

  // A browser cannot read why a handshake failed. The same address as a plain GET says so, and consumes nothing.
  app.get('/api/v1/Agent/:agentId/realtime', async (request, reply) => {
    reply.headers({
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
      upgrade: 'websocket',
      connection: 'upgrade',
    })
    requireOpenDoor(services.isDraining(), realtimeSettings)
    const claim = claimFrom({ url: request.url })
    throw await explainToken(services, claim ?? { agentId: '', conversationId: '', token: '' })
  })
}
