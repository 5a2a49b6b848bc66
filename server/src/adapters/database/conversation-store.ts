import { and, asc, count, desc, eq, isNull, notInArray, or, sql } from 'drizzle-orm'
import type {
  ConversationFilter,
  ConversationRecord,
  ConversationStore,
} from '../../ports/conversation-store.js'
import type { Handle } from './handle.js'
import { contains, resourceStore } from './resource-table.js'
import { conversation, message } from './schema.js'

const maxTitleLength = 80

export function makeConversationStore(handle: Handle): ConversationStore {
  return {
    ...resourceStore<ConversationRecord, ConversationFilter>(handle, conversation, {
      matching: (filter) => [
        filter.agentId === undefined ? undefined : eq(conversation.agentId, filter.agentId),
        contains(filter.search, conversation.title),
      ],
      softDelete: {
        isPresent: isNull(conversation.deletedAt),
        mark: (at) => ({ deletedAt: at, title: null }),
      },
    }),

    async listMessages(organizationId, conversationId, page) {
      const where = and(
        eq(message.organizationId, organizationId),
        eq(message.conversationId, conversationId),
      )
      const items = await handle
        .select()
        .from(message)
        .where(where)
        .orderBy(asc(message.placeMicroseconds), asc(message.placeCounter), asc(message.id))
        .offset(page.offset)
        .limit(page.limit)
      const [total] = await handle.select({ count: count() }).from(message).where(where)
      return { items, totalCount: total?.count ?? 0 }
    },

    async recentMessages(conversationId, limit) {
      const newestFirst = await handle
        .select()
        .from(message)
        .where(eq(message.conversationId, conversationId))
        .orderBy(desc(message.placeMicroseconds), desc(message.placeCounter), desc(message.id))
        .limit(limit)
      return newestFirst.reverse()
    },

    async addMessage(record) {
      const present = and(eq(conversation.id, record.conversationId), isNull(conversation.deletedAt))
      const [owner] = await handle
        .select({ id: conversation.id })
        .from(conversation)
        .where(present)
        .for('no key update')
      if (!owner) return null
      const inserted = await handle.insert(message).values(record).onConflictDoNothing()
      if (inserted.rowCount === 0)
        return findTurn(handle, record.sessionId, record.itemId, record.contentIndex)
      const title = record.role === 'user' && record.content !== '' ? titleOf(record.content) : null
      await handle
        .update(conversation)
        .set({
          messageCount: sql`${conversation.messageCount} + 1`,
          version: sql`${conversation.version} + 1`,
          lastMessageAt: sql`greatest(${conversation.lastMessageAt}, ${record.createdAt})`,
          title: sql`coalesce(${conversation.title}, ${title})`,
          // Words that come late were said earlier.
          updatedAt: sql`greatest(${conversation.updatedAt}, ${record.updatedAt})`,
        })
        .where(eq(conversation.id, record.conversationId))
      return record.id
    },

    async removeMessages(conversationId) {
      await handle.delete(message).where(eq(message.conversationId, conversationId))
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

    async markInterrupted(sessionId, itemId, at) {
      await handle
        .update(message)
        .set({ interrupted: true, updatedAt: at })
        .where(
          and(eq(message.sessionId, sessionId), eq(message.itemId, itemId), eq(message.interrupted, false)),
        )
    },
  }
}

/** The first words, without half a character at the end. */
function titleOf(content: string): string {
  return content.slice(0, maxTitleLength).replace(/[\uD800-\uDBFF]$/, '')
}

async function findTurn(handle: Handle, sessionId: string | null, itemId: string, contentIndex: number) {
  const [stored] = await handle
    .select({ id: message.id })
    .from(message)
    .where(
      and(
        sessionId === null ? isNull(message.sessionId) : eq(message.sessionId, sessionId),
        eq(message.itemId, itemId),
        eq(message.contentIndex, contentIndex),
      ),
    )
  return stored?.id ?? null
}
