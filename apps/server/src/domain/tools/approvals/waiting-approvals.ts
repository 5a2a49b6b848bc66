import { type RejectionCode, ToolStatus } from '@parley/contract'
import type { MessageRecord } from '../../../ports/conversation-stores.js'
import type { Database } from '../../../ports/database.js'
import type { Log } from '../../../ports/log.js'
import type { RealtimeSessionRecord } from '../../../ports/realtime-stores.js'
import type { ApprovalRecord } from '../../../ports/task-stores.js'
import type { Clock, Timers } from '../../../ports/time.js'
import type { ToolOutcome } from '../../../ports/tool-executor.js'
import type { Caller } from '../../caller-scope.js'
import { type ApprovalChoice, decideApproval, refusalOf } from './approvals.js'

const retryMilliseconds = 1000
/** The row expires at its deadline, so it is polled just after that. */
const afterDeadlineMilliseconds = 5

export interface WaitingApprovalsDependencies {
  readonly database: Database
  readonly clock: Clock
  readonly timers: Timers
  readonly log: Log
  readonly instanceId: string
}

/** The approval of a waiting call. */
interface WatchedApproval {
  readonly id: string
  readonly deadline: string
  readonly organizationId: string
}

interface Watched {
  readonly organizationId: string
  readonly watchers: Set<(outcome: ApprovalOutcome) => void>
}

/** The result of a claim: either this process may run the call, or another process has run it. */
type Claim = { readonly type: 'claimed' } | { readonly type: 'takenOver'; readonly outcome: ToolOutcome }

/** A recorded decision, or the error for the client. */
export type ClientDecision =
  | { readonly ok: true }
  | { readonly ok: false; readonly code: RejectionCode; readonly message: string }

/**
 * The calls of this instance that wait for approval. The rows are authoritative: they are polled regularly
 * and after each decision here, and the watchers of decided rows are called.
 */
export class WaitingApprovals {
  readonly #dependencies: WaitingApprovalsDependencies
  readonly #claims: ApprovalClaims
  /** Several sessions may watch a row: an earlier one, and the next one of its conversation. */
  readonly #watched = new Map<string, Watched>()
  /** Claims that are retried because the database did not confirm them. */
  readonly #retried = new Set<string>()

  constructor(dependencies: WaitingApprovalsDependencies) {
    this.#dependencies = dependencies
    this.#claims = new ApprovalClaims(dependencies)
  }

  /**
   * Returns whether this instance waits for the decision or handles the call. Otherwise, the call is
   * unattended.
   */
  isHandledHere(approvalId: string): boolean {
    return this.#watched.has(approvalId) || this.#retried.has(approvalId) || this.#claims.has(approvalId)
  }

  /**
   * Stores a waiting call and its message in one transaction. Resolves with false on failure, in which case
   * the call must not run.
   */
  async open(message: MessageRecord, approval: ApprovalRecord): Promise<boolean> {
    const { database, log } = this.#dependencies
    try {
      const { organizationId } = approval
      return await database.ownedBy({ organizationId, kind: 'log' }).transaction(async (stores) => {
        // Null if the conversation was deleted. In that case, the approval would be invisible.
        if ((await stores.conversations.addMessage(message)) === null) return false
        await stores.approvals.insert(approval)
        return true
      })
    } catch (error) {
      const { callId } = approval
      log.warn({ err: error, callId }, 'an approval could not be stored; the call fails')
      return false
    }
  }

