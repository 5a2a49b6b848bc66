import type { Scope } from '@parley/contract'
import { and, eq, getTableColumns, gt, isNull, or, sql } from 'drizzle-orm'
import type { ApiKeyRecord, ApiKeyStore } from '../../ports/people-stores.js'
import type { Handle } from './handle.js'
import { lockOrganization } from './locks.js'
import { resourceStore } from './resource-store.js'
import { apiKey } from './schema.js'
import { builder, placeholder, selectStatement } from './statement.js'

const managingScope: Scope = 'org:manage'

/** Every API request starts with this statement. */
const findByPrefix = selectStatement('api_key_by_prefix', getTableColumns(apiKey), (fields) =>
  builder
    .select(fields)
    .from(apiKey)
    .where(eq(apiKey.prefix, placeholder('prefix'))),
)

export function makeApiKeyStore(handle: Handle): ApiKeyStore {
  return {
    ...resourceStore<ApiKeyRecord, Record<string, never>>(handle, apiKey, {
      matching: () => [],
      softDelete: { isPresent: isNull(apiKey.deletedAt), mark: (at) => ({ deletedAt: at }) },
    }),

    async findByPrefix(prefix) {
      const [row] = await findByPrefix(handle, { prefix })
      return row ?? null
    },

    async findAnywhere(id) {
      const rows = await handle
        .select()
        .from(apiKey)
        .where(and(eq(apiKey.id, id), isNull(apiKey.deletedAt)))
      return rows[0] ?? null
    },

    lockManagement: (organizationId) => lockOrganization(handle, organizationId),

    countManaging: (organizationId, now) =>
      handle.$count(
        apiKey,
        and(
          eq(apiKey.organizationId, organizationId),
          isNull(apiKey.deletedAt),
          or(isNull(apiKey.expiresAt), gt(apiKey.expiresAt, now)),
          sql`${apiKey.scopes}::jsonb @> ${JSON.stringify([managingScope])}::jsonb`,
        ),
      ),

    async touch(id, at) {
      await handle.update(apiKey).set({ lastUsedAt: at }).where(eq(apiKey.id, id))
    },
  }
}
