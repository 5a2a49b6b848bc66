import { coversScope, type ToolTrial, type ToolTrialInput } from '@parley/contract'
import { v7 as uuid } from 'uuid'
import type { Clock, Timers } from '../../ports/time.js'
import type {
  ArgumentChecker,
  CallableTool,
  HttpPreview,
  HttpToolExecutor,
  ToolInvocation,
} from '../../ports/tool-executor.js'
import { recordChange } from '../audit/record-change.js'
import type { Caller, CallerScope } from '../caller-scope.js'
import { DomainError, notFound } from '../domain-error.js'
import { requireVariables, valuesOf } from '../end-users/template-values.js'
import type { McpDiscovery } from './catalog/mcp-discovery.js'
import { buildToolCatalog } from './catalog/tool-catalog.js'
import { executionSeconds, type ToolRunner } from './running/run-tool.js'

export interface ToolTrialDependencies {
  readonly clock: Clock
  readonly timers: Timers
  readonly argumentChecker: ArgumentChecker
  readonly discoverMcpTools: McpDiscovery
  readonly httpTools: HttpToolExecutor
  readonly runTool: ToolRunner
}

export interface WantedTrial {
  readonly agentId: string
  readonly toolName: string
  readonly input: ToolTrialInput
}

/** Tests one of an agent's tools outside a conversation, as a dry run or with its real action. */
export async function tryTool(
  { clock, timers, argumentChecker, discoverMcpTools, httpTools, runTool }: ToolTrialDependencies,
  { stores, caller }: CallerScope,
  { agentId, toolName, input }: WantedTrial,
): Promise<ToolTrial> {
  const agent = await stores.agents.find(caller.organizationId, agentId)
  if (agent === null) throw notFound('Agent')
  const catalog = buildToolCatalog(agent, [], await discoverMcpTools(agent))
  const tool = catalog.find(({ name }) => name === toolName)
  if (tool === undefined) throw notFound('Tool')
  if (!input.dryRun) requireApprover(caller, tool)
  const checked = await argumentChecker.check({
    organizationId: caller.organizationId,
    schema: tool.parameters,
    argumentsText: JSON.stringify(input.arguments),
  })
  if (!checked.ok) return trial(false, checked.problem)
  const { variables } = input
  requireVariables(agent, variables)
  const values = valuesOf(clock, { agent, given: variables, conversation: null, endUserName: null })
  const preview = previewOf(httpTools, tool, { arguments: checked.arguments, variables: values })
  if (preview !== null && !preview.ok) return trial(false, preview.problem)
  const request = preview?.request ?? null
  if (input.dryRun) return { ...trial(true, 'The arguments are valid. The tool was not called.'), request }
  // Written before the run, so that every run is in the audit log.
  const { approvalRequired } = tool
  await recordChange(
    clock,
    { stores, caller },
    { action: 'agent.tool_run', type: 'Agent', id: agentId, details: { tool: toolName, approvalRequired } },
  )
  const startedAt = timers.monotonic()
  const noConversation = { conversationId: null, endUserId: null }
  const outcome = await runTool({
    tool,
    caller: { organizationId: caller.organizationId, agentId, agentName: agent.name, ...noConversation },
    arguments: checked.arguments,
    variables,
    idempotencyKey: uuid(),
    signal: new AbortController().signal,
  })
  const executionTimeSeconds = executionSeconds(timers, startedAt)
  return { ...trial(outcome.ok, outcome.output), request, executionTimeSeconds }
}

/** Running a tool that requires approval is equivalent to a decision, so it requires the same scope. */
function requireApprover({ scopes }: Caller, { name, approvalRequired }: CallableTool): void {
  if (approvalRequired && !coversScope(scopes, 'approval:decide'))
    throw new DomainError(
      'Forbidden',
      `${name} requires approval. The key needs the scope approval:decide to run it.`,
    )
}

/** Only http tools send a request that can be shown. */
function previewOf(
  httpTools: HttpToolExecutor,
  { action }: CallableTool,
  given: Pick<ToolInvocation, 'arguments' | 'variables'>,
): HttpPreview | null {
  return action.kind === 'http' ? httpTools.preview(action.tool, given) : null
}

function trial(isSuccess: boolean, output: string): ToolTrial {
  return { isSuccess, output, request: null, executionTimeSeconds: 0 }
}
