import { and, asc, desc, eq, getTableColumns, isNull, lte, notInArray, sql } from 'drizzle-orm'
import type {
  EndUserFactFilter,
  EndUserFactRecord,
  EndUserFactStore,
  MemoryPlan,
  MemoryPlanStore,
  Remembered,
} from '../../ports/memory-stores.js'
import type { Handle } from './handle.js'
import { endUserFact, memoryPlan } from './memory-schema.js'
import { resourceStore } from './resource-store.js'
import { conversation } from './schema.js'

const isOf = ({ endUserId, agentId }: Remembered) =>
  and(eq(endUserFact.endUserId, endUserId), eq(endUserFact.agentId, agentId))

const newestFirst = [desc(endUserFact.updatedAt), desc(endUserFact.id)] as const

export function makeEndUserFactStore(handle: Handle): EndUserFactStore {
  return {
    ...resourceStore<EndUserFactRecord, EndUserFactFilter>(handle, endUserFact, {
      matching: ({ endUserId, agentId }) => [
        eq(endUserFact.endUserId, endUserId),
        agentId === undefined ? undefined : eq(endUserFact.agentId, agentId),
      ],
    }),

    newest: (remembered, limit) =>
      handle
        .select()
        .from(endUserFact)
        .where(isOf(remembered))
        .orderBy(...newestFirst)
        .limit(limit),

    async removeOldest(remembered, keep) {
      const kept = handle
        .select({ id: endUserFact.id })
        .from(endUserFact)
        .where(isOf(remembered))
        .orderBy(...newestFirst)
        .limit(keep)
      await handle.delete(endUserFact).where(and(isOf(remembered), notInArray(endUserFact.id, kept)))
    },
  }
}

const isPlan = ({ conversationId, dueAt }: MemoryPlan) =>
  and(eq(memoryPlan.conversationId, conversationId), eq(memoryPlan.dueAt, dueAt))

const isBusy = (conversationId: string) => sql<boolean>`
  exists (select 1 from turn where turn.conversation_id = ${conversationId} and turn.ended_at is null)
  or exists (select 1 from realtime_session
    where realtime_session.conversation_id = ${conversationId}
      and realtime_session.started_at is not null and realtime_session.ended_at is null)`

export function makeMemoryPlanStore(handle: Handle): MemoryPlanStore {
  return {
    async plan(plan) {
      await handle
        .insert(memoryPlan)
        .values(plan)
        .onConflictDoUpdate({
          target: memoryPlan.conversationId,
          set: { dueAt: plan.dueAt },
          setWhere: isNull(memoryPlan.dueAt),
        })
    },

    async due(at, limit) {
      const { organizationId, dueAt } = memoryPlan
      const place = sql<number>`row_number() over (partition by ${organizationId} order by ${dueAt})`
      const ranked = handle
        .select({ ...getTableColumns(memoryPlan), place: place.as('place') })
        .from(memoryPlan)
        .where(lte(dueAt, at))
        .as('ranked')
      const rows = await handle
        .select()
        .from(ranked)
        .orderBy(asc(ranked.place), asc(ranked.dueAt))
        .limit(limit)
      return rows.map(({ place: _, ...plan }) => plan as MemoryPlan)
    },

    async claim(plan, until) {
      const [row] = await handle
        .update(memoryPlan)
        .set({ dueAt: until, attempts: sql`${memoryPlan.attempts} + 1` })
        .where(isPlan(plan))
        .returning()
      return (row as MemoryPlan | undefined) ?? null
    },

    async lockClaimed(plan) {
      const rows = await handle.select().from(memoryPlan).where(isPlan(plan)).for('update')
      return rows.length > 0
    },

    async isBusy(conversationId) {
      const [row] = await handle
        .select({ isBusy: isBusy(conversationId) })
        .from(conversation)
        .where(eq(conversation.id, conversationId))
      return row?.isBusy === true
    },

    async settle(plan, { dueAt, attempts, throughMicroseconds }) {
      await handle.update(memoryPlan).set({ dueAt, attempts, throughMicroseconds }).where(isPlan(plan))
    },
  }
}
