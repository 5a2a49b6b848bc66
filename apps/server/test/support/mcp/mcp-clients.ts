import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { Client as GreetingClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as GreetingTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'

export interface ShownTool {
  readonly name: string
  readonly annotations?: Readonly<Record<string, unknown>> | undefined
}

export interface ToolAnswer {
  readonly isError: boolean
  readonly text: string
  readonly structured: Readonly<Record<string, unknown>>
}

/** A client of an official library that is connected to the service. */
export interface McpClient {
  readonly version: string | undefined
  tools(): Promise<readonly ShownTool[]>
  call(name: string, given?: Readonly<Record<string, unknown>>): Promise<ToolAnswer>
  close(): Promise<void>
}

export type Generation = 'greeted' | 'stateless'

export const generations: readonly Generation[] = ['greeted', 'stateless']

const self = { name: 'test', version: '1' }

export function connectMcp(url: string, generation: Generation, bearer: string): Promise<McpClient> {
  const address = new URL('/mcp', url)
  const requestInit = { headers: { authorization: `Bearer ${bearer}` } }
  return generation === 'greeted'
    ? connectGreeted(address, requestInit)
    : connectStateless(address, requestInit)
}

async function connectGreeted(address: URL, requestInit: RequestInit): Promise<McpClient> {
  const client = new GreetingClient(self)
  const transport = new GreetingTransport(address, { requestInit })
  await client.connect(transport)
  return {
    version: transport.protocolVersion,
    tools: async () => (await client.listTools()).tools,
    call: async (name, given = {}) => answerOf(await client.callTool({ name, arguments: { ...given } })),
    close: () => client.close(),
  }
}

async function connectStateless(address: URL, requestInit: RequestInit): Promise<McpClient> {
  const client = new Client(self, { versionNegotiation: { mode: { pin: '2026-07-28' } } })
  await client.connect(new StreamableHTTPClientTransport(address, { requestInit }))
  return {
    version: client.getNegotiatedProtocolVersion(),
    tools: async () => (await client.listTools()).tools,
    call: async (name, given = {}) => answerOf(await client.callTool({ name, arguments: { ...given } })),
    close: () => client.close(),
  }
}

function answerOf(result: object): ToolAnswer {
  const { content, structuredContent, isError } = result as {
    content: { text?: string }[]
    structuredContent?: Record<string, unknown>
    isError?: boolean
  }
  return {
    isError: isError === true,
    text: content.map(({ text = '' }) => text).join('\n'),
    structured: structuredContent ?? {},
  }
}
