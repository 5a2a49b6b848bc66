import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { LATEST_PROTOCOL_VERSION } from '@modelcontextprotocol/sdk/types.js'
import { closeAfterwards } from '../close-afterwards.js'

interface Request {
  readonly id?: number
  readonly method: string
  readonly params?: { readonly cursor?: string }
}

/** Starts an MCP server that only lists tools, with pages from the test. */
export async function startListingServer(pageAt: (cursor: number) => object) {
  let pages = 0

  function resultOf({ method, params }: Request): object {
    if (method === 'initialize')
      return {
        protocolVersion: LATEST_PROTOCOL_VERSION,
        capabilities: { tools: {} },
        serverInfo: { name: 'listing', version: '1' },
      }
    pages += 1
    return pageAt(Number(params?.cursor ?? 0))
  }

  const server = createServer(async (request, response) => {
    if (request.method !== 'POST') return void response.writeHead(405).end()
    const message = (await json(request)) as Request
    if (message.method === 'server/discover') return void response.writeHead(400).end()
    if (message.id === undefined) return void response.writeHead(202).end()
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ jsonrpc: '2.0', id: message.id, result: resultOf(message) }))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  closeAfterwards(() => {
    server.closeAllConnections()
    server.close()
  })
  return { port: (server.address() as AddressInfo).port, pagesRead: () => pages }
}
