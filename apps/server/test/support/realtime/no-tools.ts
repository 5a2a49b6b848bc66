import { WaitingApprovals } from '#server/domain/tools/approvals/waiting-approvals.js'
import type { ToolCallsDependencies } from '#server/domain/tools/calls/tool-calls.js'
import type { Database } from '#server/ports/database.js'
import type { Log } from '#server/ports/log.js'
import type { Clock, Timers } from '#server/ports/time.js'

/** For sessions whose agent has no tools. Calls get an output, but none can run. */
export function noTools(dependencies: {
  readonly database: Database
  readonly clock: Clock
  readonly timers: Timers
  readonly log: Log
}): ToolCallsDependencies {
  const nothing = async () => ({ ok: false, output: 'This session has no tools.' })
  return {
    ...dependencies,
    waitingApprovals: new WaitingApprovals({ ...dependencies, instanceId: '' }),
    runTool: nothing,
    runSubAgent: nothing,
    argumentChecker: {
      check: async () => ({ ok: false, problem: 'This session has no tools.' }),
      close: async () => undefined,
    },
    approvalTimeoutSeconds: 300,
    isRepetition: async () => false,
  }
}
