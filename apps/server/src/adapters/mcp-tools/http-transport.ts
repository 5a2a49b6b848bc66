import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import type { Outbound } from '../../ports/outbound.js'
import type { Timers } from '../../ports/time.js'
import { makeGuardedFetch } from '../outbound/guarded-fetch.js'
import type { ServerTransport } from './connection.js'
import { makeRpcFetch } from './rpc-fetch.js'
import type { Truncation } from './truncated-stream.js'

/** The size limit for one response, which includes images encoded as base64. */
const maxMessageBytes = 8 * 1024 * 1024
/** The size limit for one page of a server's tool list. */
const maxListBytes = 2 * 1024 * 1024
/**
 * Each tool takes at least four JSON values. Up to 500 tools are used, and they may be anywhere in the page.
 */
const maxListValues = 150_000

/** Longer than the maximum timeout of a tool. */
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
