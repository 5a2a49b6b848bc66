import {
  and,
  asc,
  count,
  desc,
  eq,
  getTableColumns,
  inArray,
  isNull,
  notInArray,
  or,
  type SQL,
  sql,
} from 'drizzle-orm'
import type {
  ConversationEndUser,
  ConversationFilter,
  ConversationRecord,
  ConversationStore,
  MessageRecord,
} from '../../ports/conversation-stores.js'
import { hasContext } from './end-user-store.js'
import type { Handle } from './handle.js'
import { rowLock } from './locks.js'
import { conversationsContaining } from './message-words.js'
import { contains, resourceStore, statementsOf } from './resource-store.js'
import { conversation, message } from './schema.js'
import { placeholder, sqlStatement } from './statement.js'
import { conversationSummary } from './turn-schema.js'

const maxTitleLength = 80

const columns = Object.entries(getTableColumns(message))
/** The names are joined once, because a single text is faster to insert into a statement. */
const columnNames = sql.raw(columns.map(([, column]) => `"${column.name}"`).join(', '))

const values = columns.map(
  // The types are explicit, because PostgreSQL cannot infer the type of a parameter in a select list.
  ([name, column]) => sql`${sql.param(placeholder(name), column)}::${sql.raw(column.getSQLType())}`,
)

const addAndCount = sqlStatement<{ isHeld: boolean; isAdded: boolean }>(
  'message_add',
  () => sql`
    with held as (
      select ${conversation.id} from ${conversation}
      where ${conversation.id} = ${placeholder('conversationId')} and ${conversation.deletedAt} is null
      for ${sql.raw(rowLock.toSerialize)}
    ), added as (
      insert into ${message} (${columnNames}) select ${sql.join(values, sql`, `)} from held
      on conflict do nothing
      returning ${message.id}
    ), counted as (
      update ${conversation} set ${sql.join(changes(), sql`, `)}
      where ${conversation.id} = ${placeholder('conversationId')} and exists (select from added)
    )
    select exists (select from held) as "isHeld", exists (select from added) as "isAdded"`,
)

function changes() {
  const { messageCount, version, lastMessageAt, title, updatedAt } = conversation
  return [
    sql`${sql.identifier(messageCount.name)} = ${messageCount} + 1`,
    sql`${sql.identifier(version.name)} = ${version} + 1`,
    sql`${sql.identifier(lastMessageAt.name)} = greatest(${lastMessageAt}, ${placeholder('createdAt')})`,
    sql`${sql.identifier(title.name)} = coalesce(${title}, ${placeholder('firstWords')})`,
    // Messages may arrive out of order.
    sql`${sql.identifier(updatedAt.name)} = greatest(${updatedAt}, ${placeholder('updatedAt')})`,
  ]
}

/**
 * Adds a message and counts it in the conversation, unless its segment or call is already stored. A single
 * statement needs no transaction. This matters because a session stores many messages, and on the embedded
 * database an open transaction blocks all other work for one event loop pass per statement.
 */
async function addMessage(handle: Handle, record: MessageRecord): Promise<string | null> {
  const { role, content } = record
  const firstWords = role === 'user' && content !== '' ? titleOf(content) : null
  const [row] = await addAndCount(handle, { ...record, firstWords })
  if (row?.isAdded === true) return record.id
  return row?.isHeld === true ? findByOrigin(handle, record) : null
}

/** Returns the first words, without a lone surrogate at the end. */
function titleOf(content: string): string {
  return content.slice(0, maxTitleLength).replace(/[\uD800-\uDBFF]$/, '')
}

async function findByOrigin(
  handle: Handle,
  { originId, itemId, contentIndex }: MessageRecord,
): Promise<string | null> {
  const [stored] = await handle
    .select({ id: message.id })
    .from(message)
    .where(
      and(
        originId === null ? isNull(message.originId) : eq(message.originId, originId),
        eq(message.itemId, itemId),
        eq(message.contentIndex, contentIndex),
      ),
    )
  return stored?.id ?? null
}

const maxUnknownCalls = 200

const isPresent = isNull(conversation.deletedAt)

const isCall = inArray(message.role, ['tool', 'subagent'])

const hasNotSucceededSince = sql`not exists (
  select 1 from message as later
  where later.conversation_id = unknown.conversation_id and later.name = unknown.name
    and later.arguments = unknown.arguments and later.status = 1
    and (later.position_microseconds, later.position_counter)
      > (unknown.position_microseconds, unknown.position_counter))`

async function findEndUsers(
  handle: Handle,
  ids: readonly string[],
): Promise<ReadonlyMap<string, ConversationEndUser>> {
  if (ids.length === 0) return new Map()
  const { id, endUserId, externalUserId } = conversation
  const rows = await handle
    .select({ id, endUserId, externalUserId })
    .from(conversation)
    .where(inArray(id, [...ids]))
  // Callers spread an end user over other records, so it must not contain the id of the conversation.
  return new Map(rows.map(({ id, ...endUser }) => [id, endUser]))
}

