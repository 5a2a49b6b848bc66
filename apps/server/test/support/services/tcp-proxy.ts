import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { closeAfterwards } from '../close-afterwards.js'
import { findFreePort } from './free-port.js'

/** A proxy in front of a service that can disconnect and reconnect it. */
export interface TcpProxy {
  readonly port: number
  /** Returns the same URL through the proxy. */
  rewriteUrl(url: string): string
  /** Resets all connections and rejects new ones, like a stopped service. */
  cut(): Promise<void>
  /** Accepts connections again on the same port. */
  restore(): Promise<void>
  /** Holds back responses of the service. Requests still pass and are counted. */
  holdAnswers(): HeldAnswers
  close(): Promise<void>
}

export interface HeldAnswers {
  /** Returns how often this text was sent since then, on all connections. */
  countAsked(text: string): number
  release(): void
}

export async function startTcpProxy(targetHost: string, targetPort: number): Promise<TcpProxy> {
  const port = await findFreePort()
  const clients = new Set<Socket>()
  const targets = new Set<Socket>()

  const server = createServer((client) => {
    clients.add(client)
    const target = connect(targetPort, targetHost)
    targets.add(target)
    client.pipe(target).pipe(client)
    client
      .on('error', () => {})
      .on('close', () => {
        clients.delete(client)
        targets.delete(target)
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
    holdAnswers() {
      const asked: Buffer[] = []
      const keep = (chunk: Buffer) => void asked.push(chunk)
      const [held, watched] = [[...targets], [...clients]]
      for (const target of held) target.pause()
      for (const client of watched) client.on('data', keep)
      return {
        countAsked: (text) => Buffer.concat(asked).toString('latin1').split(text).length - 1,
        release() {
          for (const target of held) target.resume()
        },
      }
    },
    close: closeAfterwards(cut),
  }
}
