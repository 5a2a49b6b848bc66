import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

export interface TcpPair {
  /** The socket that the server accepted. */
  readonly accepted: Socket
  /** The socket of the client. */
  readonly peer: Socket
}

/** Opens a loopback connection and returns both ends. */
export async function connectTcp(): Promise<TcpPair> {
  const server = createServer({ noDelay: true }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const peer = connect({ port: (server.address() as AddressInfo).port, host: '127.0.0.1', noDelay: true })
  const [accepted] = (await once(server, 'connection')) as [Socket]
  server.close()
  for (const socket of [accepted, peer]) {
    socket.on('error', () => undefined)
    onTestFinished(() => void socket.destroy())
  }
  return { accepted, peer }
}
