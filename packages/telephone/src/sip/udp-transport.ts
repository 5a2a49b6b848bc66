import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { receiveDatagrams, sendDatagram } from '../datagrams.js'
import type { NetworkAddress } from '../network-address.js'
import type { Transport, TransportListener } from './transport.js'

export interface UdpOptions {
  readonly bindAddress: string
  readonly port: number
  readonly listener: TransportListener
}

const ping = Buffer.from('\r\n\r\n')

/** Opens a socket that is connected to nothing. `localAddress` is the one that peers can reach. */
export async function openUdpTransport(
  { bindAddress, port, listener }: UdpOptions,
  localAddress: string,
): Promise<Transport> {
  const socket = createSocket('udp4')
  await bind(socket, bindAddress, port)
  receiveDatagrams(socket, (message, source) => listener.received(message, source))
  let isClosed = false
  const send = (message: Buffer, target: NetworkAddress) => {
    if (!isClosed) sendDatagram(socket, message, target)
  }
  return {
    protocol: 'UDP',
    isReliable: false,
    local: { address: localAddress, port: socket.address().port },
    send,
    keepAlive: (target) => send(ping, target),
    close: () => {
      isClosed = true
      return new Promise((resolve) => socket.close(() => resolve()))
    },
  }
}

/** Rejects if the port is taken. */
async function bind(socket: Socket, address: string, port: number): Promise<void> {
  try {
    socket.bind({ address, port, exclusive: true })
    await once(socket, 'listening')
  } catch (error) {
    socket.close()
    throw error
  }
}

/** Returns the address of this machine that faces the server. Sends nothing. */
export async function findLocalAddress({ address, port }: NetworkAddress): Promise<string> {
  const socket = createSocket('udp4')
  try {
    socket.connect(port, address)
    await once(socket, 'connect')
    return socket.address().address
  } finally {
    socket.close()
  }
}
