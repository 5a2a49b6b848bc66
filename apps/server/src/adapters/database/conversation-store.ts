import { and, asc, count, desc, eq, inArray, isNull, notInArray, or, type SQL, sql } from 'drizzle-orm'
import type {
  ConversationFilter,
  ConversationRecord,
  ConversationStore,
} from '../../ports/conversation-store.js'
import { addMessage } from './add-message.js'
import type { Handle } from './handle.js'
import { rowLock } from './locks.js'
import { conversationsSaying } from './message-words.js'
import { statementsOf } from './resource-statements.js'
import { contains, resourceStore } from './resource-table.js'
import { conversation, message } from './schema.js'
import { conversationSummary } from './turn-schema.js'

const maxUnknownCalls = 200

const isPresent = isNull(conversation.deletedAt)

const isCall = inArray(message.role, ['tool', 'subagent'])

const hasNotSucceededSince = sql`not exists (
  select 1 from message as later
  where later.conversation_id = unknown.conversation_id and later.name = unknown.name
    and later.arguments = unknown.arguments and later.status = 1
    and (later.position_microseconds, later.position_counter)
      > (unknown.position_microseconds, unknown.position_counter))`

export function makeConversationStore(handle: Handle): ConversationStore {
  return {
    ...resourceStore<ConversationRecord, ConversationFilter>(handle, conversation, {
      matching: (filter, organizationId) => [
        filter.agentId === undefined ? undefined : eq(conversation.agentId, filter.agentId),
        filter.rehearsal === undefined ? undefined : eq(conversation.rehearsal, filter.rehearsal),
        holdsText(organizationId, filter.search),
      ],
      softDelete: {
        isPresent,
        mark: (at) => ({ deletedAt: at, title: null }),
      },
    }),

    add: (record) => handle.send(statementsOf(conversation, isPresent).insert(handle, record)),

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
      // Of a call that has an outcome the content tells it, and `failure` stays empty.
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

/** In its title, as the text stands, or in what was said, by its words. */
function holdsText(organizationId: string, text: string | undefined): SQL | undefined {
  const isInTitle = contains(text, conversation.title)
  const saying = text === undefined ? null : conversationsSaying(organizationId, text)
  return saying === null ? isInTitle : or(isInTitle, inArray(conversation.id, saying))
}

async function lockConversation(handle: Handle, conversationId: string): Promise<boolean> {
  const held = await handle
    .select({ id: conversation.id })
    .from(conversation)
    .where(and(eq(conversation.id, conversationId), isPresent))
    .for(rowLock.toTakeTurns)
  return held.length === 1
}
