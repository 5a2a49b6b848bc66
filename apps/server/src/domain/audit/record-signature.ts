import { createHmac, timingSafeEqual } from 'node:crypto'
import type { AuditSigning, ChangeoverStatement, NewAuditRecord, Seal } from '../../ports/audit-store.js'
import type { ChainKey, ChainKeys } from '../../ports/secrets.js'
import { canonicalJson } from '../json-text.js'
import { sealEmptyHead } from './chain-head.js'
import type { KeyRing } from './key-ring.js'

/*
 * Signatures prove that this service wrote a record, and when it sealed the record. Their keys are derived
 * from the chain keys, one per purpose, so that a signature for one purpose is never valid for another.
 */

type Purpose = 'signature' | 'seal proof' | 'changeover'

type Signed = Pick<NewAuditRecord, 'organizationId' | 'id' | 'canonical'>

const derivedKeys = new WeakMap<ChainKey, Map<Purpose, Buffer>>()

function keyFor(key: ChainKey, purpose: Purpose): Buffer {
  const known = derivedKeys.get(key) ?? new Map<Purpose, Buffer>()
  derivedKeys.set(key, known)
  const derived = known.get(purpose) ?? createHmac('sha256', key.bytes).update(`audit ${purpose}`).digest()
  known.set(purpose, derived)
  return derived
}

const macOf = (key: ChainKey, purpose: Purpose, text: string) =>
  createHmac('sha256', keyFor(key, purpose)).update(text).digest('hex')

function isEqual(one: string, other: string): boolean {
  const [first, second] = [Buffer.from(one), Buffer.from(other)]
  return first.length === second.length && timingSafeEqual(first, second)
}

const signatureBy = (key: ChainKey, { organizationId, id, canonical }: Signed) =>
  `${key.id}.${macOf(key, 'signature', `${organizationId}\n${id}\n${canonical}`)}`

export const keyIdOf = (signature: string): string => signature.slice(0, signature.indexOf('.'))

/** Returns whether the record was signed with one of these keys. */
export function isSignedBy(
  keys: Pick<KeyRing, 'get'>,
  record: Signed & { readonly signature: string },
): boolean {
  const key = keys.get(keyIdOf(record.signature))
  return key !== undefined && isEqual(signatureBy(key, record), record.signature)
}

/** Authenticates the position in the chain, the record's signature and the sealing time together. */
export function sealProofOf(
  key: ChainKey,
  organizationId: string,
  {
    sequence,
    hash,
    sealedAt,
    signature,
  }: Pick<Seal, 'sequence' | 'hash' | 'sealedAt'> & { readonly signature: string | null },
): string {
  return macOf(
    key,
    'seal proof',
    `${organizationId}\n${sequence}\n${hash}\n${sealedAt}\n${signature ?? 'unsigned'}`,
  )
}

/** Returns the seal of a changeover record. */
export function changeoverSealOf(key: ChainKey, statement: ChangeoverStatement): string {
  const { organizationId, unsignedThrough, unsignedUntil } = statement
  return macOf(key, 'changeover', canonicalJson({ organizationId, unsignedThrough, unsignedUntil }))
}

/** Signs with the current key. */
export function makeAuditSigning(
  chainKeys: ChainKeys,
  requireSecret: AuditSigning['requireSecret'],
): AuditSigning {
  return {
    requireSecret,
    sign: (record) => signatureBy(chainKeys.current(), record),
    sealChangeover(statement) {
      const key = chainKeys.current()
      return { ...statement, keyId: key.id, seal: changeoverSealOf(key, statement) }
    },
    sealEmptyHead: (organizationId, sealedAt) => sealEmptyHead(chainKeys.current(), organizationId, sealedAt),
  }
}
