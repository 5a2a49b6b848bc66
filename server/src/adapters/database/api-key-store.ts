import { and, eq, isNull, sql } from 'drizzle-orm'
import type { ApiKeyRecord, ApiKeyStore } from '../../ports/api-key-store.js'
import type { Handle } from './handle.js'
import { resourceStore } from './resource-table.js'
import { apiKey } from './schema.js'

export function makeApiKeyStore(handle: Handle): ApiKeyStore {
  // Every request of the API begins with this one; prepared, it costs half.
  const byPrefix = handle
    .select()
    .from(apiKey)
    .where(eq(apiKey.prefix, sql.placeholder('prefix')))
    .prepare('api_key_by_prefix')

  return {
    ...resourceStore<ApiKeyRecord, Record<string, never>>(handle, apiKey, {
      matching: () => [],
      softDelete: { isPresent: isNull(apiKey.deletedAt), mark: (at) => ({ deletedAt: at }) },
    }),

    async findByPrefix(prefix) {
      const rows = await byPrefix.execute({ prefix })
      return rows[0] ?? null
    },

    async findAnywhere(id) {
      const rows = await handle
        .select()
        .from(apiKey)
        .where(and(eq(apiKey.id, id), isNull(apiKey.deletedAt)))
      return rows[0] ?? null
    },

    async touch(id, at) {
      await handle.update(apiKey).set({ lastUsedAt: at }).where(eq(apiKey.id, id))
    },
  }
}
