import {
  and,
  asc,
  desc,
  eq,
  getTableColumns,
  gt,
  inArray,
  isNotNull,
  isNull,
  type SQL,
  sql,
} from 'drizzle-orm'
import type { TurnStore } from '../../ports/conversation-stores.js'
import { isBeingRemoved } from './erasure-store.js'
import type { Handle } from './handle.js'
import { rowLock } from './locks.js'
import { databaseMicroseconds } from './moments.js'
import { builder, insertStatement, placeholder, selectStatement, sqlStatement } from './statement.js'
import { turn, turnEvent } from './turn-schema.js'

const isUnfinished = isNull(turn.endedAt)

/**
 * Whether all earlier questions in the conversation are answered. Positions are assigned in order, so no
 * lower one is added later.
 */
const isNext = sql`not exists (
  select 1 from turn as earlier
  where earlier.conversation_id = ${turn.conversationId}
    and earlier.position < ${turn.position} and earlier.ended_at is null)`

/** Uses the database's time, because the clocks of two instances may differ. */
const isLeaseOver = (leaseSeconds: number): SQL => sql`not exists (
  select 1 from instance_lease
  where instance_lease.instance_id = ${turn.instanceId}
    and instance_lease.renewed_at > now() - make_interval(secs => ${leaseSeconds}))`

const lastPosition = selectStatement(
  'turn_last_position',
  { position: sql<number | null>`max(${turn.position})` },
  (fields) =>
    builder
      .select(fields)
      .from(turn)
      .where(eq(turn.conversationId, placeholder('conversationId'))),
)

const askedBefore = selectStatement('turn_asked_before', { createdAt: turn.createdAt }, (fields) =>
  builder
    .select(fields)
    .from(turn)
    .where(
      and(
        eq(turn.endUserId, placeholder('endUserId')),
        eq(turn.agentId, placeholder('agentId')),
        isNull(turn.taskId),
        isNull(turn.rehearsal),
        gt(turn.createdAt, placeholder('since')),
      ),
    )
    .orderBy(desc(turn.createdAt))
    .offset(placeholder('skipped'))
    .limit(1),
)

const insertTurn = insertStatement('turn_insert', turn)

const findTurn = selectStatement('turn_find', getTableColumns(turn), (fields) =>
  builder
    .select(fields)
    .from(turn)
    .where(
      and(
        eq(turn.organizationId, placeholder('organizationId')),
        eq(turn.conversationId, placeholder('conversationId')),
        eq(turn.id, placeholder('id')),
      ),
    ),
)

/** A single statement that locks the turn's row, so that the turn cannot end in between. */
const addTurnEvents = sqlStatement<{ open: number }>(
  'turn_event_add',
  () => sql`
    with open_turn as (select id from turn where id = ${placeholder('id')} and ended_at is null for share),
    added as (
      insert into turn_event (turn_id, sequence, event)
      select open_turn.id, given.sequence, given.event
      from open_turn, unnest(${placeholder('sequences')}::integer[], ${placeholder('events')}::text[]) as given(sequence, event)
      on conflict do nothing)
    select count(*)::integer as open from open_turn`,
)

const lockOpenTurn = selectStatement('turn_lock_open', { microseconds: databaseMicroseconds }, (fields) =>
  builder
    .select(fields)
    .from(turn)
    .where(and(eq(turn.id, placeholder('id')), isUnfinished))
    .for(rowLock.toKeepUnchanged),
)

const eventsAfter = selectStatement(
  'turn_events_after',
  { sequence: turnEvent.sequence, event: turnEvent.event },
  (fields) =>
    builder
      .select(fields)
      .from(turnEvent)
      .where(and(eq(turnEvent.turnId, placeholder('id')), gt(turnEvent.sequence, placeholder('sequence'))))
      .orderBy(asc(turnEvent.sequence))
      .limit(placeholder('limit')),
)

export function makeTurnStore(handle: Handle): TurnStore {
  const change = (fields: object, at: string) =>
    handle.update(turn).set({ ...fields, updatedAt: at, version: sql`${turn.version} + 1` })

  return {
    async insert(record) {
      const [last] = await lastPosition(handle, { conversationId: record.conversationId })
      const position = (last?.position ?? 0) + 1
      await insertTurn(handle, { ...record, position })
      return position
    },

    async find(organizationId, conversationId, id) {
      const [row] = await findTurn(handle, { organizationId, conversationId, id })
      return row ?? null
    },

    async start(id, at) {
      // The instance may repeat the request if the first response was lost.
      const [row] = await change({ state: 'running', startedAt: sql`coalesce(${turn.startedAt}, ${at})` }, at)
        .where(and(eq(turn.id, id), isUnfinished, isNext))
        .returning({ microseconds: databaseMicroseconds })
      return row ? Number(row.microseconds) : null
    },

    async askedBefore({ count, ...asked }) {
      const [row] = await askedBefore(handle, { ...asked, skipped: count - 1 })
      return row?.createdAt ?? null
    },

    async end(id, end, at) {
      const ended = await change({ ...end, endedAt: at }, at).where(and(eq(turn.id, id), isUnfinished))
      return ended.rowCount === 1
    },

    async requestStop(id, at) {
      const asked = await change({ stopRequestedAt: at }, at).where(and(eq(turn.id, id), isUnfinished))
      return asked.rowCount === 1
    },

    async stopRequested(ids) {
      return handle
        .select({ id: turn.id, isErased: isBeingRemoved(turn.conversationId) })
        .from(turn)
        .where(and(inArray(turn.id, [...ids]), isNotNull(turn.stopRequestedAt)))
    },

    async addEvents(id, events) {
      const sequences = events.map(({ sequence }) => sequence)
      const [row] = await addTurnEvents(handle, { id, sequences, events: events.map(({ event }) => event) })
      return row?.open === 1
    },

    async lockOpen(id) {
      const [row] = await lockOpenTurn(handle, { id })
      return row ? Number(row.microseconds) : null
    },

    eventsAfter: (id, sequence, limit) => eventsAfter(handle, { id, sequence, limit }),

    async lost(leaseSeconds, limit) {
      return handle
        .select()
        .from(turn)
        .where(and(isUnfinished, isLeaseOver(leaseSeconds)))
        .orderBy(asc(turn.conversationId), asc(turn.position))
        .limit(limit)
    },

    async lockLost(id, leaseSeconds) {
      const [row] = await handle
        .select({ microseconds: databaseMicroseconds })
        .from(turn)
        .where(and(eq(turn.id, id), isUnfinished, isLeaseOver(leaseSeconds)))
        .for(rowLock.toChange)
      return row ? Number(row.microseconds) : null
    },

    async forgetConversation(conversationId, at) {
      const ofConversation = eq(turn.conversationId, conversationId)
      // Turns end before their events are deleted, so that a concurrent writer can no longer add an event.
      await change({ stopRequestedAt: at, state: 'stopped', endedAt: at }, at).where(
        and(ofConversation, isUnfinished),
      )
      const clearedContent = {
        question: '',
        additionalInstructions: null,
        rehearsal: null,
        answer: null,
        failure: null,
        fileIds: [],
      }
      await change(clearedContent, at).where(ofConversation)
      const turns = handle.select({ id: turn.id }).from(turn).where(ofConversation)
      await handle.delete(turnEvent).where(sql`${turnEvent.turnId} in ${turns}`)
    },
  }
}
