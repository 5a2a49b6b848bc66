import { operations } from '@parley/contract'
import { explainToken } from '../../../domain/realtime/opening/accept-session.js'
import { createRealtimeSession } from '../../../domain/realtime/opening/create-session.js'
import { accessModeOf, requireAccessMode } from '../../../domain/realtime/opening/realtime-model.js'
import { readStatistics } from '../../../domain/realtime/statistics/session-statistics.js'
import type { McpToolListings } from '../../../domain/tools/catalog/tool-catalog.js'
import type { Router } from '../operation-route.js'
import { clientNetwork, isForwarded } from '../request/client-address.js'
import { presentedTicketOf, requireNotDraining, requireOpenToSessions } from '../request/presented-ticket.js'
import type { App, Services } from '../services.js'

const noTicket = { agentId: '', conversationId: '', token: '' }

export function registerRealtimeRoutes(app: App, { read, write, act }: Router, services: Services): void {
  const { clock, database, limits, realtimeSettings, realtimeSessions, toolTrials, tracing } = services
  act(
    operations.createRealtimeSession,
    async ({ params: { agentId }, body }, { caller }) => {
      const owner = { organizationId: caller.organizationId, kind: 'call' } as const
      const create = (listings: McpToolListings | null) =>
        database.runFairly(owner, () =>
          database.transaction((stores) =>
            createRealtimeSession(
              { clock, limits, settings: realtimeSettings, tracing },
              { stores, caller },
              { agentId, request: body, listings },
            ),
          ),
        )
      const created = await create(null)
      if (created.ok) return created.ticket
      const again = await create(await toolTrials.discoverMcpTools(created.agent))
      if (!again.ok) throw new Error('A session with listed tools requested the list again.')
      return again.ticket
    },
    (caller) => {
      requireNotDraining(services.isDraining())
      requireAccessMode(realtimeSettings, accessModeOf(caller))
    },
  )
  read(operations.listRealtimeSessions, ({ query }, scope) => realtimeSessions.list(scope, query))
  read(operations.getRealtimeSessionStatistics, ({ query }, scope) => readStatistics({ clock }, scope, query))
  read(operations.getRealtimeSession, ({ params }, scope) =>
    realtimeSessions.read(scope, params.realtimeSessionId),
  )
  read(operations.getRealtimeSessionTimeline, ({ params }, scope) =>
    realtimeSessions.timeline(scope, params.realtimeSessionId),
  )
  write(operations.endRealtimeSession, ({ params }, scope) =>
    realtimeSessions.end(scope, params.realtimeSessionId),
  )

  // Browsers cannot read why a handshake failed. A plain GET of the same URL explains it without consuming
  // the token.
  app.get('/api/v1/Agent/:agentId/realtime', async (request, reply) => {
    reply.headers({ 'access-control-allow-origin': '*', 'cross-origin-resource-policy': 'cross-origin' })
    // These headers are only for this connection, but nginx forwards them, even over HTTP/2, where they make
    // a response invalid.
    if (!isForwarded(request)) reply.headers({ upgrade: 'websocket', connection: 'upgrade' })
    requireOpenToSessions(services.isDraining(), realtimeSettings)
    const ticket = presentedTicketOf({ url: request.url })
    throw await explainToken(
      { clock, database, limits, chainKeys: services.chainKeys, settings: realtimeSettings },
      { ...(ticket ?? noTicket), network: clientNetwork(services.clientAddress(request.raw)) },
    )
  })
}
