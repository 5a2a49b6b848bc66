import { makeArgumentChecker } from '../adapters/argument-check/argument-checker.js'
import { makeHttpToolExecutor } from '../adapters/http-tools/http-tool-executor.js'
import type { McpToolExecutorOptions } from '../adapters/mcp-tools/mcp-tool-executor.js'
import { systemTimers } from '../adapters/system/timers.js'
import type { Config } from '../config/config.js'
import type { McpTokens } from '../domain/mcp-authorizations/mcp-tokens.js'
import type { Tasks } from '../domain/tasks/tasks.js'
import { UnattendedCalls } from '../domain/tools/approvals/unattended-calls.js'
import { WaitingApprovals } from '../domain/tools/approvals/waiting-approvals.js'
import {
  measureSubAgentRunner,
  measureToolRunner,
  traceSubAgentRunner,
  traceToolRunner,
} from '../domain/tools/calls/observed-calls.js'
import { makeRepetitionCheck, type ToolCallsDependencies } from '../domain/tools/calls/tool-calls.js'
import { makeMcpDiscovery } from '../domain/tools/catalog/mcp-discovery.js'
import { makeToolRunner } from '../domain/tools/running/run-tool.js'
import { makeSubAgentRunner } from '../domain/tools/sub-agents/run-sub-agent.js'
import type { ToolTrialDependencies } from '../domain/tools/try-tool.js'
import type { ChatModels } from '../ports/chat-model.js'
import type { Database } from '../ports/database.js'
import type { Log } from '../ports/log.js'
import type { WorkMetrics } from '../ports/metrics.js'
import type { Outbound } from '../ports/outbound.js'
import type { Cipher } from '../ports/secrets.js'
import type { Clock, Timers } from '../ports/time.js'
import type { McpToolExecutor } from '../ports/tool-executor.js'
import type { Tracing } from '../ports/tracing.js'
import { version } from '../version.js'

export interface ComposeToolsOptions {
  readonly config: Config
  readonly database: Database
  readonly clock: Clock
  readonly timers: Timers
  readonly log: Log
  readonly cipher: Cipher
  readonly outbound: Outbound
  readonly tasks: Tasks
  readonly mcpTokens: McpTokens
  readonly instanceId: string
  readonly models: ChatModels
  readonly tracing: Tracing
  readonly workMetrics: WorkMetrics
}

export interface ComposedTools {
  /** The dependencies of every session's calls. */
  readonly calls: ToolCallsDependencies
  readonly trials: ToolTrialDependencies
  readonly unattended: UnattendedCalls
  /** Closes every connection to tools. */
  close(): Promise<void>
}

/** Composes tools: their runners, approvals, and calls of sub-agents. */
export function composeTools(options: ComposeToolsOptions): ComposedTools {
  const { config, database, clock, timers, log, cipher, outbound, tasks, mcpTokens, tracing } = options
  const httpTools = makeHttpToolExecutor(outbound, tracing)
  const mcpTools = loadMcpTools({ outbound, timers, stdioServers: config.mcpServers, log, version })
  // Uses the machine's timers, because the limit bounds real processor time and test clocks must not affect
  // it.
  const argumentChecker = makeArgumentChecker(systemTimers)
  const waitingApprovals = new WaitingApprovals(options)
  const discoverMcpTools = makeMcpDiscovery({ database, clock, cipher, log, mcpTools, mcpTokens })
  const runners = { database, clock, timers, log, cipher, tasks, httpTools, mcpTools, mcpTokens }
  // Uses the machine's timers too, because a test clock would not measure anything.
  const measuring = { timers: systemTimers, metrics: options.workMetrics }
  const runTool = measureToolRunner(measuring, traceToolRunner(tracing, makeToolRunner(runners)))
  const askSubAgent = makeSubAgentRunner({
    clock,
    database,
    cipher,
    log,
    models: options.models,
    discoverMcpTools,
    calls: () => calls,
    stepTimeoutMilliseconds: config.chatTimeoutSeconds * 1000,
  })
  const runSubAgent = measureSubAgentRunner(measuring, traceSubAgentRunner(tracing, askSubAgent))
  const calls: ToolCallsDependencies = {
    clock,
    timers,
    waitingApprovals,
    runTool,
    runSubAgent,
    argumentChecker,
    approvalTimeoutSeconds: config.realtime.approvalTimeoutSeconds,
    isRepetition: makeRepetitionCheck({ database, log }),
  }
  const unattended = new UnattendedCalls({ ...options, waitingApprovals, runTool })
  return {
    calls,
    trials: { clock, timers, argumentChecker, discoverMcpTools, httpTools, runTool },
    unattended,
    async close() {
      await Promise.all([mcpTools.close(), argumentChecker.close()])
    },
  }
}

/**
 * The MCP client takes 0.1 s of processor time to load. It is loaded at the start if the operator has
 * configured servers, and otherwise on first use.
 */
function loadMcpTools(options: McpToolExecutorOptions): McpToolExecutor {
  let loading: Promise<McpToolExecutor> | undefined
  const load = () => {
    loading ??= import('../adapters/mcp-tools/mcp-tool-executor.js').then(({ makeMcpToolExecutor }) =>
      makeMcpToolExecutor(options),
    )
    return loading
  }
  if (Object.keys(options.stdioServers).length > 0) void load()
  return {
    list: async (...args) => (await load()).list(...args),
    run: async (...args) => (await load()).run(...args),
    close: async () => (await loading)?.close(),
  }
}
