import { createHash, randomBytes } from 'node:crypto'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import type { Duplex } from 'node:stream'

/** A connection after the handshake, and the first bytes of frames on it. */
export interface OpenConnection {
  readonly connection: Duplex
  readonly head: Buffer
}

/** Defined in RFC 6455, section 1.3. */
const protocolId = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11'

/** Opens a WebSocket connection without a library. */
export function openConnection(url: string, certificate?: string): Promise<OpenConnection> {
  const request = url.startsWith('wss:') ? httpsRequest : httpRequest
  return new Promise((resolve, reject) => {
    const asking = request(url.replace(/^ws/, 'http'), {
      agent: false,
      headers: {
        Connection: 'Upgrade',
        Upgrade: 'websocket',
        'Sec-WebSocket-Version': '13',
        'Sec-WebSocket-Key': randomBytes(16).toString('base64'),
      },
      ...(certificate !== undefined && { ca: certificate }),
    })
    asking.once('upgrade', (_response, connection, head) => resolve({ connection, head }))
    asking.once('response', ({ statusCode }) =>
      reject(new Error(`A session was rejected with ${statusCode}.`)),
    )
    asking.once('error', reject)
    asking.end()
  })
}

/** Accepts a handshake on the server side. */
export function acceptConnection({ headers }: IncomingMessage, connection: Duplex): void {
  const accept = createHash('sha1').update(`${headers['sec-websocket-key']}${protocolId}`).digest('base64')
  connection.write(
    `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
  )
}
