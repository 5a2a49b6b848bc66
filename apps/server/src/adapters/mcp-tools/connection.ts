import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { Timers } from '../../ports/timers.js'
import { NegotiatingTransport, type Opening } from './negotiating-transport.js'

/** A connection to an MCP server that has greeted us. */
export interface McpConnection {
  readonly client: Client
  readonly isOpen: boolean
  /** Whether the server has given the connection a session, which it may forget. */
  readonly hasSession: boolean
  /** Resolves when it is closed, by whomever. */
  readonly closed: Promise<void>
  /** Headers that a call is to carry besides, under its idempotency key; null where there are no headers. */
  readonly callHeaders: CallHeaders | null
  close(): Promise<void>
}

export type CallHeaders = Map<string, Readonly<Record<string, string>>>

/** A way to a server that nobody has connected over yet. */
export interface ServerTransport {
  readonly transport: Transport
  readonly opening: Opening
  readonly callHeaders: CallHeaders | null
  /** Tells the server that its session is over, where there is a way to. */
  readonly endSession?: () => Promise<void>
}

/** A first start may have to fetch the server's program. */
const connectTimeoutMilliseconds = 60_000

export interface ConnectOptions {
  readonly timers: Timers
  readonly version: string
  readonly signal: AbortSignal
}

/** Opens a conversation with a server. Where that fails, or the signal fires, nothing is left of the connection. */
export async function connect(
  { transport: inner, opening, callHeaders, endSession }: ServerTransport,
  { timers, version, signal }: ConnectOptions,
): Promise<McpConnection> {
  const self = { name: 'parley', version }
  const transport = new NegotiatingTransport(inner, { timers, client: self, opening })
  const client = new Client(self, { capabilities: {} })
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
    callHeaders,
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
