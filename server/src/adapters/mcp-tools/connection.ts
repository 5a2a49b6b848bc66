import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'

/** A connection to an MCP server that has greeted us. */
export interface McpConnection {
  readonly client: Client
  readonly isOpen: boolean
  /** Whether the server has given the connection a session, which it may forget. */
  readonly hasSession: boolean
  /** Resolves when it is closed, by whomever. */
  readonly closed: Promise<void>
  close(): Promise<void>
}

/** A way to a server that nobody has connected over yet. */
export interface ServerTransport {
  readonly transport: Transport
  /** Tells the server that its session is over, where there is a way to. */
  readonly endSession?: () => Promise<void>
}

/** A first start may have to fetch the server's program. */
const connectTimeoutMilliseconds = 60_000

/** Greets a server. Where that fails, or the signal fires, nothing is left of the connection. */
export async function connect(
  { transport, endSession }: ServerTransport,
  version: string,
  signal: AbortSignal,
): Promise<McpConnection> {
  const client = new Client({ name: 'parley', version }, { capabilities: {} })
  let isOpen = true
  const closed = new Promise<void>((resolve) => {
    client.onclose = () => {
      isOpen = false
      resolve()
    }
  })
  // What goes wrong fails the request that it concerns, and nothing else.
  client.onerror = () => undefined
  try {
    await client.connect(transport, { timeout: connectTimeoutMilliseconds, signal })
  } catch (error) {
    await transport.close().catch(() => undefined)
    throw error
  }
  return {
    client,
    closed,
    get isOpen() {
      return isOpen
    },
    get hasSession() {
      return transport.sessionId !== undefined
    },
    async close() {
      if (isOpen) await endSession?.().catch(() => undefined)
      await transport.close().catch(() => undefined)
    },
  }
}
