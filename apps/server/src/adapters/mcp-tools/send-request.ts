import type { Deadline } from '../../concurrency/deadline.js'
import type { Outbound } from '../../ports/outbound.js'
import { type CallFailure, codeOf, isUnauthorized, judgeFailure, NotSentError } from './call-failure.js'
import type { McpConnection } from './connection.js'
import type { ConnectionPool, Lease } from './connection-pool.js'
import type { ReachableServer } from './server-directory.js'

export interface RequestContext {
  readonly pool: ConnectionPool
  readonly outbound: Outbound
  readonly server: ReachableServer
  /** The deadline, which covers connecting and both attempts. */
  readonly deadline: Deadline
  /** Whether the request can safely be repeated. */
  readonly isRepeatable?: boolean
}

export type RequestOutcome<Result> =
  | { readonly ok: true; readonly result: Result }
  | ({ readonly ok: false } & CallFailure)

/**
 * Sends a request over a shared connection. Sends it once more over a new connection if the server has not
 * accepted it, because its process has ended, its address refuses connections, or it has forgotten the
 * session. A request that the server may have executed is not repeated. Throws only when the deadline
 * expires.
 */
export async function sendRequest<Result>(
  context: RequestContext,
  send: (connection: McpConnection) => Promise<Result>,
): Promise<RequestOutcome<Result>> {
  const first = await attempt(context, send)
  const isSentAgain =
    !first.ok &&
    first.isConnected &&
    (first.kind === 'not-taken' || (first.kind === 'unknown' && context.isRepeatable === true))
  return isSentAgain ? attempt(context, send) : first
}

/** `isConnected` means that an existing connection was used, so a new one may succeed. */
type Attempt<Result> = RequestOutcome<Result> & { readonly isConnected: boolean }

async function attempt<Result>(
  context: RequestContext,
  send: (connection: McpConnection) => Promise<Result>,
): Promise<Attempt<Result>> {
  const { pool, server, deadline } = context
  deadline.signal.throwIfAborted()
  let lease: Lease
  try {
    lease = await pool.lease(server.key, server.open, deadline)
  } catch (error) {
    deadline.signal.throwIfAborted()
    const detail = explainNoConnection(error, context)
    const refused = isUnauthorized(error) && { isUnauthorized: true as const }
    return { ok: false, isConnected: false, kind: 'not-taken', detail, ...refused }
  }
  const { connection } = lease
  try {
    if (!connection.isOpen) throw new NotSentError('The connection to the MCP server was lost.')
    return { ok: true, isConnected: true, result: await deadline.race(send(connection)) }
  } catch (error) {
    deadline.signal.throwIfAborted()
    const call = { isConnectionOpen: connection.isOpen, hasSession: connection.hasSession }
    const failure = judgeFailure(error, call, context.outbound)
    if (failure.kind !== 'answered') lease.discard()
    return { ok: false, isConnected: true, ...failure }
  } finally {
    lease.release()
  }
}

function explainNoConnection(error: unknown, { outbound }: RequestContext): string {
  const code = codeOf(error)
  // The error of a process that could not be started.
  if (code !== null) return `The MCP server could not be started (${code}).`
  const call = { isConnectionOpen: true, hasSession: false }
  return `Cannot connect to the MCP server. ${judgeFailure(error, call, outbound).detail}`
}
