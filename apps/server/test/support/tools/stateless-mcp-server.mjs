// An MCP server of protocol version 2026, built with the official library: over HTTP through
// `startStatelessMcpServer`, or over stdio as the program `node stateless-mcp-server.mjs`. By default it
// rejects the older `initialize` handshake.
import { once } from 'node:events'
import { createServer } from 'node:http'
import { fileURLToPath } from 'node:url'
import { toNodeHandler } from '@modelcontextprotocol/node'
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { z } from 'zod'

const text = (value) => ({ content: [{ type: 'text', text: String(value) }] })

export function makeShopServer() {
  const server = new McpServer({ name: 'shop', version: '1' })
  const region = z.string().meta({ 'x-mcp-header': 'Region' })
  const tools = {
    find: [{ readOnlyHint: true }, z.object({ value: z.string() }), ({ value }) => text(`found ${value}`)],
    add: [{ readOnlyHint: false, destructiveHint: false }, z.object({}), () => text('added')],
    remove: [{ destructiveHint: true }, z.object({}), () => text('removed')],
    route: [undefined, z.object({ region }), ({ region: named }) => text(`to ${named}`)],
    fail: [undefined, z.object({}), () => ({ ...text('It did not work.'), isError: true })],
    hang: [undefined, z.object({}), () => new Promise(() => undefined)],
  }
  for (const [name, [annotations, inputSchema, run]] of Object.entries(tools))
    server.registerTool(name, { description: `Does ${name}.`, inputSchema, annotations }, run)
  return server
}

/**
 * `legacy` selects the behavior for clients that send `initialize`: `reject` or `stateless`. `methods`
 * receives the method of every request.
 */
export async function startStatelessMcpServer({ legacy = 'reject', methods = [] } = {}) {
  const handle = toNodeHandler(createMcpHandler(makeShopServer, { legacy }))
  const server = createServer((request, response) => {
    methods.push(String(request.headers['mcp-method'] ?? request.method))
    response.on('close', () => response.writableEnded || methods.push('aborted'))
    return handle(request, response)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${server.address().port}/mcp`,
    async close() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) serveStdio(makeShopServer, { legacy: 'reject' })
