import { ToolStatus } from '@parley/contract'
import type { OwnedDatabase } from '../../../ports/database.js'
import type { RealtimeSessionRecord } from '../../../ports/realtime-stores.js'
import type { ApprovalRecord } from '../../../ports/task-stores.js'
import type { Clock } from '../../../ports/time.js'
import type { ToolOutcome } from '../../../ports/tool-executor.js'
import { executionSeconds, type ToolRunner } from '../running/run-tool.js'
import {
  approvalTexts,
  askedArguments,
  rejectionText,
  type WaitingApprovals,
  type WaitingApprovalsDependencies,
} from './waiting-approvals.js'

const batchSize = 10
const retryMilliseconds = 1000

interface UnattendedCallsDependencies extends WaitingApprovalsDependencies {
  readonly waitingApprovals: WaitingApprovals
  readonly runTool: ToolRunner
}

/**
 * Handles calls that were decided on after their session had ended. Approved calls are run, and the others
 * are closed. The next session of the conversation finds each call and its output in the history.
 */
export class UnattendedCalls {
  readonly #dependencies: UnattendedCallsDependencies
  readonly #running = new Map<string, Promise<void>>()
  readonly #stopping = new AbortController()
  #isStopped = false

  constructor(dependencies: UnattendedCallsDependencies) {
    this.#dependencies = dependencies
  }

  /** Finds such calls and starts them without waiting for their outcome. */
  async poll(): Promise<void> {
    if (this.#isStopped) return
    const { database, clock, waitingApprovals, log } = this.#dependencies
    const { approvals } = database.stores
    if (!(await approvals.isAnyOpen())) return
    await approvals.expireDue(clock.now().toISOString())
    for (const row of await approvals.unattended(batchSize)) {
      if (waitingApprovals.isHandledHere(row.id) || this.#running.has(row.id)) continue
      const work = this.#handle(row)
        .catch((error: unknown) => log.warn({ err: error, callId: row.callId }, 'a call could not be closed'))
        .finally(() => this.#running.delete(row.id))
      this.#running.set(row.id, work)
    }
  }

  /** Stops starting calls. Running calls may finish within the time limit, and are aborted after that. */
  async stop(milliseconds: number): Promise<void> {
    this.#isStopped = true
    const cancel = this.#dependencies.timers.after(Math.max(0, milliseconds), () => this.#stopping.abort())
    await Promise.allSettled(this.#running.values())
    cancel()
  }

  async #handle(row: ApprovalRecord): Promise<void> {
    if (row.state === 'rejected') return this.#close(row, { ok: false, output: rejectionText(row.reason) })
    if (row.state !== 'approved') return this.#close(row, { ok: false, output: approvalTexts.expired })
    const { waitingApprovals, timers } = this.#dependencies
    if (!(await waitingApprovals.claimUnattended(row.id))) return
    const startedAt = timers.monotonic()
    const outcome = await this.#run(row)
    await this.#close(row, outcome, executionSeconds(timers, startedAt))
    // The call is released last, because a call that ran and is not stored yet must not appear unclaimed.
    waitingApprovals.release(row.id)
  }

  async #run(row: ApprovalRecord): Promise<ToolOutcome> {
    const { database, runTool } = this.#dependencies
    const { agents, conversations } = database.stores
    const agent = await agents.find(row.organizationId, row.agentId)
    const endUser = (await conversations.endUsersOf([row.conversationId])).get(row.conversationId)
    return runTool({
      tool: row.call,
      caller: {
        organizationId: row.organizationId,
        agentId: row.agentId,
        agentName: agent?.name ?? row.agentId,
        conversationId: row.conversationId,
        endUserId: endUser?.endUserId ?? null,
      },
      arguments: askedArguments(row),
      callId: row.callId,
      idempotencyKey: row.messageId,
      signal: this.#stopping.signal,
    })
  }

  async #close(row: ApprovalRecord, outcome: ToolOutcome, executionTimeSeconds = 0): Promise<void> {
    const { database, clock, timers } = this.#dependencies
    const { output, isUnknown } = outcome
    const status = outcome.ok ? ToolStatus.Success : ToolStatus.Failed
    const known = { status, content: output, executionTimeSeconds }
    const fields = isUnknown ? { ...known, failure: output } : known
    for (;;) {
      try {
        const at = clock.now().toISOString()
        return await database.transaction(async (stores) => {
          await stores.conversations.updateToolMessage(row.messageId, fields, at)
          await stores.approvals.finish(row.id, at)
        })
      } catch (error) {
        // A finished call must be stored even if the database is unavailable for a while.
        if (this.#stopping.signal.aborted) throw error
        await timers.sleep(retryMilliseconds)
      }
    }
  }
}

/**
 * Takes over the waiting calls of earlier sessions of the conversation. An earlier session may still be
 * stored as running, because its client may have lost its network connection and reconnected with this
 * session. Waiting calls of sub-agents whose session has ended are closed, because the sub-agents' turns have
 * ended as well.
 */
export async function adoptCalls(
  database: OwnedDatabase,
  clock: Clock,
  session: RealtimeSessionRecord,
): Promise<readonly ApprovalRecord[]> {
  const at = clock.now().toISOString()
  const { approvals } = database.stores
  await approvals.expireDue(at)
  const adopted = await approvals.adopt(session, at)
  const fields = { status: ToolStatus.Failed, content: approvalTexts.expired }
  for (const { id, messageId, agentId, claimedBy } of adopted) {
    if (agentId === session.agentId || claimedBy !== null) continue
    // Locks the message before the approval, as all writers do, so that they do not deadlock.
    await database.transaction(async (stores) => {
      await stores.conversations.updateToolMessage(messageId, fields, at)
      await stores.approvals.withdraw(id, session.id, at)
      await stores.approvals.finish(id, at)
    })
  }
  return adopted.filter(({ agentId }) => agentId === session.agentId)
}
