import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Log } from '../../ports/log.js'
import type { Outbound } from '../../ports/outbound.js'
import { startDeadline } from '../outbound/deadline.js'
import { makeGuardedFetch } from '../outbound/guarded-fetch.js'
import { concealerOf } from '../tool-output/conceal-secrets.js'
import type { Link } from './connection.js'
import { makeLineReader } from './line-reader.js'
import { makeRpcFetch } from './rpc-fetch.js'
import { type StdioServer, secretsOf } from './stdio-server.js'
import { StdioTransport } from './stdio-transport.js'
import type { BrokenOff } from './watch-body.js'

/** For one answer: pictures come as text inside of it. */
const maxMessageBytes = 8 * 1024 * 1024

/** Longer than any tool may take. */
const requestTimeoutMilliseconds = 11 * 60 * 1000

const graceMilliseconds = 2000

/** Streamable HTTP, every request of it through the guarded door. */
export function makeHttpLink(
  url: string,
  headers: Readonly<Record<string, string>>,
  outbound: Outbound,
): Link {
  const guardedFetch = makeGuardedFetch(outbound, {
    timeoutMilliseconds: requestTimeoutMilliseconds,
    maxResponseBytes: maxMessageBytes,
  })
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    requestInit: { headers: { ...headers } },
    fetch: makeRpcFetch({
      fetch: guardedFetch,
      timeoutMilliseconds: requestTimeoutMilliseconds,
      explain: (error) => explainBreak(error, outbound),
      onResumeFailed: () => void transport.close(),
    }),
    reconnectionOptions: {
      initialReconnectionDelay: 500,
      maxReconnectionDelay: 500,
      reconnectionDelayGrowFactor: 1,
      maxRetries: 1,
    },
  })
  return {
    transport,
    async takeLeave() {
      const deadline = startDeadline(graceMilliseconds, () => new Error('The server takes no leave.'), [])
      await deadline.race(transport.terminateSession()).finally(() => deadline.release())
    },
  }
}

function explainBreak(error: unknown, outbound: Outbound): BrokenOff {
  if (!outbound.isFailure(error))
    return { detail: 'The connection to the MCP server was lost.', isFinal: false }
  return { detail: error.detail, isFinal: error.reason !== 'connection-failed' }
}

/** A process of the operator's choice. */
export function makeStdioLink(name: string, server: StdioServer, log: Log): Link {
  const conceal = concealerOf(secretsOf(server))
  const onStderr = makeLineReader((line) =>
    log.debug({ mcpServer: name, line: conceal(line) }, 'an MCP server wrote to its log'),
  )
  return { transport: new StdioTransport({ ...server, maxMessageBytes, graceMilliseconds, onStderr }) }
}
