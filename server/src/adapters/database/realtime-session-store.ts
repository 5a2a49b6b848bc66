import {
  and,
  count,
  desc,
  eq,
  getTableColumns,
  gt,
  gte,
  inArray,
  isNotNull,
  isNull,
  lt,
  not,
  sql,
} from 'drizzle-orm'
import type { RealtimeSessionFilter, RealtimeSessionStore } from '../../ports/realtime-session-store.js'
import { databaseMicroseconds } from './database-time.js'
import type { Handle } from './handle.js'
import { countRunningSessions } from './organization-usage-store.js'
import { realtimeSession } from './schema.js'

const isGivenUp = eq(realtimeSession.endReason, 'instance_lost')

const isRunning = and(eq(realtimeSession.state, 'consumed'), isNull(realtimeSession.endedAt))

export function makeRealtimeSessionStore(handle: Handle): RealtimeSessionStore {
  return {
    async insert(record) {
      await handle.insert(realtimeSession).values(record)
    },

    async find(organizationId, id) {
      const [row] = await handle
        .select()
        .from(realtimeSession)
        .where(and(eq(realtimeSession.organizationId, organizationId), eq(realtimeSession.id, id)))
      return row ?? null
    },

    async list(organizationId, filter, page) {
      const where = and(eq(realtimeSession.organizationId, organizationId), ...matching(filter))
      const items = await handle
        .select()
        .from(realtimeSession)
        .where(where)
        .orderBy(desc(realtimeSession.createdAt), desc(realtimeSession.id))
        .offset(page.offset)
        .limit(page.limit)
      const [total] = await handle.select({ count: count() }).from(realtimeSession).where(where)
      return { items, totalCount: total?.count ?? 0 }
    },

    async findByTokenHash(tokenHash) {
      const [row] = await handle
        .select()
        .from(realtimeSession)
        .where(eq(realtimeSession.tokenHash, tokenHash))
      return row ?? null
    },

    async consume({ tokenHash, now, instanceId, maxRunning }) {
      const [row] = await handle
        .update(realtimeSession)
        .set({
          state: 'consumed',
          startedAt: now,
          updatedAt: now,
          instanceId,
          version: sql`${realtimeSession.version} + 1`,
        })
        .where(
          and(
            eq(realtimeSession.tokenHash, tokenHash),
            eq(realtimeSession.state, 'issued'),
            isNull(realtimeSession.endRequestedAt),
            gt(realtimeSession.expiresAt, now),
            lt(countRunningSessions(sql`${realtimeSession.organizationId}`, maxRunning), maxRunning),
          ),
        )
        .returning({ ...getTableColumns(realtimeSession), startMicroseconds: databaseMicroseconds })
      if (!row) return null
      const { startMicroseconds: start, ...session } = row
      return { session, startMicroseconds: Number(start) }
    },

    async saveUsage(id, usage, cost) {
      await handle.update(realtimeSession).set({ usage, cost }).where(eq(realtimeSession.id, id))
    },

    async end(id, reason, at) {
      await handle
        .update(realtimeSession)
        .set({ endedAt: at, endReason: reason, updatedAt: at, version: sql`${realtimeSession.version} + 1` })
        .where(and(eq(realtimeSession.id, id), isNull(realtimeSession.endedAt)))
    },

    async givenUp(ids) {
      const rows = await handle
        .select({ id: realtimeSession.id })
        .from(realtimeSession)
        .where(and(inArray(realtimeSession.id, [...ids]), isGivenUp))
      return rows.map((row) => row.id)
    },

    async requestEnd(organizationId, which, at) {
      const result = await handle
        .update(realtimeSession)
        .set({ endRequestedAt: at })
        .where(
          and(
            eq(realtimeSession.organizationId, organizationId),
            isNull(realtimeSession.endedAt),
            isNull(realtimeSession.endRequestedAt),
            which.id === undefined ? undefined : eq(realtimeSession.id, which.id),
            which.agentId === undefined ? undefined : eq(realtimeSession.agentId, which.agentId),
            which.conversationId === undefined
              ? undefined
              : eq(realtimeSession.conversationId, which.conversationId),
          ),
        )
      return result.rowCount ?? 0
    },

    async endRequested(instanceId) {
      const rows = await handle
        .select({ id: realtimeSession.id })
        .from(realtimeSession)
        .where(
          and(
            eq(realtimeSession.instanceId, instanceId),
            isRunning,
            isNotNull(realtimeSession.endRequestedAt),
          ),
        )
      return rows.map((row) => row.id)
    },
  }
}

function matching(filter: RealtimeSessionFilter) {
  return [
    filter.agentId === undefined ? undefined : eq(realtimeSession.agentId, filter.agentId),
    filter.conversationId === undefined
      ? undefined
      : eq(realtimeSession.conversationId, filter.conversationId),
    filter.isRunning === undefined || isRunning === undefined
      ? undefined
      : filter.isRunning
        ? isRunning
        : not(isRunning),
    filter.endReason === undefined ? undefined : eq(realtimeSession.endReason, filter.endReason),
    filter.from === undefined ? undefined : gte(realtimeSession.createdAt, filter.from),
    filter.to === undefined ? undefined : lt(realtimeSession.createdAt, filter.to),
  ]
}
