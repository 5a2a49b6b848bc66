import { timingSafeEqual } from 'node:crypto'
import type { AuditLogHead } from '@parley/contract'
import type { AuditStore, ChainExtent, ChainHead } from '../../ports/audit-store.js'
import type { ChainKey, ChainKeys } from '../../ports/chain-keys.js'
import type { Clock } from '../../ports/clock.js'
import type { CallerScope } from '../caller-scope.js'
import { sealOf } from './chain-hash.js'

/** What sealing takes. */
export interface Sealing {
  readonly clock: Clock
  readonly chainKeys: ChainKeys
}

/** Before the first record of a chain. */
export const beginning: ChainHead = {
  sequence: 0,
  hash: '',
  bareThrough: 0,
  removedThrough: 0,
  removedHash: '',
  sealedAt: null,
  keyId: null,
  seal: null,
}

/** Moves the head of a chain, which the caller has locked, and seals it: the one place where a head comes to be. */
export async function moveHead(
  { clock, chainKeys }: Sealing,
  audit: AuditStore,
  { organizationId, ...extent }: ChainExtent & { readonly organizationId: string },
): Promise<void> {
  const { sequence, hash, bareThrough, removedThrough, removedHash } = extent
  const key = chainKeys.current()
  const next = {
    ...{ sequence, hash, bareThrough, removedThrough, removedHash },
    sealedAt: clock.now().toISOString(),
  }
  const seal = sealOf(key, organizationId, next)
  await audit.replaceHead(organizationId, { ...next, keyId: key.id, seal })
}

/** Whether a head is as it was sealed, with a secret that is in use. A chain without any record has no seal yet. */
export function isGenuine(chainKeys: ChainKeys, organizationId: string, head: ChainHead): boolean {
  return isSealedWith(chainKeys.inUse(), organizationId, head)
}

/** Whether a head is as it was sealed, with one of these keys. */
export function isSealedWith(keys: readonly ChainKey[], organizationId: string, head: ChainHead): boolean {
  if (head.seal === null)
    return head.sequence === 0 && head.hash === '' && head.bareThrough === 0 && head.removedThrough === 0
  const key = keys.find(({ id }) => id === head.keyId)
  if (key === undefined) return false
  const [expected, found] = [Buffer.from(sealOf(key, organizationId, head)), Buffer.from(head.seal)]
  return expected.length === found.length && timingSafeEqual(expected, found)
}

/** The head as callers see it. */
export async function readHead({ stores, caller }: CallerScope): Promise<AuditLogHead> {
  const { organizationId } = caller
  const head = (await stores.audit.findHead(organizationId)) ?? beginning
  return { ...head, organizationId, hash: orNull(head.hash), removedHash: orNull(head.removedHash) }
}

/** A head that was read, as it was sealed. */
export function headOf({ hash, removedHash, ...head }: AuditLogHead): ChainHead {
  return { ...head, hash: hash ?? '', removedHash: removedHash ?? '' }
}

const orNull = (hash: string) => (hash === '' ? null : hash)
