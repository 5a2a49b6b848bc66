import { and, asc, desc, eq, inArray, isNotNull, isNull, lt, lte, sql } from 'drizzle-orm'
import type { TaskFilter, TaskRecord, TaskStore } from '../../ports/task-stores.js'
import type { Handle } from './handle.js'
import { lockRow } from './locks.js'
import { contains, resourceStore } from './resource-store.js'
import { task } from './schema.js'

/** True if no call of the task's run waits for a decision or for execution. */
const hasNoOpenCall = sql`(${task.runStartedAt} is null or not exists (
  select 1 from approval
  where approval.conversation_id = ${task.conversationId} and approval.finished_at is null))`

const isAttemptRunning = and(isNotNull(task.runStartedAt), isNull(task.nextRunAt))

export function makeTaskStore(handle: Handle): TaskStore {
  return {
    ...resourceStore<TaskRecord, TaskFilter>(handle, task, {
      matching: (filter) => [
        filter.status === undefined ? undefined : eq(task.status, filter.status),
        filter.agentId === undefined ? undefined : eq(task.agentId, filter.agentId),
        filter.dueBefore === undefined ? undefined : lt(task.dueAt, filter.dueBefore),
        contains(filter.search, task.title, task.description),
      ],
    }),

    async insertUnlessTaken(record) {
      const inserted = await handle
        .insert(task)
        .values(record)
        .onConflictDoNothing({ target: [task.organizationId, task.externalId] })
      return inserted.rowCount === 1
    },

    findByExternalIdLocked: (organizationId, externalId) =>
      lockRow(handle, task, and(eq(task.organizationId, organizationId), eq(task.externalId, externalId))),

    async due({ at, limit, running, maxOfEach }) {
      const { rows } = await handle.execute<{ id: string; organizationId: string }>(sql`
        with due as (
          select ${task.id}, ${task.organizationId}, ${task.nextRunAt},
            row_number() over (partition by ${task.organizationId} order by ${task.nextRunAt}, ${task.id}) as place
          from ${task} where ${task.nextRunAt} <= ${at}::timestamptz and ${hasNoOpenCall}),
        busy as (
          select * from unnest(${sql.param([...running.keys()])}::uuid[], ${sql.param([...running.values()])}::integer[])
            as busy(organization_id, runs))
        select due.id, due.organization_id as "organizationId"
        from due left join busy on busy.organization_id = due.organization_id
        where due.place + coalesce(busy.runs, 0) <= ${maxOfEach}
        order by due.place + coalesce(busy.runs, 0), due.next_run_at, due.id
        limit ${limit}`)
      return rows
    },

    async firstDueAt() {
      const [row] = await handle
        .select({ nextRunAt: task.nextRunAt })
        .from(task)
        .where(isNotNull(task.nextRunAt))
        .orderBy(asc(task.nextRunAt))
        .limit(1)
      return row?.nextRunAt ?? null
    },

    async plannedFurthest(after, limit) {
      const rows = await handle
        .select({
          id: task.id,
          organizationId: task.organizationId,
          nextRunAt: task.nextRunAt,
          status: task.status,
          runAt: task.runAt,
          schedule: task.schedule,
          timeZone: task.timeZone,
          runStartedAt: task.runStartedAt,
        })
        .from(task)
        .where(
          and(
            isNotNull(task.nextRunAt),
            after === null
              ? undefined
              : sql`(${task.nextRunAt}, ${task.id}) < (${after.nextRunAt}::timestamptz, ${after.id}::uuid)`,
          ),
        )
        .orderBy(desc(task.nextRunAt), desc(task.id))
        .limit(limit)
      return rows.flatMap((row) => (row.nextRunAt === null ? [] : [{ ...row, nextRunAt: row.nextRunAt }]))
    },

    async inProgress(turnIds) {
      if (turnIds.length === 0) return []
      const rows = await handle
        .select({
          id: task.id,
          turnId: task.turnId,
          runStartedAt: task.runStartedAt,
          runDeadlineAt: task.runDeadlineAt,
        })
        .from(task)
        .where(and(inArray(task.turnId, [...turnIds]), isAttemptRunning))
      return rows.flatMap((row) => (row.turnId === null ? [] : [{ ...row, turnId: row.turnId }]))
    },

    overdueCalls: (at, limit) =>
      handle
        .select({ id: task.id, organizationId: task.organizationId })
        .from(task)
        .where(and(isAttemptRunning, isNotNull(task.phoneCallId), lte(task.runDeadlineAt, at)))
        .limit(limit),

    async unsettled(limit) {
      return handle
        .select({ id: task.id, organizationId: task.organizationId })
        .from(task)
        .where(
          and(
            isAttemptRunning,
            sql`not exists (select 1 from turn where turn.id = ${task.turnId} and turn.ended_at is null)`,
            // The transcript of a call is complete when its session has ended.
            sql`not exists (select 1 from phone_call where phone_call.id = ${task.phoneCallId} and (
              phone_call.ended_at is null or exists (select 1 from realtime_session
                where realtime_session.id = phone_call.realtime_session_id and realtime_session.ended_at is null)))`,
          ),
        )
        .limit(limit)
    },
  }
}
