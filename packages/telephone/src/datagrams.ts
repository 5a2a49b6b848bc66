import type { Socket } from 'node:dgram'
import { contain } from './contain.js'
import type { NetworkAddress } from './network-address.js'

/** Passes on received datagrams. Drops those from port 0: Linux delivers them, but nothing can be sent to that port. */
export function receiveDatagrams(
  socket: Socket,
  received: (bytes: Buffer, from: NetworkAddress) => void,
): void {
  // Errors of single datagrams, for example a port that is closed. Transactions and audio time out.
  socket.on('error', () => {})
  socket.on('message', (bytes, { address, port }) => {
    if (port !== 0) contain(() => received(bytes, { address, port }))
  })
}

/** `send` throws for an invalid port and for a closed socket, instead of calling back. */
export function sendDatagram(socket: Socket, bytes: Buffer, { address, port }: NetworkAddress): void {
  contain(() => socket.send(bytes, port, address, () => {}))
}
