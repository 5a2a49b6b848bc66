import type { ChainedRecord, ChainPosition } from '../../ports/audit-store.js'
import { isAsWritten } from './canonical-text.js'
import { hashAfter } from './chain-hash.js'
import type { KeyRing } from './key-ring.js'
import { sealProofOf } from './record-signature.js'

export type CheckedRecord =
  | {
      readonly ok: true
      readonly place: ChainPosition
      readonly isLate: boolean
      readonly isUnsigned: boolean
    }
  | { readonly ok: false; readonly mistake: string }

/** How records were sealed. */
export interface RecordCheck {
  readonly keyRing: KeyRing
  /**
   * The position of the last bare record. Bare records are older than the chain keys and were hashed without
   * a key.
   */
  readonly bareThrough: number
  /** The last record that may lack a sealing time. */
  readonly unsignedThrough: number
}

/** The maximum time between writing and sealing a record. A record that was sealed later is reported. */
const lateMilliseconds = 60_000

/** The fields of a record that determine its position in the chain. */
export interface ChainLink
  extends Pick<
    ChainedRecord,
    | 'organizationId'
    | 'at'
    | 'sequence'
    | 'canonical'
    | 'hash'
    | 'keyId'
    | 'signature'
    | 'sealedAt'
    | 'sealProof'
  > {
  /** Whether its fields match the sealed text. */
  readonly isAsWritten: boolean
}

/** Returns the chain fields of a stored record. */
export function linkOf(record: ChainedRecord): ChainLink {
  const { organizationId, at, sequence, canonical, hash, keyId, signature, sealedAt, sealProof } = record
  const seal = { sequence, canonical, hash, keyId, signature, sealedAt, sealProof }
  return { organizationId, at, ...seal, isAsWritten: isAsWritten(record) }
}

/** Checks whether a record directly follows `previous`. If so, returns its position in the chain. */
export function checkNext(
  { keyRing, bareThrough, unsignedThrough }: RecordCheck,
  previous: ChainPosition,
  record: ChainLink,
): CheckedRecord {
  const sequence = previous.sequence + 1
  const mistaken = (mistake: string) => ({ ok: false, mistake }) as const
  if (record.sequence !== sequence) return mistaken(`Record ${sequence} is missing.`)
  if (!record.isAsWritten) return mistaken(`Record ${sequence} was changed after it was written.`)
  if (record.keyId === null && sequence > bareThrough)
    return mistaken(`The hash of record ${sequence} was computed without a key.`)
  const key = record.keyId === null ? null : keyRing.get(record.keyId)
  if (key === undefined)
    return mistaken(
      `The hash of record ${sequence} was computed with the key ${record.keyId}, which is not known here.`,
    )
  const hash = hashAfter(key, previous.hash, record.canonical)
  if (hash !== record.hash) return mistaken(`The hash of record ${sequence} does not match its content.`)
  const place = { sequence, hash }
  const { sealedAt, signature } = record
  if (sealedAt === null)
    return sequence <= unsignedThrough
      ? { ok: true, place, isLate: false, isUnsigned: false }
      : mistaken(`Record ${sequence} has no sealing time.`)
  const proof =
    key === null ? null : sealProofOf(key, record.organizationId, { ...place, sealedAt, signature })
  if (proof !== record.sealProof)
    return mistaken(`The signature or the sealing time of record ${sequence} was changed.`)
  const isLate = Date.parse(sealedAt) - Date.parse(record.at) > lateMilliseconds
  return { ok: true, place, isLate, isUnsigned: signature === null }
}
