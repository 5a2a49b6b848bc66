import { DomainError } from '../domain-error.js'

const maxWaiting = 50
const retryAfterSeconds = 10

/**
 * Verifications of one organization, one after the other: each walks a chain that may be long, and many at once would take
 * the event loop from everybody else.
 */
export class VerificationTurns {
  readonly #lines = new Map<string, { last: Promise<unknown>; waiting: number }>()

  async run<Result>(organizationId: string, verify: () => Promise<Result>): Promise<Result> {
    const line = this.#lines.get(organizationId) ?? { last: Promise.resolve(), waiting: 0 }
    if (line.waiting >= maxWaiting)
      throw new DomainError(
        'RateLimited',
        `${maxWaiting} verifications of this audit log wait already: wait for their answers.`,
        { retryAfterSeconds },
      )
    this.#lines.set(organizationId, line)
    line.waiting += 1
    const turn = line.last.then(verify)
    line.last = turn.catch(() => undefined)
    try {
      return await turn
    } finally {
      line.waiting -= 1
      if (line.waiting === 0) this.#lines.delete(organizationId)
    }
  }
}
