import { type Attack, scaled, tally } from '../stage.js'

const toolCount = 20_000
const pageSize = 2000
const agents = 6

export const mcpListing: Attack = {
  name: 'mcp-listing',
  about: 'points agents at an MCP server that lists 20 000 tools',
  async run({ attacker, hostile, connectionId, scale }) {
    hostile.onRequest('/mcp', (response, _, body) => {
      const answer = answerTo(JSON.parse(body || '{}') as RpcRequest)
      if (answer === null) response.writeHead(202).end()
      else response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
    })
    const outcomes = await Promise.all(
      Array.from({ length: scaled(agents, scale) }, async (_, index) => {
        const server = { url: `${hostile.origin}/mcp?listing=${index}` }
        const tools = [{ kind: 'mcp', name: 'many', server }]
        const agent = await attacker.makeAgent(connectionId, { tools })
        const { status } = await attacker.ask(agent.id, 'Hello?')
        const opened = await attacker.openSession(agent.id).then(
          (socket) => {
            socket.terminate()
            return 'opened'
          },
          () => 'not opened',
        )
        return `${status} and ${opened}`
      }),
    )
    return tally(outcomes)
  },
}

interface RpcRequest {
  readonly id?: number
  readonly method?: string
  readonly params?: { readonly cursor?: string }
}

function answerTo({ id, method, params }: RpcRequest): object | null {
  if (id === undefined) return null
  const result = method === 'tools/list' ? listPage(Number(params?.cursor ?? 0)) : introduction
  return { jsonrpc: '2.0', id, result }
}

const introduction = {
  protocolVersion: '2025-03-26',
  capabilities: { tools: {} },
  serverInfo: { name: 'hostile', version: '1' },
}

function listPage(start: number): object {
  const tools = Array.from({ length: pageSize }, (_, index) => ({
    name: `tool_${start + index}`,
    description: 'A tool with a description.',
    inputSchema: { type: 'object', properties: { text: { type: 'string' } } },
  }))
  const next = start + pageSize
  return { tools, ...(next < toolCount && { nextCursor: String(next) }) }
}
