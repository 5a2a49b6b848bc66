import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { closeAfterwards } from '../close-afterwards.js'

/** Headers of one connection, which a proxy does not forward. */
const ownHeaders = [
  'host',
  'connection',
  'content-length',
  'transfer-encoding',
  'content-encoding',
  'keep-alive',
]

const passed = (headers: Iterable<readonly [string, unknown]>) =>
  Object.fromEntries([...headers].filter(([name]) => !ownHeaders.includes(name))) as Record<string, string>

export interface ProxyHook {
  /** The request before which the action happens, once. */
  readonly before: (request: IncomingMessage) => boolean
  readonly act: () => Promise<unknown>
}

/** Starts a proxy that acts between two requests of a caller. Returns its address. */
export async function startHookedProxy(url: string, { before, act }: ProxyHook): Promise<string> {
  let isDone = false
  const server = createServer(async (incoming, response) => {
    const body = await buffer(incoming)
    if (!isDone && before(incoming)) {
      isDone = true
      await act()
    }
    const answer = await fetch(`${url}${incoming.url}`, {
      method: incoming.method ?? 'GET',
      headers: passed(Object.entries(incoming.headers)),
      ...(body.length > 0 && { body: new Uint8Array(body) }),
    })
    response.writeHead(answer.status, passed(answer.headers)).end(Buffer.from(await answer.arrayBuffer()))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  closeAfterwards(() => {
    server.close()
    server.closeAllConnections()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
