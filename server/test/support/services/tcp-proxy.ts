import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { closeAfterwards } from '../close-afterwards.js'
import { findFreePort } from './free-port.js'

/** Stands before a service and makes it go away and come back. */
export interface TcpProxy {
  readonly port: number
  /** The same URL, by way of the proxy. */
  rewriteUrl(url: string): string
  /** Resets all connections and refuses new ones, as a stopped service does. */
  cut(): Promise<void>
  /** Accepts connections again, on the same port. */
  restore(): Promise<void>
  close(): Promise<void>
}

export async function startTcpProxy(targetHost: string, targetPort: number): Promise<TcpProxy> {
  const port = await findFreePort()
  const clients = new Set<Socket>()

  const server = createServer((client) => {
    clients.add(client)
    const target = connect(targetPort, targetHost)
    client.pipe(target).pipe(client)
    client
      .on('error', () => {})
      .on('close', () => {
        clients.delete(client)
        target.destroy()
      })
    target.on('error', () => {}).on('close', () => client.destroy())
  })

  const restore = async () => {
    if (server.listening) return
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
  }
  const cut = async () => {
    if (!server.listening) return
    const closed = once(server, 'close')
    server.close()
    for (const client of clients) client.resetAndDestroy()
    await closed
  }

  await restore()
  return {
    port,
    rewriteUrl(url) {
      const rewritten = new URL(url)
      rewritten.hostname = '127.0.0.1'
      rewritten.port = String(port)
      return rewritten.href
    },
    cut,
    restore,
    close: closeAfterwards(cut),
  }
}
