import { createHash } from 'node:crypto'
import type { Clock } from '../../ports/clock.js'
import type { Database, Stores } from '../../ports/database.js'
import type { KeptAnswer } from '../../ports/idempotency-store.js'
import { canonicalJson } from '../audit/canonical-text.js'
import { DomainError } from '../domain-error.js'

const keptMilliseconds = 24 * 60 * 60 * 1000

export interface OnceRequest {
  readonly organizationId: string
  readonly key: string
  /** Which call it is; the same key on another call is another request. */
  readonly operationId: string
  readonly body: unknown
}

/**
 * Acts once for each Idempotency-Key. The claim, the change and its answer are one transaction: whoever comes at the
 * same time waits at the claim and then finds the answer, and a crash leaves neither change nor claim behind.
 */
export async function answerOnce(
  database: Database,
  clock: Clock,
  request: OnceRequest,
  act: (stores: Stores) => Promise<KeptAnswer>,
  answerTo: (refusal: DomainError) => KeptAnswer,
): Promise<KeptAnswer> {
  const now = clock.now().getTime()
  const fingerprint = fingerprintOf(request)
  const claim = { ...request, fingerprint, createdAt: new Date(now).toISOString() }
  const expiredBefore = new Date(now - keptMilliseconds).toISOString()

  const claimThen = (produce: (stores: Stores) => Promise<KeptAnswer>) =>
    database.transaction(async (stores) => {
      if (!(await stores.idempotency.claim(claim, expiredBefore)))
        return keptAnswer(stores, request, fingerprint)
      const answer = await produce(stores)
      await stores.idempotency.keep(request.organizationId, request.key, answer)
      return answer
    })

  try {
    return await claimThen(act)
  } catch (error) {
    // A refusal has rolled its claim back with everything else; it is an answer too, and kept like one.
    const isKept = error instanceof DomainError && !(error instanceof KeyReused) && error.status < 500
    if (!isKept) throw error
    return claimThen(async () => answerTo(error))
  }
}

class KeyReused extends DomainError {
  constructor() {
    super('Conflict', 'This Idempotency-Key was used with another request. Use a new key for a new request.')
  }
}

async function keptAnswer(stores: Stores, request: OnceRequest, fingerprint: string): Promise<KeptAnswer> {
  const kept = await stores.idempotency.find(request.organizationId, request.key)
  if (kept === null || kept.answer === null)
    throw new DomainError(
      'Unavailable',
      'The first request with this Idempotency-Key is not finished. Try again.',
    )
  if (kept.fingerprint !== fingerprint) throw new KeyReused()
  return kept.answer
}

function fingerprintOf({ operationId, body }: OnceRequest): string {
  return createHash('sha256')
    .update(canonicalJson([operationId, body]))
    .digest('hex')
}

/** Forgets answers that nobody may ask for again. */
export function forgetOldAnswers(database: Database, clock: Clock): Promise<number> {
  return database.stores.idempotency.forgetBefore(
    new Date(clock.now().getTime() - keptMilliseconds).toISOString(),
  )
}
