import type { ApiKeyRecord } from '../../ports/api-key-store.js'
import type { Clock } from '../../ports/clock.js'
import type { Database } from '../../ports/database.js'
import { hashApiKey, isSameHash, prefixOfApiKey } from './api-key-secret.js'

/** What came of a presented key. A refusal names the key where it is a known one: its organization's audit log has it. */
export type Authentication =
  | { readonly ok: true; readonly key: ApiKeyRecord }
  | { readonly ok: false; readonly reason: 'missing' | 'unknown'; readonly key: null }
  | { readonly ok: false; readonly reason: 'expired' | 'deleted'; readonly key: ApiKeyRecord }

const lastUsedPrecisionMilliseconds = 60_000

/** Finds the key of this prefix, as it is now. */
export type FindKey = (prefix: string) => Promise<ApiKeyRecord | null>

export async function authenticate(
  findKey: FindKey,
  clock: Clock,
  presented: string,
  // For whoever has it already.
  hash: string = hashApiKey(presented),
): Promise<Authentication> {
  if (presented === '') return { ok: false, reason: 'missing', key: null }
  const prefix = prefixOfApiKey(presented)
  const key = prefix === null ? null : await findKey(prefix)
  if (key === null || !isSameHash(key.hash, hash)) return { ok: false, reason: 'unknown', key: null }
  if (key.deletedAt !== null) return { ok: false, reason: 'deleted', key }
  const now = clock.now()
  if (key.expiresAt !== null && Date.parse(key.expiresAt) <= now.getTime())
    return { ok: false, reason: 'expired', key }
  return { ok: true, key }
}

/** Notes the use of a key, at most once a minute, so that reading does not become writing. */
export async function noteUse(database: Database, clock: Clock, key: ApiKeyRecord): Promise<void> {
  const now = clock.now()
  const last = key.lastUsedAt === null ? 0 : Date.parse(key.lastUsedAt)
  if (now.getTime() - last < lastUsedPrecisionMilliseconds) return
  const { organizationId } = key
  await database.ownedBy({ organizationId, kind: 'call' }).stores.apiKeys.touch(key.id, now.toISOString())
}
