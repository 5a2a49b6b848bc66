import type { MeasuredToolCall, WorkMetrics } from '../../../ports/metrics.js'
import type { Timers } from '../../../ports/time.js'
import type { ToolOutcome } from '../../../ports/tool-executor.js'
import type { Span, Tracing } from '../../../ports/tracing.js'
import type { ToolRunner } from '../running/run-tool.js'
import type { SubAgentRunner } from './open-call.js'

interface Dependencies {
  readonly timers: Timers
  readonly metrics: WorkMetrics
}

/** Measures every run of a tool, by the tool's kind. */
export function measureToolRunner(dependencies: Dependencies, runTool: ToolRunner): ToolRunner {
  return (run) => measured(dependencies, run.tool.action.kind, () => runTool(run))
}

/** Measures every question to a sub-agent. */
export function measureSubAgentRunner(
  dependencies: Dependencies,
  runSubAgent: SubAgentRunner,
): SubAgentRunner {
  return (run) => measured(dependencies, 'subagent', () => runSubAgent(run))
}

async function measured(
  { timers, metrics }: Dependencies,
  kind: MeasuredToolCall['kind'],
  run: () => Promise<ToolOutcome>,
): Promise<ToolOutcome> {
  const startedAt = timers.monotonic()
  const result = await run()
  const seconds = (timers.monotonic() - startedAt) / 1000
  metrics.toolCalled({ kind, outcome: outcomeOf(result), seconds })
  return result
}

function outcomeOf({ ok, isUnknown }: ToolOutcome): MeasuredToolCall['outcome'] {
  if (isUnknown) return 'unknown'
  return ok ? 'ok' : 'failed'
}

interface Runners {
  readonly runTool: ToolRunner
  readonly runSubAgent: SubAgentRunner
}

/** Wraps every run of a tool in a span, without arguments and outputs, because these may contain secrets. */
export function traceToolRunner(tracing: Tracing, runTool: ToolRunner): ToolRunner {
  if (!tracing.isRecording) return runTool
  return async (run) => {
    const { tool, caller, callId, idempotencyKey } = run
    const span = tracing.begin({
      name: `execute_tool ${tool.name}`,
      kind: 'internal',
      attributes: {
        'gen_ai.operation.name': 'execute_tool',
        'gen_ai.tool.name': tool.name,
        'gen_ai.tool.type': 'function',
        'gen_ai.tool.call.id': callId,
        'gen_ai.agent.id': caller.agentId,
        'gen_ai.agent.name': caller.agentName,
        'gen_ai.conversation.id': caller.conversationId ?? undefined,
        'enduser.id': caller.endUserId ?? undefined,
        'parley.tool.kind': tool.action.kind,
        'parley.message.id': idempotencyKey,
        'parley.organization.id': caller.organizationId,
      },
    })
    const outcome = await span.run(() => runTool(run))
    span.set({ 'error.type': errorTypeOf(outcome) })
    span.end(outcome.ok ? null : 'the tool failed')
    return outcome
  }
}

/** Returns a fixed word, because the text of a failure may contain secrets. */
function errorTypeOf({ ok, isUnknown }: ToolOutcome): string | undefined {
  if (isUnknown) return 'unknown_outcome'
  return ok ? undefined : 'tool_failed'
}

/**
 * Wraps every question to a sub-agent in a span. The steps of the sub-agent's model and its tools are child
 * spans.
 */
export function traceSubAgentRunner(tracing: Tracing, runSubAgent: SubAgentRunner): SubAgentRunner {
  if (!tracing.isRecording) return runSubAgent
  return async (run) => {
    const { tool, context, messageId } = run
    if (tool.action.kind !== 'subagent') return runSubAgent(run)
    const { agentId, agentName } = tool.action
    const span = tracing.begin({
      name: `invoke_agent ${agentName}`,
      kind: 'internal',
      attributes: {
        'gen_ai.operation.name': 'invoke_agent',
        'gen_ai.agent.id': agentId,
        'gen_ai.agent.name': agentName,
        'gen_ai.conversation.id': context.caller.conversationId ?? undefined,
        'enduser.id': context.caller.endUserId ?? undefined,
        'parley.message.id': messageId,
        'parley.organization.id': context.caller.organizationId,
      },
    })
    const outcome = await span.run(() => runSubAgent(run))
    span.set({ 'error.type': errorTypeOf(outcome) })
    span.end(outcome.ok ? null : 'the agent could not answer')
    return outcome
  }
}

/** Runs the calls of a session or turn within its span, because they are often started by other requests. */
export function callsWithin<Calls extends Runners>(span: Span, calls: Calls): Calls {
  if (!span.isRecording) return calls
  return {
    ...calls,
    runTool: (run) => span.run(() => calls.runTool(run)),
    runSubAgent: (run) => span.run(() => calls.runSubAgent(run)),
  }
}
