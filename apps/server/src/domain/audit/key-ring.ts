import type { RetiredKey } from '../../ports/audit-store.js'
import type { Stores } from '../../ports/database.js'
import type { ChainKey, ChainKeys, Cipher } from '../../ports/secrets.js'
import { isGenuine, moveHead, type Sealing } from './chain-head.js'

export interface KeyRingDependencies {
  readonly chainKeys: ChainKeys
  readonly cipher: Cipher
}

/** All keys that may have sealed records, by id. */
export type KeyRing = ReadonlyMap<string, ChainKey>

/** The sealing context of a retired key, which contains the key's id. */
const contextOf = (keyId: string) => `audit_key/${keyId}`

/** Returns the keys in use and the retired keys of replaced secrets. */
export async function openKeyRing(
  { chainKeys, cipher }: KeyRingDependencies,
  { audit }: Pick<Stores, 'audit'>,
): Promise<KeyRing> {
  const retired = openKeys(cipher, await audit.retiredKeys())
  return new Map([...retired, ...chainKeys.inUse()].map((key) => [key.id, key]))
}

/**
 * Skips keys that cannot be opened because they were tampered with. `verify` then reports the records that
 * were sealed with them.
 */
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
 * Stores the keys of replaced secrets, sealed with the current secret, so that old records can still be
 * verified. An attacker with an old secret cannot change those records unnoticed, because newer hashes depend
 * on them.
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

/** Seals the head of a chain with the current key. Leaves a head with an invalid seal unchanged. */
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
