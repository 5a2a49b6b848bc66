import { once } from 'node:events'
import { connect as connectPlain, isIP, type Socket } from 'node:net'
import { connect as connectSecure } from 'node:tls'
import type { buildConnector } from 'undici'
import type { AddressGuard } from './address-guard.js'
import { startDeadline } from './deadline.js'
import { OutboundError } from './outbound-error.js'
import { pinnedLookup } from './pinned-lookup.js'
import { bareHostname } from './url-parts.js'

export interface GuardedConnectorOptions {
  readonly guard: AddressGuard
  readonly connectTimeoutMilliseconds: number
  readonly certificateAuthorities: string | undefined
  /** Ends connections under way when it fires. */
  readonly closing: AbortSignal
}

export interface GuardedConnector {
  readonly connect: buildConnector.connector
  /** Destroys every socket that was opened here. */
  destroySockets(): Promise<void>
}

/**
 * Opens undici's sockets to checked addresses only. It keeps its own list of them: a pool that undici is about to
 * drop is out of reach of Agent.destroy, and so is a socket that is still connecting.
 */
export function makeGuardedConnector(options: GuardedConnectorOptions): GuardedConnector {
  const sockets = new Set<Socket>()

  async function open(host: string, port: number, secure: boolean): Promise<Socket> {
    const deadline = startDeadline(
      options.connectTimeoutMilliseconds,
      () => new OutboundError('timed-out', `The host ${host} did not accept a connection in time.`),
      [options.closing],
    )
    try {
      const addresses = await deadline.race(options.guard(host, port))
      deadline.signal.throwIfAborted()
      const hostname = bareHostname(host)
      const target = { host: hostname, port, lookup: pinnedLookup(addresses), autoSelectFamily: true }
      const socket = secure ? connectSecure({ ...target, ...tlsOptions(hostname) }) : connectPlain(target)
      track(socket)
      deadline.signal.addEventListener('abort', () => socket.destroy(), { once: true })
      await deadline.race(once(socket, secure ? 'secureConnect' : 'connect'))
      return socket.setNoDelay(true).setKeepAlive(true, 60_000)
    } finally {
      deadline.release()
    }
  }

  /** The certificate is checked against the name, or against the address where the URL has no name. */
  function tlsOptions(hostname: string) {
    const ca = options.certificateAuthorities
    return {
      servername: isIP(hostname) === 0 ? hostname : '',
      ALPNProtocols: ['http/1.1'],
      ...(ca === undefined ? {} : { ca }),
    }
  }

  function track(socket: Socket): void {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    // undici listens from the moment it gets the socket; an error before or after its time must not end the process.
    socket.on('error', () => undefined)
  }

  return {
    connect({ hostname, port, protocol }, callback) {
      const secure = protocol === 'https:'
      open(hostname, Number(port) || (secure ? 443 : 80), secure).then(
        (socket) => callback(null, socket),
        (error: unknown) => callback(error instanceof Error ? error : new Error(String(error)), null),
      )
    },
    async destroySockets() {
      const closed = [...sockets].map((socket) => once(socket, 'close'))
      for (const socket of sockets) socket.destroy()
      await Promise.allSettled(closed)
    },
  }
}
