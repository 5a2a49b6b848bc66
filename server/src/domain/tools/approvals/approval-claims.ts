import type { ApprovalRecord } from '../../../ports/approval-store.js'
import type { Clock } from '../../../ports/clock.js'
import type { Database } from '../../../ports/database.js'

export interface ApprovalClaimsDependencies {
  readonly database: Database
  readonly clock: Clock
  readonly instanceId: string
}

export type ClaimAttempt =
  | { readonly isClaimed: true }
  /** The row as somebody else has it; undefined where it is gone. */
  | { readonly isClaimed: false; readonly row: ApprovalRecord | undefined }

/**
 * Who in this process runs an approved call. A row names only the instance that has claimed it, and several sessions
 * of one instance may want to. They take turns at a row; so a claim of this instance that nobody here knows for its
 * own is one whose answer was lost, and the next in turn takes it up.
 */
export class ApprovalClaims {
  readonly #dependencies: ApprovalClaimsDependencies
  /** The last turn at each row that somebody has one at. */
  readonly #turns = new Map<string, Promise<unknown>>()
  readonly #claimedHere = new Set<string>()

  constructor(dependencies: ApprovalClaimsDependencies) {
    this.#dependencies = dependencies
  }

  /** Whether somebody here has claimed the call or is about to. */
  has(approvalId: string): boolean {
    return this.#turns.has(approvalId) || this.#claimedHere.has(approvalId)
  }

  /** Tries once. Rejects where the database did not answer: whether the claim is written shows at the next attempt. */
  async attempt(approvalId: string, originId: string | null): Promise<ClaimAttempt> {
    const before = this.#turns.get(approvalId) ?? Promise.resolve()
    const claim = () => this.#claim(approvalId, originId)
    const turn = before.then(claim, claim)
    this.#turns.set(approvalId, turn)
    try {
      return await turn
    } finally {
      if (this.#turns.get(approvalId) === turn) this.#turns.delete(approvalId)
    }
  }

  /** What was claimed here is written down as finished. */
  letGo(approvalId: string): void {
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
    return isLostClaim ? this.#claimed(approvalId) : { isClaimed: false, row }
  }

  #claimed(approvalId: string): ClaimAttempt {
    this.#claimedHere.add(approvalId)
    return { isClaimed: true }
  }
}
