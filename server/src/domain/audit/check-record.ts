import type { ChainPlace, StoredAuditRecord } from '../../ports/audit-store.js'
import { canonicalText } from './canonical-text.js'
import { hashAfter } from './chain-hash.js'
import type { KeyRing } from './key-ring.js'

export type CheckedRecord =
  | { readonly ok: true; readonly place: ChainPlace }
  | { readonly ok: false; readonly mistake: string }

/** What tells how records were sealed. */
export interface RecordCheck {
  readonly keyRing: KeyRing
  /** The last record that may have a bare hash. */
  readonly bareThrough: number
}

/** Whether a record is the next one behind `previous`, and its place in the chain if it is. */
export function checkNext(
  { keyRing, bareThrough }: RecordCheck,
  previous: ChainPlace,
  record: StoredAuditRecord,
): CheckedRecord {
  const sequence = previous.sequence + 1
  const mistaken = (mistake: string) => ({ ok: false, mistake }) as const
  if (record.sequence !== sequence) return mistaken(`Record ${sequence} is missing.`)
  if (canonicalText(record) !== record.canonical)
    return mistaken(`Record ${sequence} was changed after it was written.`)
  if (record.keyId === null && sequence > bareThrough)
    return mistaken(`The hash of record ${sequence} was made without a key.`)
  const key = record.keyId === null ? null : keyRing.get(record.keyId)
  if (key === undefined)
    return mistaken(
      `The hash of record ${sequence} was made with the key ${record.keyId}, which is not known here.`,
    )
  const hash = hashAfter(key, previous.hash, record.canonical)
  if (hash !== record.hash) return mistaken(`The hash of record ${sequence} does not fit.`)
  return { ok: true, place: { sequence, hash } }
}
