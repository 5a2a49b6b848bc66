import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { closeAfterwards } from '../../../apps/server/test/support/close-afterwards.js'

/**
 * A proxy with common errors: it buffers responses, does not forward WebSockets, and does not change the
 * caller's `X-Forwarded-For`.
 */
export async function startFaultyProxy(target: string): Promise<string> {
  const server = createServer((incoming, response) => {
    pass(target, incoming, response).catch(() => response.destroy())
  })
  server.on('upgrade', (_request, socket) => {
    socket.on('error', () => undefined)
    socket.end(
      'HTTP/1.1 400 Bad Request\r\nContent-Type: text/html\r\nConnection: close\r\n\r\n<h1>No 🚫</h1>',
    )
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  closeAfterwards(async () => {
    const closed = once(server, 'close')
    server.close()
    server.closeAllConnections()
    await closed
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function pass(target: string, incoming: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method, url = '/', headers } = incoming
  const outgoing = request(new URL(url, target), {
    method,
    headers: { 'x-forwarded-for': '127.0.0.1', ...headers },
  })
  response.once('close', () => outgoing.destroy())
  incoming.pipe(outgoing)
  const [answer] = (await once(outgoing, 'response')) as [IncomingMessage]
  const body = await buffer(answer)
  response.writeHead(answer.statusCode ?? 502, { ...answer.headers, 'content-length': body.length })
  response.end(body)
}
