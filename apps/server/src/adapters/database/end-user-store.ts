import { and, eq, inArray, isNotNull, or, type SQL, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import type {
  ConversationContextFilter,
  EndUserFilter,
  EndUserRecord,
  EndUserStore,
  MetadataFilter,
} from '../../ports/end-user-store.js'
import type { Handle } from './handle.js'
import { rowLock, takeKeyedLock } from './locks.js'
import { contains, resourceStore } from './resource-store.js'
import { conversation, endUser } from './schema.js'
import { builder } from './statement.js'

export function makeEndUserStore(handle: Handle): EndUserStore {
  return {
    ...resourceStore<EndUserRecord, EndUserFilter>(handle, endUser, {
      matching: ({ externalId, search, metadata }) => [
        externalId === undefined ? undefined : eq(endUser.externalId, externalId),
        contains(search, endUser.externalId, endUser.name),
        hasMetadata(endUser.metadata, metadata),
      ],
    }),

    async see({ organizationId, externalId, newId, at }) {
      const created = {
        id: newId,
        organizationId,
        version: 1,
        createdAt: at,
        updatedAt: at,
        externalId,
        name: null,
        metadata: {},
        firstSeenAt: at,
        lastSeenAt: at,
        conversationCount: 0,
        erasureStartedAt: null,
      }
      const [row] = await handle
        .insert(endUser)
        .values(created)
        .onConflictDoUpdate({
          target: [endUser.organizationId, endUser.externalId],
          set: { lastSeenAt: sql`greatest(${endUser.lastSeenAt}, excluded.last_seen_at)` },
        })
        .returning()
      return row ?? created
    },

    lockLimited: (limitedId) => takeKeyedLock(handle, 'endUserLimits', limitedId),

    async addConversations(id, difference) {
      await handle
        .update(endUser)
        .set({ conversationCount: sql`${endUser.conversationCount} + ${difference}` })
        .where(eq(endUser.id, id))
    },

    async isBeingErased(id) {
      const rows = await handle
        .select({ id: endUser.id })
        .from(endUser)
        .where(and(eq(endUser.id, id), isNotNull(endUser.erasureStartedAt)))
      return rows.length > 0
    },

    async isNameBeingErased(organizationId, externalId) {
      const [row] = await handle
        .select({ erasureStartedAt: endUser.erasureStartedAt })
        .from(endUser)
        .where(and(eq(endUser.organizationId, organizationId), eq(endUser.externalId, externalId)))
        .for(rowLock.toKeep)
      return row !== undefined && row.erasureStartedAt !== null
    },
  }
}

/** Matches conversations by their end user and metadata. Returns undefined if the filter is empty. */
export function hasContext(
  organizationId: string,
  { endUserId, externalUserId, metadata }: ConversationContextFilter,
): SQL | undefined {
  return and(
    endUserId === undefined ? undefined : eq(conversation.endUserId, endUserId),
    externalUserId === undefined
      ? undefined
      : inArray(conversation.endUserId, endUserNamed(organizationId, externalUserId)),
    hasMetadata(conversation.metadata, metadata),
  )
}

/** Returns the id of an end user, found through the unique index on external ids. */
const endUserNamed = (organizationId: string, externalId: string) =>
  builder
    .select({ id: endUser.id })
    .from(endUser)
    .where(and(eq(endUser.organizationId, organizationId), eq(endUser.externalId, externalId)))

/**
 * Matches rows whose metadata has all of these values. The values are given as text, so each one also matches
 * a number or boolean.
 */
function hasMetadata(column: PgColumn, filter: MetadataFilter = []): SQL | undefined {
  if (filter.length === 0) return undefined
  return and(
    // Repeats the condition of the partial index, so that PostgreSQL can use that index.
    sql`${column} <> '{}'`,
    ...filter.map(([key, value]) =>
      or(
        ...readingsOf(value).map((reading) => sql`${column} @> ${JSON.stringify({ [key]: reading })}::jsonb`),
      ),
    ),
  )
}

function readingsOf(value: string): (string | number | boolean)[] {
  if (value === 'true' || value === 'false') return [value, value === 'true']
  const number = Number(value)
  return value.trim() !== '' && Number.isFinite(number) ? [value, number] : [value]
}
