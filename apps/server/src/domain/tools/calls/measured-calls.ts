import type { Timers } from '../../../ports/timers.js'
import type { ToolOutcome } from '../../../ports/tool-executor.js'
import type { MeasuredToolCall, WorkMetrics } from '../../../ports/work-metrics.js'
import type { ToolRunner } from '../running/run-tool.js'
import type { SubAgentRunner } from './open-call.js'

interface Dependencies {
  readonly timers: Timers
  readonly metrics: WorkMetrics
}

/** Measures every run of a tool, by the kind of the tool. */
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