export function makeConversationStore(handle: Handle): ConversationStore {
  return {
    ...resourceStore<ConversationRecord, ConversationFilter>(handle, conversation, {
      matching,
      softDelete: {
        isPresent,
        mark: (at) => ({ deletedAt: at, title: null, metadata: {}, variables: {} }),
      },
    }),

    async updateContext(id, context, at) {
      await handle
        .update(conversation)
        .set({ ...context, version: sql`${conversation.version} + 1`, updatedAt: at })
        .where(eq(conversation.id, id))
    },

    add: (record) => handle.send(statementsOf(conversation, isPresent).insert(handle, record)),

    endUsersOf: (ids) => findEndUsers(handle, ids),

    async listMessages(organizationId, conversationId, page) {
      const where = and(
        eq(message.organizationId, organizationId),
        eq(message.conversationId, conversationId),
      )
      const items = await handle
        .select()
        .from(message)
        .where(where)
        .orderBy(asc(message.positionMicroseconds), asc(message.positionCounter), asc(message.id))
        .offset(page.offset)
        .limit(page.limit)
      const [total] = await handle.select({ count: count() }).from(message).where(where)
      return { items, totalCount: total?.count ?? 0 }
    },

    async recentMessages(conversationId, limit, after) {
      const isBehind = after
        ? sql`(${message.positionMicroseconds}, ${message.positionCounter}) > (${after.microseconds}, ${after.counter})`
        : undefined
      const newestFirst = await handle
        .select()
        .from(message)
        .where(and(eq(message.conversationId, conversationId), isBehind))
        .orderBy(desc(message.positionMicroseconds), desc(message.positionCounter), desc(message.id))
        .limit(limit)
      return newestFirst.reverse()
    },

    lock: (conversationId) => lockConversation(handle, conversationId),

    async callsOf(originId) {
      return handle
        .select()
        .from(message)
        .where(and(eq(message.originId, originId), isCall))
        .orderBy(asc(message.positionMicroseconds), asc(message.positionCounter), asc(message.id))
    },

    async failRunningCalls(originId, failure, at) {
      await handle
        .update(message)
        .set({ status: 2, failure, content: failure, updatedAt: at })
        .where(and(eq(message.originId, originId), isCall, eq(message.status, 0)))
    },

    async unknownCalls(conversationId, name) {
      // If a call has an outcome, the content contains it and `failure` stays empty.
      const { rows } = await handle.execute<{ arguments: string }>(sql`
        select arguments from message as unknown
        where conversation_id = ${conversationId} and name = ${name} and role in ('tool', 'subagent')
          and status = 2 and failure is not null and ${hasNotSucceededSince}
        order by position_microseconds desc limit ${maxUnknownCalls}`)
      return rows.map((row) => row.arguments)
    },

    async countUnknownCalls(conversationId) {
      const { rows } = await handle.execute<{ count: number }>(sql`
        select count(*)::integer as count from message as unknown
        where conversation_id = ${conversationId} and role in ('tool', 'subagent')
          and (status = 0 or (status = 2 and failure is not null)) and ${hasNotSucceededSince}`)
      return rows[0]?.count ?? 0
    },

    async findSummary(conversationId) {
      const [row] = await handle
        .select()
        .from(conversationSummary)
        .where(eq(conversationSummary.conversationId, conversationId))
      if (!row) return null
      const through = { microseconds: row.throughMicroseconds, counter: row.throughCounter }
      return { content: row.content, through }
    },

    async saveSummary(conversationId, { content, through }, at) {
      const place = { throughMicroseconds: through.microseconds, throughCounter: through.counter }
      const fields = { content, ...place, updatedAt: at }
      const { throughMicroseconds, throughCounter } = conversationSummary
      await handle
        .insert(conversationSummary)
        .values({ conversationId, ...fields })
        .onConflictDoUpdate({
          target: conversationSummary.conversationId,
          set: fields,
          setWhere: sql`(${throughMicroseconds}, ${throughCounter}) < (${through.microseconds}, ${through.counter})`,
        })
    },

    addMessage: (record) => addMessage(handle, record),

    async removeMessages(conversationId) {
      await handle.delete(message).where(eq(message.conversationId, conversationId))
      await handle.delete(conversationSummary).where(eq(conversationSummary.conversationId, conversationId))
    },

    async findMessage(id) {
      const [row] = await handle.select().from(message).where(eq(message.id, id))
      return row ?? null
    },

    async updateToolMessage(id, fields, at) {
      const hasNoOutcome = or(isNull(message.status), notInArray(message.status, [1, 2]))
      await handle
        .update(message)
        .set({ ...fields, updatedAt: at })
        .where(and(eq(message.id, id), hasNoOutcome))
    },

    async markInterrupted(originId, itemId, at) {
      await handle
        .update(message)
        .set({ interrupted: true, updatedAt: at })
        .where(
          and(eq(message.originId, originId), eq(message.itemId, itemId), eq(message.interrupted, false)),
        )
    },
  }
}

function matching(filter: ConversationFilter, organizationId: string): (SQL | undefined)[] {
  return [
    filter.agentId === undefined ? undefined : eq(conversation.agentId, filter.agentId),
    filter.rehearsal === undefined ? undefined : eq(conversation.rehearsal, filter.rehearsal),
    hasContext(organizationId, filter),
    holdsText(organizationId, filter.search),
  ]
}

/** Matches the literal text in the title, or its words in the messages. */
function holdsText(organizationId: string, text: string | undefined): SQL | undefined {
  const isInTitle = contains(text, conversation.title)
  const saying = text === undefined ? null : conversationsContaining(organizationId, text)
  return saying === null ? isInTitle : or(isInTitle, inArray(conversation.id, saying))
}

async function lockConversation(handle: Handle, conversationId: string): Promise<boolean> {
  const held = await handle
    .select({ id: conversation.id })
    .from(conversation)
    .where(and(eq(conversation.id, conversationId), isPresent))
    .for(rowLock.toSerialize)
  return held.length === 1
}
