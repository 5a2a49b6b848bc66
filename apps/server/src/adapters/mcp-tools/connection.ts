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
  /** Whether the server gave the connection a session. The server may forget it. */
  readonly hasSession: boolean
  /** Resolves when either side has closed it. */
  readonly closed: Promise<void>
  close(): Promise<void>
}

/** A way to a server, not connected yet. */
export interface ServerTransport {
  readonly transport: Transport
  /** Tells the server that its session is over, if the protocol has a way to. */
  readonly endSession?: () => Promise<void>
}

/** One way to connect, and the error after which the next one is tried on a new transport. */
interface Attempt {
  readonly versionNegotiation: VersionNegotiationOptions
  readonly goesOnAfter?: (error: unknown) => boolean
}

/** A server that knows the question answers it at once. Some older ones never answer it. */
const discoveryMilliseconds = 2000

/**
 * Over HTTP the library first asks for the versions that the server speaks, and falls back to the greeting of before 2026. It
 * takes silence for an outage, so the greeting is then tried here.
 */
export const overHttp: readonly Attempt[] = [
  {
    versionNegotiation: { mode: 'auto', probe: { timeoutMs: discoveryMilliseconds } },
    goesOnAfter: (error) => error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout,
  },
  { versionNegotiation: { mode: 'legacy' } },
]

/** A process may end or never answer if the first message is unknown to it, so the greeting comes first. */
export const overStdio: readonly Attempt[] = [
  { versionNegotiation: { mode: 'legacy' }, goesOnAfter: (error) => error instanceof ProtocolError },
  { versionNegotiation: { mode: { pin: '2026-07-28' }, probe: { timeoutMs: discoveryMilliseconds } } },
]

/** A first start may have to fetch the server's program. */
const connectTimeoutMilliseconds = 60_000

export interface Server {
  readonly openTransport: () => ServerTransport
  readonly attempts: readonly Attempt[]
}

export interface ConnectOptions {
  readonly version: string
  readonly signal: AbortSignal
}

/** Connects to a server. If that fails, or the signal fires, nothing is left of the connection. */
export async function connect(
  { openTransport, attempts }: Server,
  options: ConnectOptions,
): Promise<McpConnection> {
  let firstError: unknown = null
  for (const { versionNegotiation, goesOnAfter } of attempts) {
    try {
      return await attempt(openTransport(), versionNegotiation, options)
    } catch (error) {
      firstError ??= error
      if (options.signal.aborted || goesOnAfter?.(error) !== true) break
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
    // An agent has no person whom it could ask for the input that a server wants.
    { capabilities: {}, versionNegotiation, inputRequired: { autoFulfill: false } },
  )
  let isOpen = true
  const closed = new Promise<void>((resolve) => {
    client.onclose = () => {
      isOpen = false
      resolve()
    }
  })
  // An error fails the request that it concerns, and nothing else.
  client.onerror = () => undefined
  // The library does not watch the signal while it asks for the versions.
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
