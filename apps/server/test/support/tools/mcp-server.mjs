// A real MCP server for the tests: over stdio as the program `node mcp-server.mjs <trace file>`, or over HTTP
// through `startMcpHttpServer`. It writes each request to the trace file.
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { appendFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { setImmediate } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js'

const text = (value) => ({ content: [{ type: 'text', text: String(value) }] })
const never = () => new Promise(() => undefined)

const tools = {
  echo: ({ value }) => text(value),
  process_id: (_given, _extra, id) => text(id),
  environment: () => text(JSON.stringify(process.env)),
  headers: (_given, { requestInfo }) => text(JSON.stringify(requestInfo.headers)),
  fail: () => ({ ...text('It did not work.'), isError: true }),
  refuse: () => {
    throw new Error('This tool is not for you.')
  },
  big: () => text('x'.repeat(100_000)),
  huge: () => text('x'.repeat(9 * 1024 * 1024)),
  empty: () => ({ content: [] }),
  structured: () => ({ content: [], structuredContent: { total: 3 } }),
  parts: () => ({
    content: [
      { type: 'text', text: 'See:' },
      { type: 'image', data: 'AAAA', mimeType: 'image/png' },
      { type: 'audio', data: 'AAA=', mimeType: 'audio/wav' },
      { type: 'resource_link', uri: 'file:///a', name: 'a', mimeType: 'text/csv' },
      { type: 'resource', resource: { uri: 'file:///b', mimeType: 'text/plain', text: 'inside' } },
      { type: 'resource', resource: { uri: 'file:///c', blob: 'AA==' } },
    ],
  }),
  hang: never,
  end: () => process.exit(1),
  later: async (_given, { closeSSEStream }) => {
    closeSSEStream?.()
    await new Promise((resolve) => setTimeout(resolve, 50))
    return text('later')
  },
  launch: () => text(spawn('sleep', ['600'], { stdio: 'ignore' }).pid),
}

const pageSize = 4

function makeServer({ trace, id }) {
  const server = new Server({ name: 'test', version: '1' }, { capabilities: { tools: {} } })
  server.setRequestHandler(ListToolsRequestSchema, ({ params }) => {
    const start = Number(params?.cursor ?? 0)
    trace(`list ${start}`)
    const all = Object.keys(tools).map((name) => ({
      name,
      ...(name === 'echo' ? { description: 'Says it again.' } : {}),
      inputSchema: { type: 'object', properties: { value: { type: 'string' } } },
    }))
    const next = start + pageSize
    return { tools: all.slice(start, next), ...(next < all.length ? { nextCursor: String(next) } : {}) }
  })
  server.setRequestHandler(CallToolRequestSchema, ({ params }, extra) => {
    const { 'parley/idempotencyKey': key, 'parley/endUserId': endUserId } = params._meta ?? {}
    const call = [params.name, key, endUserId].filter(Boolean).join(' ')
    trace(`call ${call}`)
    extra.signal.addEventListener('abort', () => trace(`cancelled ${call}`))
    return tools[params.name](params.arguments, extra, id)
  })
  return server
}

/** Keeps every event, so that a client can resume a stream. */
function makeEventStore() {
  const events = []
  return {
    async storeEvent(streamId, message) {
      events.push({ streamId, message })
      return String(events.length - 1)
    },
    async replayEventsAfter(lastEventId, { send }) {
      const { streamId } = events[Number(lastEventId)]
      for (const [id, event] of events.entries()) {
        if (id > Number(lastEventId) && event.streamId === streamId) await send(String(id), event.message)
      }
      return streamId
    },
  }
}

/** Listens on the port (0 for any) and reports this id as its process id. */
export async function startMcpHttpServer({ traceFile, port, mode, id }) {
  const { StreamableHTTPServerTransport } = await import('@modelcontextprotocol/sdk/server/streamableHttp.js')
  const sessions = new Map()
  let isKilled = false
  const trace = (line) => isKilled || appendFileSync(traceFile, `${line}\n`)

  async function makeSession() {
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      enableJsonResponse: mode === 'json',
      ...(mode === 'resumable' ? { eventStore: makeEventStore(), retryInterval: 20 } : {}),
      onsessioninitialized: (sessionId) => {
        trace(`session ${sessionId}`)
        sessions.set(sessionId, transport)
      },
      onsessionclosed: () => trace('session closed'),
    })
    await makeServer({ trace, id }).connect(transport)
    return transport
  }

  const server = createServer(async (request, response) => {
    if (!request.url.startsWith('/mcp')) return void response.end()
    trace(`${request.method} ${request.headers['last-event-id'] === undefined ? '' : 'resumed'}`.trim())
    response.on('close', () => response.writableEnded || trace('aborted'))
    const sessionId = request.headers['mcp-session-id']
    const transport = sessionId === undefined ? await makeSession() : sessions.get(sessionId)
    if (transport === undefined) response.writeHead(404).end('unknown session')
    else await transport.handleRequest(request, response)
  }).listen(port, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: server.address().port,
    forgetSessions: () => sessions.clear(),
    /** Aborts all connections, as the end of a process does. */
    async kill() {
      if (isKilled) return
      isKilled = true
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
      // Clients observe the closed connections before this resolves.
      await setImmediate()
    },
  }
}

async function serveStdio(traceFile) {
  process.stdout.write('This line is not a protocol message\n')
  process.stderr.write('started with the key operator-secret-1\n')
  const trace = (line) => appendFileSync(traceFile, `${line}\n`)
  await makeServer({ trace, id: process.pid }).connect(new StdioServerTransport())
  // The protocol requires the server to exit at the end of its input.
  if (process.env.STUBBORN !== 'yes') process.stdin.on('end', () => process.exit(0))
  else setInterval(() => undefined, 1000)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await serveStdio(process.argv[2])
