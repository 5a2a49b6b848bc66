import { ToolStatus } from '@parley/contract'
import type { ApprovalRecord, Decision } from '../../../ports/approval-store.js'
import type { Clock } from '../../../ports/clock.js'
import type { Database } from '../../../ports/database.js'
import type { Log } from '../../../ports/log.js'
import type { Timers } from '../../../ports/timers.js'
import type { CallableTool } from '../../../ports/tool-executor.js'
import type { Caller } from '../../scope.js'
import type { AnnouncedCall } from '../calls/call-events.js'
import { callMessage } from '../calls/call-message.js'
import type { ToolCallEvent } from '../calls/tool-call.js'
import type { CallContext } from '../calls/tool-calls.js'
import { ApprovalClaims } from './approval-claims.js'
import { recordDecision } from './record-decision.js'

const retryMilliseconds = 1000
/** The row decides at its deadline, so one looks just after it. */
const afterDeadlineMilliseconds = 5

export interface WaitingApprovalsDependencies {
  readonly database: Database
  readonly clock: Clock
  readonly timers: Timers
  readonly log: Log
  readonly instanceId: string
}

export type Decided = Extract<ToolCallEvent, { type: 'approved' | 'rejected' | 'expired' }>
type Claim = Extract<ToolCallEvent, { type: 'claimed' | 'takenOver' }>

/**
 * Where calls wait for people. The rows decide; this only looks at them, once in a while and whenever somebody here
 * has decided, and tells whoever waits.
 */
export class WaitingApprovals {
  readonly #dependencies: WaitingApprovalsDependencies
  readonly #claims: ApprovalClaims
  /** Several may wait for one row: a session, and the next one of its conversation, which has the call now. */
  readonly #watched = new Map<string, Set<(decided: Decided) => void>>()
  /** The claims that the database has not answered and that are made again. */
  readonly #retried = new Set<string>()

  constructor(dependencies: WaitingApprovalsDependencies) {
    this.#dependencies = dependencies
    this.#claims = new ApprovalClaims(dependencies)
  }

  /** Whether somebody here waits for the decision or sees to the call: nobody may take it for abandoned. */
  isHeld(approvalId: string): boolean {
    return this.#watched.has(approvalId) || this.#retried.has(approvalId) || this.#claims.has(approvalId)
  }

  /** Writes down a call that waits, and its message, together. False where that failed: then it must not run. */
  async open(
    context: CallContext,
    call: AnnouncedCall,
    approvalId: string,
    deadline: string,
  ): Promise<boolean> {
    const { database, log } = this.#dependencies
    const message = callMessage(context, call, ToolStatus.PendingApproval)
    const record = this.#newRecord(context, call, approvalId, deadline)
    try {
      return await database.transaction(async (stores) => {
        // Null where the conversation is gone: nobody could ever see what waits there.
        if ((await stores.conversations.addMessage(message)) === null) return false
        await stores.approvals.insert(record)
        return true
      })
    } catch (error) {
      log.warn({ err: error, callId: call.callId }, 'an approval could not be recorded; the call fails')
      return false
    }
  }

