import { timingSafeEqual } from 'node:crypto'
import type { AuditLogHead } from '@parley/contract'
import type { AuditChangeover, AuditStore, ChainExtent, ChainHead } from '../../ports/audit-store.js'
import type { ChainKey, ChainKeys } from '../../ports/secrets.js'
import type { Clock } from '../../ports/time.js'
import type { CallerScope } from '../caller-scope.js'
import { sealOf } from './chain-hash.js'

export interface Sealing {
  readonly clock: Clock
  readonly chainKeys: ChainKeys
}

/**
 * The head of an empty chain. It has no bare records. Bare records are older than the chain keys and were
 * hashed without a key.
 */
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

/**
 * Moves the head of a chain to a new position and seals it. The caller must hold its lock. No other function
 * writes heads.
 */
export async function moveHead(
  { clock, chainKeys }: Sealing,
  audit: AuditStore,
  { organizationId, ...extent }: ChainExtent & { readonly organizationId: string },
): Promise<void> {
  const head = sealHead(chainKeys.current(), organizationId, extent, clock.now().toISOString())
  await audit.replaceHead(organizationId, head)
}

function sealHead(key: ChainKey, organizationId: string, extent: ChainExtent, sealedAt: string): ChainHead {
  const { sequence, hash, bareThrough, removedThrough, removedHash } = extent
  const head = { sequence, hash, bareThrough, removedThrough, removedHash, sealedAt }
  return { ...head, keyId: key.id, seal: sealOf(key, organizationId, head) }
}

export const sealEmptyHead = (key: ChainKey, organizationId: string, sealedAt: string): ChainHead =>
  sealHead(key, organizationId, beginning, sealedAt)

/** Creates the head of an organization's chain. Called in the transaction that creates the organization. */
export async function beginChain(sealing: Sealing, audit: AuditStore, organizationId: string): Promise<void> {
  await moveHead(sealing, audit, { ...(await audit.lockHead(organizationId)), organizationId })
}

/** Returns whether the chain is empty and its head was never sealed. */
export const isEmpty = ({ seal, sequence, hash, bareThrough, removedThrough }: ChainHead): boolean =>
  seal === null && sequence === 0 && hash === '' && bareThrough === 0 && removedThrough === 0

/** Returns whether the head is unmodified: its seal matches one of the secrets in use. */
export function isGenuine(chainKeys: ChainKeys, organizationId: string, head: ChainHead): boolean {
  return isSealedWith(chainKeys.inUse(), organizationId, head)
}

/** Returns whether the head is unmodified: its seal matches one of these keys. */
export function isSealedWith(keys: readonly ChainKey[], organizationId: string, head: ChainHead): boolean {
  if (head.seal === null) return false
  const key = keys.find(({ id }) => id === head.keyId)
  if (key === undefined) return false
  const [expected, found] = [Buffer.from(sealOf(key, organizationId, head)), Buffer.from(head.seal)]
  return expected.length === found.length && timingSafeEqual(expected, found)
}

/** Returns the head in the API format. */
export async function readHead({ stores, caller }: CallerScope): Promise<AuditLogHead> {
  const { organizationId } = caller
  const head = (await stores.audit.findHead(organizationId)) ?? beginning
  const changeover = changeoverOf(organizationId, await stores.audit.findChangeover(organizationId))
  return {
    ...head,
    organizationId,
    hash: orNull(head.hash),
    removedHash: orNull(head.removedHash),
    changeover,
  }
}

function changeoverOf(organizationId: string, found: AuditChangeover | null): AuditLogHead['changeover'] {
  if (found?.organizationId !== organizationId) return null
  const { unsignedThrough, unsignedUntil, keyId, seal } = found
  return { unsignedThrough, unsignedUntil, keyId, seal }
}

/** Converts a head from the API to the format in which it was sealed. */
export function headOf({ hash, removedHash, ...head }: Omit<AuditLogHead, 'changeover'>): ChainHead {
  return { ...head, hash: hash ?? '', removedHash: removedHash ?? '' }
}

const orNull = (hash: string) => (hash === '' ? null : hash)
