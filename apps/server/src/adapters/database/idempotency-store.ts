import { and, eq, lt } from 'drizzle-orm'
import type { IdempotencyStore } from '../../ports/installation-stores.js'
import type { Handle } from './handle.js'
import { idempotencyKey } from './idempotency-schema.js'

export function makeIdempotencyStore(handle: Handle): IdempotencyStore {
  const isOne = (organizationId: string, key: string) =>
    and(eq(idempotencyKey.organizationId, organizationId), eq(idempotencyKey.key, key))

  return {
    async claim(claim, expiredBefore) {
      await handle
        .delete(idempotencyKey)
        .where(and(isOne(claim.organizationId, claim.key), lt(idempotencyKey.createdAt, expiredBefore)))
      const inserted = await handle.insert(idempotencyKey).values(claim).onConflictDoNothing()
      return inserted.rowCount === 1
    },

    async keep(organizationId, key, answer, subjectId) {
      await handle.update(idempotencyKey).set({ answer, subjectId }).where(isOne(organizationId, key))
    },

    async find(organizationId, key) {
      const rows = await handle.select().from(idempotencyKey).where(isOne(organizationId, key))
      return rows[0] ?? null
    },

    async forget(organizationId, key) {
      await handle.delete(idempotencyKey).where(isOne(organizationId, key))
    },
  }
}
