import { and, count, desc, eq, gte, inArray, isNotNull, isNull, lt, not, sql } from 'drizzle-orm'
import type { RealtimeSessionFilter, RealtimeSessionStore } from '../../ports/realtime-session-store.js'
import { consumeSession } from './consume-session.js'
import type { Handle } from './handle.js'
import { realtimeSession } from './schema.js'
import { builder, insertStatement, placeholder, selectStatement, writeStatement } from './statement.js'

const isGivenUp = eq(realtimeSession.endReason, 'instance_lost')

/** Written out, not given: only then the index of those that run is known to have them all. */
const isRunning = and(sql`${realtimeSession.state} = 'consumed'`, isNull(realtimeSession.endedAt))

const place = (name: string) => sql`${placeholder(name)}`
const oneMore = sql`${realtimeSession.version} + 1`

/** Every session is made and ends by these two. */
const insertSession = insertStatement('realtime_session_insert', realtimeSession)

const endSession = writeStatement('realtime_session_end', () =>
  builder
    .update(realtimeSession)
    .set({ endedAt: place('at'), endReason: place('reason'), updatedAt: place('at'), version: oneMore })
    .where(and(eq(realtimeSession.id, place('id')), isNull(realtimeSession.endedAt))),
)

/** Asked many times a second while something is changed. */
const findEndRequested = selectStatement(
  'realtime_session_end_requested',
  { id: realtimeSession.id },
  (fields) =>
    builder
      .select(fields)
      .from(realtimeSession)
      .where(
        and(
          eq(realtimeSession.instanceId, placeholder('instanceId')),
          isRunning,
          isNotNull(realtimeSession.endRequestedAt),
        ),
      ),
)

export function makeRealtimeSessionStore(handle: Handle): RealtimeSessionStore {
  return {
    async insert(record) {
      await handle.send(insertSession(handle, record))
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

    consume: (wanted) => consumeSession(handle, wanted),

    async saveUsage(id, usage, cost) {
      await handle.update(realtimeSession).set({ usage, cost }).where(eq(realtimeSession.id, id))
    },

    async end(id, reason, at) {
      await endSession(handle, { id, reason, at })
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
      const rows = await findEndRequested(handle, { instanceId })
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
    filter.rehearsal === undefined ? undefined : eq(realtimeSession.rehearsal, filter.rehearsal),
    filter.endReason === undefined ? undefined : eq(realtimeSession.endReason, filter.endReason),
    filter.from === undefined ? undefined : gte(realtimeSession.createdAt, filter.from),
    filter.to === undefined ? undefined : lt(realtimeSession.createdAt, filter.to),
  ]
}
