import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { parseUrl } from '@parley/contract'
import { WebSocketServer } from 'ws'
import { DomainError } from '../../domain/domain-error.js'
import type { RunningCalls } from '../../domain/telephone/running-calls.js'
import type { Log } from '../../ports/log.js'
import { type AuthenticCarrierRequest, requireCarrier } from '../http/request/carrier-request.js'
import { addressCaller, count } from '../http/request/rate-limit.js'
import { requestIdOf } from '../http/request/raw-request.js'
import { isWebSocketRequest } from '../http/request/websocket-request.js'
import type { Services } from '../http/services.js'
import { isProperHandshake } from './proper-handshake.js'
import { refuseHandshake } from './refuse-handshake.js'
import type { ClientSockets, UpgradeHandler } from './upgrade.js'

export interface PhoneMediaDependencies
  extends Pick<
    Services,
    'database' | 'carriers' | 'publicUrl' | 'rateLimiter' | 'metrics' | 'clientAddress'
  > {
  readonly calls: RunningCalls
  readonly log: Log
  readonly sockets: ClientSockets
}

const path = /^\/phone\/([^/]+)\/media$/
const maxMessageBytes = 64 * 1024

/** Returns the id of the phone connection in the path, or null for another path. */
function connectionIdOf(request: IncomingMessage): string | null {
  const url = parseUrl(request.url ?? '', 'http://service')
  return (url && path.exec(url.pathname)?.[1]) ?? null
}

/** Accepts the media sockets of telephone providers. Other handshakes go to `otherwise`. */
export function makePhoneMediaHandler(
  dependencies: PhoneMediaDependencies,
  otherwise: UpgradeHandler,
): UpgradeHandler {
  const { calls, carriers, log, sockets } = dependencies
  const server = new WebSocketServer({
    ...{ noServer: true, clientTracking: false, perMessageDeflate: false, autoPong: false },
    ...{ maxPayload: maxMessageBytes, WebSocket: sockets.webSocketClass },
  })

  async function admit(request: IncomingMessage, id: string): Promise<AuthenticCarrierRequest> {
    const counted = await count(dependencies, addressCaller(dependencies.clientAddress(request)))
    if (counted.refusal) throw counted.refusal
    if (!isProperHandshake(request))
      throw new DomainError('InvalidRequest', 'This is not a valid WebSocket handshake.')
    return requireCarrier(dependencies, request, { phoneConnectionId: id, body: null })
  }

  return (request, socket, head) => {
    const id = isWebSocketRequest(request) ? connectionIdOf(request) : null
    if (id === null) return otherwise(request, socket, head)
    // No other handler catches errors of the socket until the handshake is complete.
    const onError = () => socket.destroy()
    socket.on('error', onError)
    admit(request, id).then(
      ({ connection, carrier }) => {
        socket.removeListener('error', onError)
        if (socket.destroyed) return
        server.handleUpgrade(request, socket, head, (webSocket) => {
          const leg = carriers.legOf(carrier, sockets.wrap(webSocket, socket))
          calls.attach(connection, leg).catch((error) => {
            leg.refuse()
            log.error({ err: error }, 'a media socket could not be attached')
          })
        })
      },
      (error) =>
        refuseHandshake(socket as Duplex, error, { requestId: requestIdOf(request), headers: {}, log }),
    )
  }
}
