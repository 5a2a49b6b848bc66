import { type Deadline, startDeadline } from '../../concurrency/deadline.js'
import type { Log } from '../../ports/log.js'
import type { Outbound } from '../../ports/outbound.js'
import type { Timers } from '../../ports/time.js'
import type { McpToolExecutor, ToolInvocation, ToolOutcome } from '../../ports/tool-executor.js'
import { aborted, failed, finishOutcome, notInTime, unanswered } from '../secret-redaction/outcomes.js'
import type { McpConnection } from './connection.js'
import { ConnectionPool, type PoolLimits } from './connection-pool.js'
import { listTools } from './list-tools.js'
import { sendRequest } from './send-request.js'
import { makeServerDirectory, type ReachableServer } from './server-directory.js'
import type { StdioServers } from './stdio-server.js'
import { outcomeOfResult } from './tool-result.js'

export interface McpToolExecutorOptions extends Partial<PoolLimits> {
  readonly outbound: Outbound
  readonly timers: Timers
  readonly stdioServers: StdioServers
  readonly log: Log
  /** The version of Parley, which is sent to servers. */
  readonly version: string
}

const listTimeoutMilliseconds = 60_000

const makeTimeoutReason = () => new Error('The request timed out.')

/** Calls MCP servers over shared connections. */
export function makeMcpToolExecutor(options: McpToolExecutorOptions): McpToolExecutor {
  const { outbound, timers, log, maxConnections = 64, idleMilliseconds = 5 * 60 * 1000 } = options
  const pool = new ConnectionPool(timers, { maxConnections, idleMilliseconds })
  const findServer = makeServerDirectory(options)

  async function callTool(
    server: ReachableServer,
    toolName: string,
    invocation: ToolInvocation,
    deadline: Deadline,
  ): Promise<ToolOutcome> {
    const params = {
      name: toolName,
      arguments: invocation.arguments,
      _meta: {
        'parley/idempotencyKey': invocation.idempotencyKey,
        ...(invocation.endUserId !== null && { 'parley/endUserId': invocation.endUserId }),
      },
    }
    const timeout = backstop(invocation.timeoutMilliseconds)
    // The library also sends arguments as headers if the schema requires it (`x-mcp-header`).
    const inputSchema = { ...invocation.parameters, type: 'object' as const }
    const called = await sendRequest(
      { pool, outbound, server, deadline },
      async (connection: McpConnection) => {
        invocation.onSent()
        const toolDefinition = { name: toolName, inputSchema }
        return connection.client.callTool(params, { signal: deadline.signal, timeout, toolDefinition })
      },
    )
    if (called.ok) return outcomeOfResult(called.result)
    const outcome = unanswered(called.detail, called.kind === 'unknown')
    return called.isUnauthorized ? { ...outcome, isUnauthorized: true } : outcome
  }

  return {
    async list(target, signal) {
      const found = await findServer(target)
      if (!found.ok) return found
      const { server } = found
      const deadline = startDeadline({
        milliseconds: listTimeoutMilliseconds,
        makeTimeoutReason,
        signals: [signal],
      })
      const { conceal } = server
      try {
        const request = { signal: deadline.signal, timeout: backstop(listTimeoutMilliseconds), conceal }
        const listed = await sendRequest(
          { pool, outbound, server, deadline, isRepeatable: true },
          ({ client }) => listTools(client, request),
        )
        if (listed.ok) return { ok: true, tools: listed.result }
        const refused = listed.isUnauthorized && { isUnauthorized: true as const }
        return { ok: false, detail: conceal(listed.detail), ...refused }
      } catch (error) {
        if (!deadline.signal.aborted)
          log.error({ err: error }, 'the tools of an MCP server could not be listed')
        return { ok: false, detail: 'The MCP server did not answer in time.' }
      } finally {
        deadline.release()
      }
    },

    async run(target, toolName, given) {
      let isSent = false
      const onSent = () => {
        isSent = true
        given.onSent()
      }
      const invocation = { ...given, onSent }
      const found = await findServer(target)
      if (!found.ok) return failed(found.detail)
      const { server } = found
      const { timeoutMilliseconds, signal } = invocation
      const deadline = startDeadline({
        milliseconds: timeoutMilliseconds,
        makeTimeoutReason,
        signals: [signal],
      })
      try {
        return finishOutcome(await callTool(server, toolName, invocation, deadline), server.conceal)
      } catch (error) {
        if (signal.aborted) return aborted
        if (deadline.signal.aborted) return notInTime(timeoutMilliseconds, isSent)
        log.error({ err: error, toolName }, 'a call of an MCP tool failed with an unexpected error')
        return unanswered('The tool could not be called.', isSent)
      } finally {
        deadline.release()
      }
    },

    close: () => pool.close(),
  }
}

/** The client library requires a timeout, but ours expires first. */
function backstop(milliseconds: number): number {
  return Math.min(milliseconds + 5000, 2 ** 31 - 1)
}
