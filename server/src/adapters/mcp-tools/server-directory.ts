import type { Log } from '../../ports/log.js'
import type { Outbound } from '../../ports/outbound.js'
import type { McpServerTarget } from '../../ports/tool-executor.js'
import { type Concealer, concealerOf } from '../tool-output/conceal-secrets.js'
import { connect } from './connection.js'
import type { OpenConnection } from './connection-pool.js'
import { makeHttpLink, makeStdioLink } from './links.js'
import { type StdioServers, secretsOf } from './stdio-server.js'

/** A server that can be connected to. */
export interface ReachableServer {
  readonly outcome: 'found'
  /** Calls of equal keys share a connection. */
  readonly key: string
  readonly open: OpenConnection
  readonly conceal: Concealer
}

type FoundServer = ReachableServer | { readonly outcome: 'not-found'; readonly detail: string }

export interface ServerDirectoryOptions {
  readonly outbound: Outbound
  readonly stdioServers: StdioServers
  readonly log: Log
  readonly version: string
}

/** Finds a server by its address or by its name on the operator's list. */
export function makeServerDirectory(
  options: ServerDirectoryOptions,
): (place: McpServerTarget) => FoundServer {
  const { outbound, stdioServers, log, version } = options

  function named(organizationId: string, name: string): FoundServer {
    const server = Object.hasOwn(stdioServers, name) ? stdioServers[name] : undefined
    if (server === undefined)
      return { outcome: 'not-found', detail: `The operator offers no MCP server named ${name}.` }
    return {
      outcome: 'found',
      key: JSON.stringify(['stdio', organizationId, name]),
      open: (signal) => connect(makeStdioLink(name, server, log), version, signal),
      conceal: concealerOf(secretsOf(server)),
    }
  }

  function addressed({ organizationId, headers }: McpServerTarget, url: string): FoundServer {
    const refusal = outbound.explainRefusal(url)
    if (refusal !== null) return { outcome: 'not-found', detail: refusal }
    return {
      outcome: 'found',
      // With the headers: who may do what is tied to the connection.
      key: JSON.stringify(['http', organizationId, url, Object.entries(headers).sort()]),
      open: (signal) => connect(makeHttpLink(url, headers, outbound), version, signal),
      conceal: concealerOf(Object.values(headers)),
    }
  }

  return (place) => {
    const { organizationId, url, name } = place
    if (name !== null) return named(organizationId, name)
    return url === null
      ? { outcome: 'not-found', detail: 'The MCP server has neither an address nor a name.' }
      : addressed(place, url)
  }
}
