import { once } from 'node:events'
import { connect as connectPlain, isIP, type Socket } from 'node:net'
import { connect as connectSecure } from 'node:tls'
import type { buildConnector } from 'undici'
import { startDeadline } from '../../concurrency/deadline.js'
import type { AddressGuard } from './address-guard.js'
import { OutboundError } from './outbound-error.js'
import { pinnedLookup } from './pinned-lookup.js'
import { bareHostname } from './url-parts.js'

export interface GuardedConnectorOptions {
  readonly guard: AddressGuard
  readonly connectTimeoutMilliseconds: number
  readonly certificateAuthorities: string | undefined
  /** Ends pending connection attempts, because undici only tracks established connections. */
  readonly closing: AbortSignal
}

/** Opens undici's sockets, to checked addresses only. */
export function makeGuardedConnector(options: GuardedConnectorOptions): buildConnector.connector {
  async function open(host: string, port: number, secure: boolean): Promise<Socket> {
    const deadline = startDeadline({
      milliseconds: options.connectTimeoutMilliseconds,
      makeTimeoutReason: () =>
        new OutboundError('timed-out', `The host ${host} did not accept a connection in time.`),
      signals: [options.closing],
    })
    try {
      const addresses = await deadline.race(options.guard(host, port))
      const hostname = bareHostname(host)
      const target = { host: hostname, port, lookup: pinnedLookup(addresses), autoSelectFamily: true }
      const socket = secure ? connectSecure({ ...target, ...tlsOptions(hostname) }) : connectPlain(target)
      // undici listens for errors only while it owns the socket. An error before or after that must not crash
      // the process.
      socket.on('error', () => undefined)
      deadline.signal.addEventListener('abort', () => socket.destroy(), { once: true })
      await deadline.race(once(socket, secure ? 'secureConnect' : 'connect'))
      return socket.setNoDelay(true).setKeepAlive(true, 60_000)
    } finally {
      deadline.release()
    }
  }

  /** The certificate is checked against the name, or against the address if the URL contains no name. */
  function tlsOptions(hostname: string) {
    const ca = options.certificateAuthorities
    return {
      servername: isIP(hostname) === 0 ? hostname : '',
      ALPNProtocols: ['http/1.1'],
      ...(ca === undefined ? {} : { ca }),
    }
  }

  return ({ hostname, port, protocol }, callback) => {
    const secure = protocol === 'https:'
    open(hostname, Number(port) || (secure ? 443 : 80), secure).then(
      (socket) => callback(null, socket),
      (error: unknown) => callback(error instanceof Error ? error : new Error(String(error)), null),
    )
  }
}
