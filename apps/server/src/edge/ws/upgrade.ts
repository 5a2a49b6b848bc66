import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import type { EndReason } from '@parley/contract'
import type { FrameSocket } from '@parley/relay-socket'
import { WebSocketServer } from 'ws'
import { DomainError } from '../../domain/domain-error.js'
import {
  type AcceptDependencies,
  type AcceptedSession,
  acceptSession,
} from '../../domain/realtime/opening/accept-session.js'
import type { RealtimeSettings } from '../../domain/realtime/opening/create-session.js'
import type { RunningSessions } from '../../domain/realtime/session/running-sessions.js'
import type { Log } from '../../ports/log.js'
import type { RealtimeProvider } from '../../ports/realtime-provider.js'
import { clientNetwork } from '../http/request/client-address.js'
import { presentedTicketOf, requireOpenToSessions } from '../http/request/presented-ticket.js'
import { addressCaller, type CountedRequest, count } from '../http/request/rate-limit.js'
import { requestIdOf } from '../http/request/raw-request.js'
import { isWebSocketRequest } from '../http/request/websocket-request.js'
import type { Services } from '../http/services.js'
import { serveAsLastRequest } from './other-upgrades.js'
import { isProperHandshake } from './proper-handshake.js'
import { refuseHandshake } from './refuse-handshake.js'

export interface UpgradeDependencies
  extends AcceptDependencies,
    Pick<Services, 'rateLimiter' | 'metrics' | 'clientAddress'> {
  readonly settings: RealtimeSettings
  readonly sessions: RunningSessions
  readonly provider: RealtimeProvider
  readonly log: Log
  readonly maxMessageBytes: number
  readonly isDraining: () => boolean
  /** Serves requests that offer another protocol. */
  readonly server: Server
  /** Wraps the client's socket for the domain. */
  readonly sockets: ClientSockets
}

/** The WebSocket class that accepts connections, and the wrapper of its sockets. */
export interface ClientSockets {
  readonly webSocketClass: typeof import('ws').WebSocket
  readonly wrap: (socket: import('ws').WebSocket, connection: Duplex) => FrameSocket
}

const otherProtocol =
  'This service upgrades connections to `websocket` only. Send the request without the `Upgrade` header.'

export type UpgradeHandler = (request: IncomingMessage, socket: Duplex, head: Buffer) => void

/** Handles the handshake as a sequence of guards. After the last guard, the session starts. */
export function makeUpgradeHandler(dependencies: UpgradeDependencies): UpgradeHandler {
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    // The wrapped socket answers pings, up to a limit.
    autoPong: false,
    maxPayload: dependencies.maxMessageBytes,
    handleProtocols: chooseProtocol,
    WebSocket: dependencies.sockets.webSocketClass,
  })

  async function guard(request: IncomingMessage): Promise<AcceptedSession> {
    if (!isWebSocketRequest(request)) throw new DomainError('InvalidRequest', otherProtocol)
    const ticket = presentedTicketOf(request)
    if (ticket === null) throw new DomainError('NotFound', 'There is no WebSocket endpoint at this path.')
    if (!isProperHandshake(request))
      throw new DomainError('InvalidRequest', 'This is not a valid WebSocket handshake.')
    requireOpenToSessions(dependencies.isDraining(), dependencies.settings)
    const network = clientNetwork(dependencies.clientAddress(request))
    return acceptSession(dependencies, { ...ticket, network })
  }

  return (request, socket, head) => {
    if (!isWebSocketRequest(request) && serveAsLastRequest(dependencies.server, request, socket)) return
    // No other handler catches errors of the socket until the handshake is complete.
    const onError = () => socket.destroy()
    socket.on('error', onError)
    const handshake = handle(request, socket, head, onError).catch((error) => {
      socket.destroy()
      dependencies.log.error({ err: error, requestId: requestIdOf(request) }, 'WebSocket handshake failed')
    })
    dependencies.sessions.expect(handshake)
  }

  async function handle(
    request: IncomingMessage,
    socket: Duplex,
    head: Buffer,
    onError: () => void,
  ): Promise<void> {
    let headers: CountedRequest['headers'] = {}
    let accepted: AcceptedSession
    try {
      const counted = await count(dependencies, addressCaller(dependencies.clientAddress(request)))
      headers = counted.headers
      if (counted.refusal) throw counted.refusal
      accepted = await guard(request)
    } catch (error) {
      return refuseHandshake(socket, error, {
        requestId: requestIdOf(request),
        headers,
        log: dependencies.log,
      })
    }
    socket.removeListener('error', onError)
    accept(accepted, request, socket, head)
  }

  function accept(accepted: AcceptedSession, request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const { organizationId } = accepted.session
    const { realtimeSessions } = dependencies.database.ownedBy({ organizationId, kind: 'call' }).stores
    const endUnstarted = (reason: EndReason) =>
      void realtimeSessions
        .end(accepted.session.id, reason, dependencies.clock.now().toISOString())
        .catch(() => undefined)
    const onGone = () => endUnstarted('client_lost')
    if (socket.destroyed) return onGone()
    socket.once('close', onGone)
    try {
      server.handleUpgrade(request, socket, head, (webSocket) => {
        dependencies.sessions.start({
          ...accepted,
          client: dependencies.sockets.wrap(webSocket, socket),
          clientAddress: dependencies.clientAddress(request),
          isCall: false,
          connect: dependencies.provider.connect,
        })
        socket.removeListener('close', onGone)
      })
    } catch (error) {
      // The token is consumed but no session runs. The session is therefore closed. Otherwise, it would count
      // as running until this process ends.
      socket.removeListener('close', onGone)
      endUnstarted('internal')
      throw error
    }
  }
}

/**
 * Selects `realtime` if it is offered. Other protocols that clients of the provider offer contain keys, so
 * they are never echoed.
 */
function chooseProtocol(offered: ReadonlySet<string>): string | false {
  return offered.has('realtime') ? 'realtime' : false
}
