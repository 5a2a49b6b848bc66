import { hash, randomBytes, timingSafeEqual } from 'node:crypto'
import {
  type ApiKeyInput,
  type ApiKeyListQuery,
  coversScope,
  delegatedScopes,
  type Page,
  type Scope,
} from '@parley/contract'
import type { Database, Stores } from '../../ports/database.js'
import type { ApiKeyRecord } from '../../ports/people-stores.js'
import type { Clock } from '../../ports/time.js'
import { recordChange } from '../audit/record-change.js'
import type { Caller, CallerScope } from '../caller-scope.js'
import { DomainError, invalidRequest } from '../domain-error.js'
import type { Limits } from '../limits/organization-limits.js'
import {
  addResource,
  listResources,
  newResource,
  readResource,
  removeResource,
} from '../resources/resource.js'

const type = 'ApiKey'

export type ApiKeys = ReturnType<typeof makeApiKeys>

export function makeApiKeys({ clock, limits }: { readonly clock: Clock; readonly limits: Limits }) {
  const kind = { type, clock, limits, counted: 'apiKeys', store: (stores: Stores) => stores.apiKeys } as const

  return {
    list: (scope: CallerScope, query: ApiKeyListQuery): Promise<Page<ApiKeyRecord>> =>
      listResources(kind, scope, { query, filter: {} }),

    read: (scope: CallerScope, id: string) => readResource(kind, scope, id),

    /** Creates a key. Only this response contains the text of the key, because only its hash is stored. */
    async create(scope: CallerScope, input: ApiKeyInput): Promise<ApiKeyRecord & { readonly key: string }> {
      const { caller } = scope
      refuseMoreThanCaller(clock, caller, input)
      const key = generateApiKey()
      const record = makeApiKey(clock, caller.organizationId, { ...input, key })
      await addResource(kind, scope, record)
      const { id, name, scopes } = record
      await recordChange(clock, scope, { action: 'api_key.create', type, id, details: { name, scopes } })
      return { ...record, key }
    },

    async remove(scope: CallerScope, id: string): Promise<undefined> {
      const check = (current: ApiKeyRecord) => refuseLastManagingKey(clock, scope, current)
      const { name } = await removeResource(kind, scope, { id, ifMatch: null, check })
      await recordChange(clock, scope, { action: 'api_key.delete', type, id, details: { name } })
    },
  }
}

/**
 * Throws if no key with the scope to manage keys would remain, because the organization could then not create
 * one.
 */
async function refuseLastManagingKey(
  clock: Clock,
  { stores, caller: { organizationId } }: CallerScope,
  { scopes, expiresAt }: ApiKeyRecord,
): Promise<void> {
  const now = clock.now().toISOString()
  const isManaging = coversScope(scopes, 'org:manage') && (expiresAt === null || expiresAt > now)
  if (!isManaging) return
  await stores.apiKeys.lockManagement(organizationId)
  if ((await stores.apiKeys.countManaging(organizationId, now)) <= 1)
    throw new DomainError(
      'LastManagingKey',
      'This is the last API key that can manage the organization. Create another key with org:manage first.',
    )
}

/** Returns the row of the key with this text. */
export function makeApiKey(
  clock: Clock,
  organizationId: string,
  { key, ...input }: ApiKeyInput & { readonly key: string },
): ApiKeyRecord {
  return {
    ...newResource(clock, organizationId),
    ...input,
    scopes: [...new Set(input.scopes)],
    prefix: requirePrefix(key),
    hash: hashApiKey(key),
    lastUsedAt: null,
    deletedAt: null,
  }
}

function requirePrefix(key: string): string {
  const prefix = prefixOfApiKey(key)
  if (prefix === null) throw new Error('Invalid API key format.')
  return prefix
}

/**
 * Throws if the new key would get scopes that its creator does not have, or would expire later than the
 * creator's own key.
 */
function refuseMoreThanCaller(clock: Clock, caller: Caller, input: ApiKeyInput): void {
  if (input.expiresAt !== null && Date.parse(input.expiresAt) <= clock.now().getTime())
    throw invalidRequest([{ path: 'expiresAt', message: 'must be in the future' }])
  const missing = input.scopes.filter(
    (scope) => !coversScope(caller.scopes, scope) && !mayDelegate(caller, scope),
  )
  if (missing.length > 0)
    throw new DomainError(
      'Forbidden',
      `A key can only grant scopes that it has itself. Missing: ${missing.join(', ')}.`,
    )
  if (caller.expiresAt !== null && (input.expiresAt === null || input.expiresAt > caller.expiresAt))
    throw new DomainError(
      'Forbidden',
      `A key cannot create a key that expires later than itself (${caller.expiresAt}).`,
    )
}

/** No role includes these scopes. An owner grants them to a key explicitly. */
function mayDelegate({ role, actor }: Caller, scope: Scope): boolean {
  return (role === 'owner' || actor.type === 'operator') && delegatedScopes.some((each) => each === scope)
}

/**
 * The result of an authentication. A rejection includes the key if it is known, so that the audit log of its
 * organization can record the rejection.
 */
export type Authentication =
  | { readonly ok: true; readonly key: ApiKeyRecord }
  | { readonly ok: false; readonly reason: 'missing' | 'unknown'; readonly key: null }
  | { readonly ok: false; readonly reason: 'expired' | 'deleted'; readonly key: ApiKeyRecord }

const lastUsedPrecisionMilliseconds = 60_000

/** Returns the key with this prefix in its current state. */
type FindKey = (prefix: string) => Promise<ApiKeyRecord | null>

export async function authenticate(
  findKey: FindKey,
  clock: Clock,
  presented: string,
  // For callers that have read the key already.
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

/** Records that a key was used. Writes at most once a minute, so that reads rarely cause a write. */
export async function noteUse(database: Database, clock: Clock, key: ApiKeyRecord): Promise<void> {
  const now = clock.now()
  const last = key.lastUsedAt === null ? 0 : Date.parse(key.lastUsedAt)
  if (now.getTime() - last < lastUsedPrecisionMilliseconds) return
  const { organizationId } = key
  await database.ownedBy({ organizationId, kind: 'call' }).stores.apiKeys.touch(key.id, now.toISOString())
}

const form = /^prl_([A-Za-z0-9]{8})_[A-Za-z0-9_-]{43}$/
const prefixAlphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/** Generates a key: `prl_<8 characters to look it up>_<256 random bits>`. */
export function generateApiKey(): string {
  const prefix = [...randomBytes(8)].map((byte) => prefixAlphabet[byte % prefixAlphabet.length]).join('')
  return `prl_${prefix}_${randomBytes(32).toString('base64url')}`
}

/** Returns the part of a key that identifies its row, or null if the text is not a key. */
export function prefixOfApiKey(key: string): string | null {
  return form.exec(key)?.[1] ?? null
}

/**
 * The stored hash of a key. A plain hash is sufficient, because a key has 256 random bits and cannot be
 * guessed.
 */
export function hashApiKey(key: string): string {
  return hash('sha256', key, 'hex')
}

function isSameHash(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one, 'hex'), Buffer.from(other, 'hex')]
  return left.length === right.length && timingSafeEqual(left, right)
}
