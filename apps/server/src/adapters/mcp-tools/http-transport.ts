import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import type { Outbound } from '../../ports/outbound.js'
import type { Timers } from '../../ports/time.js'
import { makeGuardedFetch } from '../outbound/guarded-fetch.js'
import type { ServerTransport } from './connection.js'
import { makeRpcFetch } from './rpc-fetch.js'
import type { Truncation } from './truncated-stream.js'

/** The limit of one response. Pictures are contained in it as text. */
const maxMessageBytes = 8 * 1024 * 1024
/** The limit of one page of a server's tools. */
const maxListBytes = 2 * 1024 * 1024
/** A tool has at least four values. Up to 500 tools are used, from anywhere in the page. */
const maxListValues = 150_000

/** Longer than any tool may take. */
const requestTimeoutMilliseconds = 11 * 60 * 1000

const endSessionMilliseconds = 2000

export interface HttpTransportOptions {
  readonly outbound: Outbound
  readonly timers: Timers
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
}

/** The Streamable HTTP transport. All requests go through the outbound guard. */
export function makeHttpTransport({ outbound, timers, url, headers }: HttpTransportOptions): ServerTransport {
  const timeoutMilliseconds = requestTimeoutMilliseconds
  const guardedFetch = makeGuardedFetch(outbound, { timeoutMilliseconds, maxResponseBytes: maxMessageBytes })
  const fetchList = makeGuardedFetch(outbound, {
    timeoutMilliseconds,
    maxResponseBytes: maxListBytes,
    maxValues: maxListValues,
  })
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    requestInit: { headers: { ...headers } },
    fetch: makeRpcFetch({
      fetch: guardedFetch,
      fetchList,
      timeoutMilliseconds,
      explain: (error) => explainTruncation(error, outbound),
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
    async endSession() {
      await timers.within(endSessionMilliseconds, transport.terminateSession())
    },
  }
}

function explainTruncation(error: unknown, outbound: Outbound): Truncation {
  if (!outbound.isFailure(error))
    return { detail: 'The connection to the MCP server was lost.', isFinal: false }
  return { detail: error.detail, isFinal: error.reason !== 'connection-failed' }
}
