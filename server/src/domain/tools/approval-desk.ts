import { ToolStatus } from '@parley/contract'
import type { ApprovalRecord, Decision } from '../../ports/approval-store.js'
import type { Clock } from '../../ports/clock.js'
import type { Database } from '../../ports/database.js'
import type { Log } from '../../ports/log.js'
import type { Timers } from '../../ports/timers.js'
import type { CallableTool } from '../../ports/tool-executor.js'
import type { AnnouncedCall } from './call-events.js'
import { callMessage } from './call-message.js'
import type { ToolCallEvent } from './tool-call.js'
import type { CallScene } from './tool-calls.js'

const retryMilliseconds = 1000
/** The row decides at its deadline, so one looks just after it. */
const afterDeadlineMilliseconds = 5

export interface ApprovalDeskDependencies {
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
export class ApprovalDesk {
  readonly #dependencies: ApprovalDeskDependencies
  readonly #watched = new Map<string, (decided: Decided) => void>()
  /** Claimed, or being claimed, by a session here: nobody else in this process may take them for abandoned. */
  readonly #held = new Set<string>()
  /** Those of them whose claim a session here knows to be its own. */
  readonly #claimedHere = new Set<string>()

  constructor(dependencies: ApprovalDeskDependencies) {
    this.#dependencies = dependencies
  }

  isHeld(approvalId: string): boolean {
    return this.#held.has(approvalId)
  }

  /** Writes down a call that waits, and its message, together. False where that failed: then it must not run. */
  async open(scene: CallScene, call: AnnouncedCall, approvalId: string, deadline: string): Promise<boolean> {
    const { database, log } = this.#dependencies
    const message = callMessage(scene, call, ToolStatus.PendingApproval)
    const record = this.#newRecord(scene, call, approvalId, deadline)
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

  /** Tells once when the row is decided. Answers how to stop. */
  watch(approvalId: string, deadline: string, onDecided: (decided: Decided) => void): () => void {
    const { clock, timers } = this.#dependencies
    this.#watched.set(approvalId, onDecided)
    const left = Math.max(0, Date.parse(deadline) - clock.now().getTime())
    const callOff = timers.after(left + afterDeadlineMilliseconds, () => void this.#lookQuietly())
    // It may have been decided before anybody here watched it.
    void this.#lookQuietly()
    return () => {
      callOff()
      // The conversation's next session may watch the same row by now.
      if (this.#watched.get(approvalId) === onDecided) this.#watched.delete(approvalId)
    }
  }

  /** Decides on a call that waits in this conversation. False where none of this id does. */
  async decide(
    organizationId: string,
    conversationId: string,
    callId: string,
    decision: Decision,
  ): Promise<boolean> {
    const { database, clock } = this.#dependencies
    const at = clock.now().toISOString()
    const decided = await database.stores.approvals.decide(
      organizationId,
      conversationId,
      callId,
      decision,
      at,
    )
    if (decided !== null) this.#tell(decided)
    return decided !== null
  }

  /** Looks at the rows that are watched here. Rejects while the database is away; the next look finds them. */
  async look(): Promise<void> {
    if (this.#watched.size === 0) return
    const { database, clock } = this.#dependencies
    const { approvals } = database.stores
    await approvals.expireDue(clock.now().toISOString())
    for (const row of await approvals.findMany([...this.#watched.keys()])) this.#tell(row)
  }

  /** Claims an approved call for running, however long the database takes to say so. */
  async claim(approvalId: string, sessionId: string | null): Promise<Claim> {
    const { database, clock, instanceId } = this.#dependencies
    const { approvals } = database.stores
    this.#held.add(approvalId)
    let isUncertain = false
    let isAnothers = false
    for (;;) {
      isAnothers ||= this.#claimedHere.has(approvalId)
      try {
        if (await approvals.claim(approvalId, instanceId, sessionId, clock.now().toISOString()))
          return this.#claimed(approvalId)
        const [row] = await approvals.findMany([approvalId])
        // The answer to a claim was lost, and it was ours, unless another session here knows it for its own.
        isAnothers ||= this.#claimedHere.has(approvalId)
        const mayBeOurs = isUncertain && !isAnothers && row?.claimedBy === instanceId
        if (mayBeOurs && row.finishedAt === null) return this.#claimed(approvalId)
        if (!isAnothers) this.#held.delete(approvalId)
        const outcome = await this.#outcomeElsewhere(row)
        if (outcome !== null) return { type: 'takenOver', outcome }
      } catch {
        isUncertain = true
      }
      await this.#pause()
    }
  }

  /** The call is answered and written down; nothing here holds it any more. */
  letGo(approvalId: string): void {
    this.#held.delete(approvalId)
    this.#claimedHere.delete(approvalId)
  }

  #claimed(approvalId: string): Claim {
    this.#claimedHere.add(approvalId)
    return { type: 'claimed' }
  }

  /** Nobody hears of a failure here: the database is away, and one of the regular looks finds what is due. */
  async #lookQuietly(): Promise<void> {
    await this.look().catch(() => undefined)
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
    const onDecided = this.#watched.get(row.id)
    if (onDecided === undefined || row.state === 'waiting') return
    this.#watched.delete(row.id)
    onDecided(row.state === 'rejected' ? { type: 'rejected', reason: row.reason } : { type: row.state })
  }

  #newRecord(
    { place, sessionId }: CallScene,
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
      sessionId,
      claimedBy: null,
      finishedAt: null,
    }
  }

  #pause(): Promise<void> {
    return new Promise((resolve) => void this.#dependencies.timers.after(retryMilliseconds, resolve))
  }
}
