import {
  Client,
  ProtocolError,
  SdkError,
  SdkErrorCode,
  type Transport,
  type VersionNegotiationOptions,
} from '@modelcontextprotocol/client'

/** A connection to an MCP server, ready for requests. */
export interface McpConnection {
  readonly client: Client
  readonly isOpen: boolean
  /** Whether the server assigned a session to the connection. The server may forget it. */
  readonly hasSession: boolean
  /** Resolves when either side has closed the connection. */
  readonly closed: Promise<void>
  close(): Promise<void>
}

/** A transport to a server, not connected yet. */
export interface ServerTransport {
  readonly transport: Transport
  /** Notifies the server that its session has ended, if the protocol supports it. */
  readonly endSession?: () => Promise<void>
}

/** One way to connect, and the errors after which the next way is tried on a new transport. */
interface Attempt {
  readonly versionNegotiation: VersionNegotiationOptions
  readonly fallsBackAfter?: (error: unknown) => boolean
}

/**
 * Servers that support the version request answer it immediately, whereas some older ones never answer it.
 */
const discoveryMilliseconds = 2000

/**
 * Over HTTP, the library first requests the server's versions and falls back to the handshake used before
 * 2026. It treats a missing response as an outage, so the fallback for that case is implemented here.
 */
export const overHttp: readonly Attempt[] = [
  {
    versionNegotiation: { mode: 'auto', probe: { timeoutMs: discoveryMilliseconds } },
    fallsBackAfter: (error) => error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout,
  },
  { versionNegotiation: { mode: 'legacy' } },
]

/**
 * The older handshake comes first, because a process may exit or hang if it does not know the first message.
 */
export const overStdio: readonly Attempt[] = [
  { versionNegotiation: { mode: 'legacy' }, fallsBackAfter: (error) => error instanceof ProtocolError },
  { versionNegotiation: { mode: { pin: '2026-07-28' }, probe: { timeoutMs: discoveryMilliseconds } } },
]

/** On first use, the server's program may have to be downloaded. */
const connectTimeoutMilliseconds = 60_000

export interface Server {
  readonly openTransport: () => ServerTransport
  readonly attempts: readonly Attempt[]
}

export interface ConnectOptions {
  readonly version: string
  readonly signal: AbortSignal
}

/** Connects to a server. If this fails or the signal aborts, the connection is closed completely. */
export async function connect(
  { openTransport, attempts }: Server,
  options: ConnectOptions,
): Promise<McpConnection> {
  let firstError: unknown = null
  for (const { versionNegotiation, fallsBackAfter } of attempts) {
    try {
      return await attempt(openTransport(), versionNegotiation, options)
    } catch (error) {
      firstError ??= error
      if (options.signal.aborted || fallsBackAfter?.(error) !== true) break
    }
  }
  throw firstError
}

async function attempt(
  { transport, endSession }: ServerTransport,
  versionNegotiation: VersionNegotiationOptions,
  { version, signal }: ConnectOptions,
): Promise<McpConnection> {
  const client = new Client(
    { name: 'parley', version },
    // Servers may request user input, but no user can answer during a call of an agent.
    { capabilities: {}, versionNegotiation, inputRequired: { autoFulfill: false } },
  )
  let isOpen = true
  const closed = new Promise<void>((resolve) => {
    client.onclose = () => {
      isOpen = false
      resolve()
    }
  })
  // Errors are ignored here, because an error only fails the request that it belongs to.
  client.onerror = () => undefined
  // The library ignores the signal during the version request.
  const abandon = () => void transport.close().catch(() => undefined)
  signal.addEventListener('abort', abandon, { once: true })
  try {
    signal.throwIfAborted()
    await client.connect(transport, { timeout: connectTimeoutMilliseconds, signal })
  } catch (error) {
    await transport.close().catch(() => undefined)
    throw error
  } finally {
    signal.removeEventListener('abort', abandon)
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