  /** Tells once when the row is decided. Returns how to stop. */
  watch(approvalId: string, deadline: string, onDecided: (decided: Decided) => void): () => void {
    const { clock, timers } = this.#dependencies
    const listeners = this.#watched.get(approvalId) ?? new Set()
    this.#watched.set(approvalId, listeners.add(onDecided))
    const left = Math.max(0, Date.parse(deadline) - clock.now().getTime())
    const cancel = timers.after(left + afterDeadlineMilliseconds, () => void this.#pollQuietly())
    // It may have been decided before anybody here watched it.
    void this.#pollQuietly()
    return () => {
      cancel()
      listeners.delete(onDecided)
      if (listeners.size === 0 && this.#watched.get(approvalId) === listeners)
        this.#watched.delete(approvalId)
    }
  }

  /** A client decides, in its session, on a call that waits in this conversation. False where none of this id does. */
  async decide(
    organizationId: string,
    conversationId: string,
    callId: string,
    decision: Decision,
  ): Promise<boolean> {
    const { database, clock } = this.#dependencies
    const at = clock.now().toISOString()
    const { id, name } = decision.decidedBy
    const caller: Caller = {
      organizationId,
      actor: { type: 'session', id, name },
      scopes: [],
      expiresAt: null,
      ipAddress: null,
      requestId: null,
    }
    const decided = await database.transaction(async (stores) => {
      const row = await stores.approvals.decide(organizationId, conversationId, callId, decision, at)
      if (row !== null) await recordDecision(clock, { stores, caller }, row)
      return row
    })
    if (decided !== null) this.#tell(decided)
    return decided !== null
  }

  /** Looks at the rows that are watched here. Rejects while the database is away; the next look finds them. */
  async poll(): Promise<void> {
    if (this.#watched.size === 0) return
    const { database, clock } = this.#dependencies
    const { approvals } = database.stores
    await approvals.expireDue(clock.now().toISOString())
    for (const row of await approvals.findMany([...this.#watched.keys()])) this.#tell(row)
  }

  /** Claims an approved call for running, however long the database takes to say so. */
  async claim(approvalId: string, originId: string | null): Promise<Claim> {
    for (;;) {
      try {
        const attempt = await this.#claims.attempt(approvalId, originId)
        this.#retried.delete(approvalId)
        if (attempt.isClaimed) return { type: 'claimed' }
        const outcome = await this.#outcomeElsewhere(attempt.row)
        if (outcome !== null) return { type: 'takenOver', outcome }
      } catch {
        this.#retried.add(approvalId)
      }
      await this.#pause()
    }
  }

  /** Claims a call that no session sees to, if nobody has. Rejects while the database is away. */
  async claimAbandoned(approvalId: string): Promise<boolean> {
    return (await this.#claims.attempt(approvalId, null)).isClaimed
  }

  /** The call is answered and written down; nothing here holds it any more. */
  letGo(approvalId: string): void {
    this.#claims.letGo(approvalId)
  }

  /** Nobody hears of a failure here: the database is away, and one of the regular looks finds what is due. */
  async #pollQuietly(): Promise<void> {
    await this.poll().catch(() => undefined)
  }

  /** What came of a call that somebody else runs; null while it is still running. */
  async #outcomeElsewhere(row: ApprovalRecord | undefined) {
    if (row === undefined) return { isSuccess: false, output: 'The call is gone with its conversation.' }
    if (row.finishedAt === null) return null
    const message = await this.#dependencies.database.stores.conversations.findMessage(row.messageId)
    return {
      isSuccess: message?.status === ToolStatus.Success,
      output: message?.content ?? 'The outcome of the call is not known.',
    }
  }

  #tell(row: ApprovalRecord): void {
    const listeners = this.#watched.get(row.id)
    if (listeners === undefined || row.state === 'waiting') return
    this.#watched.delete(row.id)
    const decided: Decided =
      row.state === 'rejected' ? { type: 'rejected', reason: row.reason } : { type: row.state }
    for (const onDecided of listeners) onDecided(decided)
  }

  #newRecord(
    { place, originId }: CallContext,
    { callId, messageId, functionName, argumentsText, tool }: AnnouncedCall,
    id: string,
    deadline: string,
  ): ApprovalRecord {
    const now = this.#dependencies.clock.now().toISOString()
    return {
      id,
      organizationId: place.organizationId,
      version: 1,
      createdAt: now,
      updatedAt: now,
      conversationId: place.conversationId,
      messageId,
      callId,
      agentId: place.agentId,
      tool: functionName,
      arguments: argumentsText,
      state: 'waiting',
      deadline,
      decidedBy: null,
      decidedAt: null,
      reason: null,
      call: tool as CallableTool,
      originId,
      claimedBy: null,
      finishedAt: null,
    }
  }

  #pause(): Promise<void> {
    return new Promise((resolve) => void this.#dependencies.timers.after(retryMilliseconds, resolve))
  }
}
