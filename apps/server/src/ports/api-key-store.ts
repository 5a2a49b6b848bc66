import type { ApiKey } from '@parley/contract'
import type { ResourceRecord, ResourceStore } from './resource-store.js'

export interface ApiKeyRecord extends Readonly<ApiKey>, ResourceRecord {
  /** SHA-256 of the whole key, in hex. The key itself is stored nowhere. */
  readonly hash: string
  readonly deletedAt: string | null
}

export interface ApiKeyStore extends ResourceStore<ApiKeyRecord, Record<string, never>> {
  /** The key of this prefix in whichever organization, deleted ones too: a refusal should know whom it refuses. */
  findByPrefix(prefix: string): Promise<ApiKeyRecord | null>
  /** The key of this id in whichever organization, unless it was deleted. */
  findAnywhere(id: string): Promise<ApiKeyRecord | null>
  /** Makes deletions of keys that manage the organization take turns, until their transactions end. */
  lockManagement(organizationId: string): Promise<void>
  /** How many keys can manage the organization and have not expired by then. */
  countManaging(organizationId: string, now: string): Promise<number>
  /** Notes that the key was used. */
  touch(id: string, at: string): Promise<void>
}