  /** Returns whether a call of the organization waits here. */
  holdsWorkOf(organizationId: string): boolean {
    return [...this.#watched.values()].some((watched) => watched.organizationId === organizationId)
  }

  /** Calls `onDecided` once, when the row is decided. Returns a function that stops watching. */
  watch(
    { id, deadline, organizationId }: WatchedApproval,
    onDecided: (outcome: ApprovalOutcome) => void,
  ): () => void {
    const { clock, timers } = this.#dependencies
    const watched = this.#watched.get(id) ?? { organizationId, watchers: new Set() }
    this.#watched.set(id, watched)
    const { watchers } = watched
    watchers.add(onDecided)
    const left = Math.max(0, Date.parse(deadline) - clock.now().getTime())
    const cancel = timers.after(left + afterDeadlineMilliseconds, () => void this.#pollQuietly())
    // The row may have been decided before the watch began.
    void this.#pollQuietly()
    return () => {
      cancel()
      watchers.delete(onDecided)
      if (watchers.size === 0 && this.#watched.get(id) === watched) this.#watched.delete(id)
    }
  }

  /** Records the decision of a session's client, and immediately notifies the watchers on this instance. */
  async decideAsClient(
    session: RealtimeSessionRecord,
    choice: Omit<ApprovalChoice, 'conversationId'>,
  ): Promise<ClientDecision> {
    const { database, clock } = this.#dependencies
    const { organizationId, conversationId } = session
    const { callId } = choice
    const caller = clientOf(session)
    try {
      const decided = await database
        .ownedBy({ organizationId, kind: 'call' })
        .transaction((stores) => decideApproval(clock, { stores, caller }, { ...choice, conversationId }))
      if (decided.type === 'notAllowed')
        return { ok: false, code: 'approval_not_allowed', message: refusalOf(decided.approvedBy) }
      if (decided.type === 'notWaiting')
        return { ok: false, code: 'approval_not_pending', message: `No call ${callId} waits for approval.` }
      this.#notify(decided.approval)
      return { ok: true }
    } catch {
      const message = `The decision on ${callId} could not be saved. The call is still pending; send the decision again.`
      return { ok: false, code: 'approval_not_recorded', message }
    }
  }

  /** Reads the watched rows. Rejects if the database is unavailable. */
  async poll(): Promise<void> {
    if (this.#watched.size === 0) return
    const { database, clock } = this.#dependencies
    const { approvals } = database.stores
    await approvals.expireDue(clock.now().toISOString())
    for (const row of await approvals.findMany([...this.#watched.keys()])) this.#notify(row)
  }

  /** Claims an approved call. Retries until the database responds. */
  async claim(approvalId: string, originId: string): Promise<Claim> {
    for (;;) {
      try {
        const attempt = await this.#claims.attempt(approvalId, originId)
        this.#retried.delete(approvalId)
        if (attempt.ok) return { type: 'claimed' }
        const outcome = await this.#outcomeElsewhere(attempt.row)
        if (outcome !== null) return { type: 'takenOver', outcome }
      } catch {
        this.#retried.add(approvalId)
      }
      await this.#dependencies.timers.sleep(retryMilliseconds)
    }
  }

  /**
   * Claims a call that no session handles. Resolves with false if it is already claimed. Rejects if the
   * database is unavailable.
   */
  async claimUnattended(approvalId: string): Promise<boolean> {
    return (await this.#claims.attempt(approvalId, null)).ok
  }

  /** Called when the outcome of the call is stored. */
  release(approvalId: string): void {
    this.#claims.release(approvalId)
  }

  /** Ignores failures: the database is unavailable, and the next regular poll reads the rows. */
  async #pollQuietly(): Promise<void> {
    await this.poll().catch(() => undefined)
  }

  /** Returns the outcome of a call that another process runs, or null while it is running. */
  async #outcomeElsewhere(row: ApprovalRecord | undefined): Promise<ToolOutcome | null> {
    if (row === undefined) return { ok: false, output: 'The call was deleted with its conversation.' }
    if (row.finishedAt === null) return null
    const message = await this.#dependencies.database.stores.conversations.findMessage(row.messageId)
    return {
      ok: message?.status === ToolStatus.Success,
      output: message?.content ?? 'The outcome of the call is unknown.',
    }
  }

  #notify(row: ApprovalRecord): void {
    const watched = this.#watched.get(row.id)
    const outcome = outcomeOf(row)
    if (watched === undefined || outcome === null) return
    this.#watched.delete(row.id)
    for (const onDecided of watched.watchers) onDecided(outcome)
  }
}

function clientOf({ id, organizationId }: RealtimeSessionRecord): Caller {
  return {
    organizationId,
    actor: { type: 'session', id, name: null },
    scopes: [],
    expiresAt: null,
    ipAddress: null,
    requestId: null,
  }
}

interface ApprovalClaimsDependencies {
  readonly database: Database
  readonly clock: Clock
  readonly instanceId: string
}

type ClaimAttempt =
  | { readonly ok: true }
  /** The row claimed by another process. Undefined if it was deleted. */
  | { readonly ok: false; readonly row: ApprovalRecord | undefined }

/**
 * The claims of approved calls within this process. A claim in a row contains only the instance, and several
 * sessions of one instance may claim the same call. Their attempts therefore run one after the other. If a
 * row is claimed by this instance but no session here has claimed it, the confirmation of the claim was lost,
 * and the next attempt takes it over.
 */
export class ApprovalClaims {
  readonly #dependencies: ApprovalClaimsDependencies
  /** The latest attempt for each row that is being claimed. */
  readonly #attempts = new Map<string, Promise<unknown>>()
  readonly #claimedHere = new Set<string>()

  constructor(dependencies: ApprovalClaimsDependencies) {
    this.#dependencies = dependencies
  }

  /** Returns whether this instance has claimed the call or is about to. */
  has(approvalId: string): boolean {
    return this.#attempts.has(approvalId) || this.#claimedHere.has(approvalId)
  }

  /**
   * Makes one attempt. Rejects if the database did not respond. The next attempt then finds out whether the
   * claim was written.
   */
  async attempt(approvalId: string, originId: string | null): Promise<ClaimAttempt> {
    const before = this.#attempts.get(approvalId) ?? Promise.resolve()
    const claim = () => this.#claim(approvalId, originId)
    const attempt = before.then(claim, claim)
    this.#attempts.set(approvalId, attempt)
    try {
      return await attempt
    } finally {
      if (this.#attempts.get(approvalId) === attempt) this.#attempts.delete(approvalId)
    }
  }

  /** Called when the end of a claimed call is stored. */
  release(approvalId: string): void {
    this.#claimedHere.delete(approvalId)
  }

  async #claim(approvalId: string, originId: string | null): Promise<ClaimAttempt> {
    const { database, clock, instanceId } = this.#dependencies
    const { approvals } = database.stores
    if (await approvals.claim(approvalId, instanceId, originId, clock.now().toISOString()))
      return this.#claimed(approvalId)
    const [row] = await approvals.findMany([approvalId])
    const isLostClaim =
      row?.claimedBy === instanceId && row.finishedAt === null && !this.#claimedHere.has(approvalId)
    return isLostClaim ? this.#claimed(approvalId) : { ok: false, row }
  }

  #claimed(approvalId: string): ClaimAttempt {
    this.#claimedHere.add(approvalId)
    return { ok: true }
  }
}

/** The decision on a call that required approval. */
export type ApprovalOutcome =
  | { readonly type: 'approved' }
  | { readonly type: 'rejected'; readonly reason: string | null }
  | { readonly type: 'expired' }

/** The outputs of calls that required approval and were not run. */
export const approvalTexts = {
  expired: 'The call was not approved in time. It was not run.',
  withdrawn: 'The call was withdrawn before a decision. It was not run.',
  notRecorded: 'The approval could not be stored. The call was not run.',
} as const

export function rejectionText(reason: string | null): string {
  // Excludes the decider's name, because a program may decide on behalf of an absent person.
  const rejected = 'This call was rejected. It was not run.'
  return reason === null ? rejected : `${rejected} Reason: ${reason}`
}

/** Returns null while the row is still waiting. */
function outcomeOf({ state, reason }: ApprovalRecord): ApprovalOutcome | null {
  if (state === 'waiting') return null
  return state === 'rejected' ? { type: 'rejected', reason } : { type: state }
}

/**
 * Returns the arguments that were approved, parsed from the row. They are not validated again, because they
 * matched the tool's schema when the row was written.
 */
export function askedArguments({ arguments: text }: ApprovalRecord): Readonly<Record<string, unknown>> {
  const value: unknown = JSON.parse(text.trim() === '' ? '{}' : text)
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Error('The arguments of the approval are not a JSON object.')
  return { ...value }
}
