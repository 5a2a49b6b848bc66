import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { closeAfterwards } from '../close-afterwards.js'

export interface ModelAddress {
  /** For the baseUrl of a connection. */
  readonly baseUrl: string
  close(): Promise<void>
}

/**
 * One address for a provider with both channels: requests go to the text model, and handshakes to the
 * realtime model.
 */
export async function joinModels(
  text: { readonly baseUrl: string },
  realtime: { readonly baseUrl: string },
): Promise<ModelAddress> {
  const open = new Set<Socket>()
  const server = createServer((socket) => {
    open.add(socket.on('error', () => undefined).on('close', () => open.delete(socket)))
    socket.once('data', (first) => {
      const { port } = new URL((first.toString('latin1').startsWith('POST') ? text : realtime).baseUrl)
      const behind = connect(Number(port), '127.0.0.1').on('error', () => socket.destroy())
      behind.write(first)
      socket.pipe(behind).pipe(socket)
      socket.on('close', () => behind.destroy())
      behind.on('close', () => socket.destroy())
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    close: closeAfterwards(async () => {
      const closed = once(server, 'close')
      server.close()
      for (const socket of open) socket.destroy()
      await closed
    }),
  }
}
