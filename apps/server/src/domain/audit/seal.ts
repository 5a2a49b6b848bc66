import type { AuditStore, ChainHead, Seal, StoredAuditRecord } from '../../ports/audit-store.js'
import type { Database } from '../../ports/database.js'
import type { ChainKey } from '../../ports/secrets.js'
import { hashAfter } from './chain-hash.js'
import { isEmpty, isGenuine, moveHead, type Sealing } from './chain-head.js'
import { noChangeover, readChangeover } from './changeover.js'
import { isSealable, type Judgement, mayBeginWith } from './judge-record.js'
import { type KeyRing, type KeyRingDependencies, openKeyRing } from './key-ring.js'
import { keyIdOf, sealProofOf } from './record-signature.js'

const batchSize = 500

/** Receives the results of the sealer. */
export interface SealListener {
  /** Called after the commit, when the head of a chain has moved. */
  moved(organizationId: string, head: { readonly sequence: number; readonly hash: string }): void
  /** Called with the number of unsealed records that this service did not write, which may be 0. */
  rejected(organizationId: string, count: number): void
}

export interface SealDependencies extends Sealing, KeyRingDependencies {
  readonly database: Database
  readonly listener?: SealListener
}

/**
 * Assigns every unsealed record its position in the chain of its organization. Writers do not wait for this:
 * they add signed records without a position, and sealers then lock the head of each chain one after the
 * other. A record that this service did not write is never sealed. If a chain is broken, all other chains are
 * sealed first, and then the call rejects.
 */
export async function sealAuditLog(dependencies: SealDependencies): Promise<number> {
  let sealedCount = 0
  const failures: unknown[] = []
  for (const organizationId of await dependencies.database.stores.audit.organizationsToSeal()) {
    try {
      sealedCount += await sealOrganization(dependencies, organizationId)
    } catch (error) {
      failures.push(error)
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, 'Some audit records could not be sealed.')
  return sealedCount
}

async function sealOrganization(dependencies: SealDependencies, organizationId: string): Promise<number> {
  let sealedCount = 0
  let rejectedCount = 0
  let afterId: string | null = null
  for (;;) {
    const batch = await sealBatch(dependencies, organizationId, afterId)
    sealedCount += batch.sealedCount
    rejectedCount += batch.readCount - batch.sealedCount
    if (batch.head !== null) dependencies.listener?.moved(organizationId, batch.head)
    if (batch.readCount < batchSize) break
    afterId = batch.lastId
  }
  dependencies.listener?.rejected(organizationId, rejectedCount)
  return sealedCount
}

interface Batch {
  readonly readCount: number
  readonly lastId: string | null
  readonly sealedCount: number
  /** Null if the head has not moved. */
  readonly head: { readonly sequence: number; readonly hash: string } | null
}

function sealBatch(
  { database, ...sealing }: SealDependencies,
  organizationId: string,
  afterId: string | null,
): Promise<Batch> {
  return database.transaction(async (stores) => {
    const { audit } = stores
    const head = await audit.lockHead(organizationId)
    // The head was forged, or sealed by an instance with a newer secret.
    if (head.seal !== null && !isGenuine(sealing.chainKeys, organizationId, head))
      throw new Error(`The head of the audit log of ${organizationId} was not sealed by this service.`)
    const records = await audit.unsealed(organizationId, { afterId, limit: batchSize })
    const judgement = await prepareJudgement(sealing, audit, records, head)
    const [first] = records
    if (first === undefined) return { readCount: 0, lastId: null, sealedCount: 0, head: null }
    if (head.seal === null && !(isEmpty(head) && mayBeginWith(judgement, first)))
      throw new Error(`The head of the audit log of ${organizationId} is missing.`)
    const sealable = records.filter((record) => isSealable(judgement, record))
    const seals = sealsAfter(sealing.chainKeys.current(), head, sealable, judgement.now)
    const read = { readCount: records.length, lastId: records.at(-1)?.id ?? null }
    const last = seals.at(-1)
    if (last === undefined) return { ...read, sealedCount: 0, head: null }
    await audit.seal(seals)
    const { sequence, hash } = last
    await moveHead(sealing, audit, { ...head, organizationId, sequence, hash })
    return { ...read, sealedCount: seals.length, head: { sequence, hash } }
  })
}

/** Reads retired keys and the changeover record only if a record or the head needs them. */
async function prepareJudgement(
  { clock, chainKeys, cipher }: Omit<SealDependencies, 'database'>,
  audit: AuditStore,
  records: readonly StoredAuditRecord[],
  head: ChainHead,
): Promise<Judgement> {
  const now = clock.now().toISOString()
  const inUse: KeyRing = new Map(chainKeys.inUse().map((key) => [key.id, key]))
  const isCurrent = records.every(({ signature }) => signature !== null && inUse.has(keyIdOf(signature)))
  if (isCurrent && head.seal !== null) return { keyRing: inUse, changeover: noChangeover, now }
  const [organizationId] = records.map((record) => record.organizationId)
  const keyRing = await openKeyRing({ chainKeys, cipher }, { audit })
  if (organizationId === undefined) return { keyRing, changeover: noChangeover, now }
  return { keyRing, changeover: await readChangeover(keyRing, audit, organizationId), now }
}

/** Returns the seals of these records, which follow the head of the chain in this order. */
function sealsAfter(
  key: ChainKey,
  head: ChainHead,
  records: readonly StoredAuditRecord[],
  sealedAt: string,
): Seal[] {
  let { sequence, hash } = head
  return records.map(({ organizationId, id, canonical, signature }) => {
    sequence += 1
    hash = hashAfter(key, hash, canonical)
    const sealProof = sealProofOf(key, organizationId, { sequence, hash, sealedAt, signature })
    return { id, sequence, hash, keyId: key.id, sealedAt, sealProof }
  })
}
