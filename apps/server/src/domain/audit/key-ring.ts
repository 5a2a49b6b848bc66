import type { RetiredKey } from '../../ports/audit-store.js'
import type { Stores } from '../../ports/database.js'
import type { ChainKey, ChainKeys, Cipher } from '../../ports/secrets.js'
import { isGenuine, moveHead, type Sealing } from './chain-head.js'

export interface KeyRingDependencies {
  readonly chainKeys: ChainKeys
  readonly cipher: Cipher
}

/** Every key that records may have been sealed with, by id. */
export type KeyRing = ReadonlyMap<string, ChainKey>

/** The place that a retired key is sealed for: it opens under its own id alone. */
const contextOf = (keyId: string) => `audit_key/${keyId}`

/** The keys in use, and those of secrets that were replaced. */
export async function openKeyRing(
  { chainKeys, cipher }: KeyRingDependencies,
  { audit }: Pick<Stores, 'audit'>,
): Promise<KeyRing> {
  const retired = openKeys(cipher, await audit.retiredKeys())
  return new Map([...retired, ...chainKeys.inUse()].map((key) => [key.id, key]))
}

/** A key that does not open was changed by somebody: what was sealed with it cannot be checked, as `verify` then says. */
export function openKeys(cipher: Cipher, retired: readonly RetiredKey[]): readonly ChainKey[] {
  return retired.flatMap(({ id, sealedKey }): ChainKey[] => {
    try {
      return [{ id, bytes: Buffer.from(cipher.open(sealedKey, contextOf(id)), 'base64url') }]
    } catch {
      return []
    }
  })
}

/**
 * Keeps the keys of replaced secrets, sealed with the current one: old records stay verifiable when their secret is
 * gone. Whoever has that secret can still not change them unseen, since newer hashes stand upon theirs.
 */
export async function retireKeys(
  { chainKeys, cipher }: KeyRingDependencies,
  stores: Pick<Stores, 'audit'>,
): Promise<void> {
  const current = chainKeys.current()
  for (const { id, bytes } of (await openKeyRing({ chainKeys, cipher }, stores)).values())
    if (id !== current.id)
      await stores.audit.putRetiredKey({
        id,
        sealedKey: cipher.seal(Buffer.from(bytes).toString('base64url'), contextOf(id)),
      })
}

/** Seals the head of a chain with the key that seals now. One that is not as it was sealed is left as it was found. */
export async function resealHead(
  sealing: Sealing,
  { audit }: Pick<Stores, 'audit'>,
  organizationId: string,
): Promise<void> {
  const head = await audit.lockHead(organizationId)
  if (head.keyId === sealing.chainKeys.current().id) return
  if (isGenuine(sealing.chainKeys, organizationId, head))
    await moveHead(sealing, audit, { ...head, organizationId })
}
