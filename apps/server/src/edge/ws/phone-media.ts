import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { parseUrl } from '@parley/contract'
import { type WebSocket, WebSocketServer } from 'ws'
import { DomainError } from '../../domain/domain-error.js'
import type { RunningCall } from '../../domain/telephone/running-call.js'
import type { RunningCalls } from '../../domain/telephone/running-calls.js'
import type { Log } from '../../ports/log.js'
import { type AuthenticHandshake, CarrierAdmission } from '../http/request/carrier-request.js'
import { requestIdOf } from '../http/request/raw-request.js'
import { isWebSocketRequest } from '../http/request/websocket-request.js'
import type { Services } from '../http/services.js'
import { isProperHandshake } from './proper-handshake.js'
import { refuseHandshake } from './refuse-handshake.js'
import type { ClientSockets, UpgradeHandler } from './upgrade.js'

export interface PhoneMediaDependencies
  extends Pick<
    Services,
    'database' | 'carriers' | 'publicUrl' | 'rateLimiter' | 'metrics' | 'clientAddress' | 'clock'
  > {
  readonly calls: RunningCalls
  readonly log: Log
  readonly sockets: ClientSockets
}

/** A handshake that the service accepts. */
interface AcceptedHandshake extends AuthenticHandshake {
  readonly id: string
  /** The call that the handshake has started, or null if the first message names one. */
  readonly started: RunningCall | null
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
  const { calls, log, sockets } = dependencies
  const admission = new CarrierAdmission(dependencies)
  const subprotocols = new WeakMap<IncomingMessage, string>()
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    autoPong: false,
    maxPayload: maxMessageBytes,
    WebSocket: sockets.webSocketClass,
    handleProtocols(offered, request) {
      const [first = false] = offered
      const required = subprotocols.get(request)
      if (required === undefined) return first
      return offered.has(required) ? required : false
    },
  })

  async function admit(request: IncomingMessage, id: string): Promise<AcceptedHandshake> {
    await admission.count(request, id)
    if (!isProperHandshake(request))
      throw new DomainError('InvalidRequest', 'This is not a valid WebSocket handshake.')
    const handshake = await admission.requireHandshake(request, id)
    const { connection, media } = handshake
    if (media.subprotocol !== null) subprotocols.set(request, media.subprotocol)
    if (!media.readIncomingCall) return { ...handshake, id, started: null }
    const call = media.readIncomingCall(handshake.request)
    if (call === null)
      throw new DomainError('InvalidRequest', 'The query must name the called number as `to`.')
    return { ...handshake, id, started: await calls.ring(connection, call) }
  }

  async function connect(
    request: IncomingMessage,
    socket: Duplex,
    webSocket: WebSocket,
    accepted: AcceptedHandshake,
  ) {
    const { connection, media, started, id } = accepted
    const leg = media.legOf(sockets.wrap(webSocket, socket), accepted.request, (callId) =>
      calls.hangUp(connection, callId),
    )
    try {
      if (started !== null) return await calls.connect(started, leg)
      const isAdmitted = await calls.attach(connection, leg)
      // The token proves the origin of sockets whose handshake does not.
      if (isAdmitted && !media.isProvenByHandshake) await admission.noteProof(request, id)
    } catch (error) {
      leg.refuse()
      log.error({ err: error }, 'a media socket could not be attached')
    }
  }

  return (request, socket, head) => {
    const id = isWebSocketRequest(request) ? connectionIdOf(request) : null
    if (id === null) return otherwise(request, socket, head)
    // No other handler catches errors of the socket until the handshake is complete.
    const onError = () => socket.destroy()
    socket.on('error', onError)
    admit(request, id).then(
      (accepted) => {
        socket.removeListener('error', onError)
        if (socket.destroyed) return accepted.started?.end({ reason: 'hung_up', detail: null })
        server.handleUpgrade(request, socket, head, (webSocket) => {
          void connect(request, socket, webSocket, accepted)
        })
      },
      (error) =>
        refuseHandshake(socket as Duplex, error, { requestId: requestIdOf(request), headers: {}, log }),
    )
  }
}
