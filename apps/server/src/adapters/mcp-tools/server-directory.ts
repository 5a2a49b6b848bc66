import type { Log } from '../../ports/log.js'
import type { Outbound } from '../../ports/outbound.js'
import type { Timers } from '../../ports/time.js'
import type { McpServerTarget } from '../../ports/tool-executor.js'
import { type Concealer, concealerInSlices, concealerOf } from '../secret-redaction/conceal-secrets.js'
import { connect, overHttp, overStdio } from './connection.js'
import type { OpenConnection } from './connection-pool.js'
import { makeHttpTransport } from './http-transport.js'
import { makeStdioTransport, type StdioServers, secretsOf } from './stdio-server.js'

/** The connection parameters of a server. */
export interface ReachableServer {
  /** Calls with equal keys share a connection. */
  readonly key: string
  readonly open: OpenConnection
  readonly conceal: Concealer
}

export type FoundServer =
  | { readonly ok: true; readonly server: ReachableServer }
  | { readonly ok: false; readonly detail: string }

export interface ServerDirectoryOptions {
  readonly outbound: Outbound
  readonly timers: Timers
  readonly stdioServers: StdioServers
  readonly log: Log
  readonly version: string
}

/** Finds a server by its address or by its name on the operator's list. */
export function makeServerDirectory(
  options: ServerDirectoryOptions,
): (target: McpServerTarget) => Promise<FoundServer> {
  const { outbound, timers, stdioServers, log, version } = options

  function named(organizationId: string, name: string): FoundServer {
    const server = Object.hasOwn(stdioServers, name) ? stdioServers[name] : undefined
    if (server === undefined)
      return { ok: false, detail: `The operator has not configured an MCP server named ${name}.` }
    return {
      ok: true,
      server: {
        key: JSON.stringify(['stdio', organizationId, name]),
        open: (signal) => {
          const openTransport = () => makeStdioTransport({ timers, log, name, server })
          return connect({ openTransport, attempts: overStdio }, { version, signal })
        },
        conceal: concealerOf(secretsOf(server)),
      },
    }
  }

  async function addressed({ organizationId, headers }: McpServerTarget, url: string): Promise<FoundServer> {
    const refusal = outbound.explainRefusal(url)
    if (refusal !== null) return { ok: false, detail: refusal }
    return {
      ok: true,
      server: {
        // The headers are part of the key, because permissions are tied to the connection.
        key: JSON.stringify(['http', organizationId, url, Object.entries(headers).sort()]),
        open: (signal) => {
          const openTransport = () => makeHttpTransport({ outbound, timers, url, headers })
          return connect({ openTransport, attempts: overHttp }, { version, signal })
        },
        conceal: await concealerInSlices(Object.values(headers)),
      },
    }
  }

  return async (target) => {
    const { organizationId, url, name } = target
    if (name !== null) return named(organizationId, name)
    return url === null
      ? { ok: false, detail: 'The MCP server has neither an address nor a name.' }
      : addressed(target, url)
  }
}
