import { type ApiKeyInput, type ApiKeyListQuery, coversScope, type Page } from '@parley/contract'
import type { ApiKeyRecord } from '../../ports/api-key-store.js'
import type { Clock } from '../../ports/clock.js'
import type { Stores } from '../../ports/database.js'
import { recordChange } from '../audit/record-change.js'
import type { Caller } from '../caller.js'
import { DomainError, invalidRequest } from '../domain-error.js'
import { newResource } from '../resources/new-resource.js'
import { addResource, listResources, readResource, removeResource } from '../resources/resource.js'
import { generateApiKey, hashApiKey, prefixOfApiKey } from './api-key-secret.js'

const kind = { type: 'ApiKey', store: (stores: Stores) => stores.apiKeys } as const

export type ApiKeys = ReturnType<typeof makeApiKeys>

export function makeApiKeys({ clock }: { readonly clock: Clock }) {
  return {
    list: (stores: Stores, caller: Caller, query: ApiKeyListQuery): Promise<Page<ApiKeyRecord>> =>
      listResources(kind, stores, caller, {}, query),

    read: (stores: Stores, caller: Caller, id: string) => readResource(kind, stores, caller, id),

    /** Makes a key. Its text is in the answer alone; what is stored cannot be turned back into it. */
    async create(
      stores: Stores,
      caller: Caller,
      input: ApiKeyInput,
    ): Promise<ApiKeyRecord & { readonly key: string }> {
      refuseMoreThanCaller(caller, input, clock)
      const key = generateApiKey()
      const record = makeApiKey(clock, caller.organizationId, key, input)
      await addResource(kind, stores, record)
      const details = { name: record.name, scopes: record.scopes }
      await recordChange(stores, clock, caller, {
        action: 'api_key.create',
        type: kind.type,
        id: record.id,
        details,
      })
      return { ...record, key }
    },

    async remove(stores: Stores, caller: Caller, id: string): Promise<undefined> {
      const removed = await removeResource(kind, stores, clock, caller, id, null)
      const details = { name: removed.name }
      await recordChange(stores, clock, caller, { action: 'api_key.delete', type: kind.type, id, details })
    },
  }
}

/** The row of a key whose text is known. */
export function makeApiKey(
  clock: Clock,
  organizationId: string,
  key: string,
  input: ApiKeyInput,
): ApiKeyRecord {
  return {
    ...newResource(clock, organizationId),
    ...input,
    scopes: [...new Set(input.scopes)],
    prefix: prefixOfApiKey(key) ?? '',
    hash: hashApiKey(key),
    lastUsedAt: null,
    deletedAt: null,
  }
}

/** A key must not be a way to more than one has: neither to more scopes nor to more time. */
function refuseMoreThanCaller(caller: Caller, input: ApiKeyInput, clock: Clock): void {
  if (input.expiresAt !== null && Date.parse(input.expiresAt) <= clock.now().getTime())
    throw invalidRequest([{ path: 'expiresAt', message: 'must lie in the future' }])
  const missing = input.scopes.filter((scope) => !coversScope(caller.scopes, scope))
  if (missing.length > 0)
    throw new DomainError(
      'Forbidden',
      `The calling key cannot give what it does not have: ${missing.join(', ')}.`,
    )
  if (caller.expiresAt !== null && (input.expiresAt === null || input.expiresAt > caller.expiresAt))
    throw new DomainError(
      'Forbidden',
      `The calling key expires at ${caller.expiresAt}; a key it makes must not live longer.`,
    )
}
