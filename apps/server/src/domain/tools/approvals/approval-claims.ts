import type { ApprovalRecord } from '../../../ports/approval-store.js'
import type { Clock } from '../../../ports/clock.js'
import type { Database } from '../../../ports/database.js'

export interface ApprovalClaimsDependencies {
  readonly database: Database
  readonly clock: Clock
  readonly instanceId: string
}

export type ClaimAttempt =
  | { readonly ok: true }
  /** The row as somebody else has it; undefined where it is gone. */
  | { readonly ok: false; readonly row: ApprovalRecord | undefined }

/**
 * Who in this process runs an approved call. A row names only the instance that has claimed it, and several sessions
 * of one instance may want to. They try one after the other; so a claim of this instance that nobody here knows for its
 * own is one whose confirmation was lost, and the next attempt takes it up.
 */
export class ApprovalClaims {
  readonly #dependencies: ApprovalClaimsDependencies
  /** The last attempt at each row that is being claimed. */
  readonly #attempts = new Map<string, Promise<unknown>>()
  readonly #claimedHere = new Set<string>()

  constructor(dependencies: ApprovalClaimsDependencies) {
    this.#dependencies = dependencies
  }

  /** Whether somebody here has claimed the call or is about to. */
  has(approvalId: string): boolean {
    return this.#attempts.has(approvalId) || this.#claimedHere.has(approvalId)
  }

  /** Tries once. Rejects where the database did not respond: whether the claim is written shows at the next attempt. */
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

  /** What was claimed here is written down as finished. */
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
