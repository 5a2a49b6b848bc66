import { and, asc, count, desc, eq, gt, gte, inArray, isNotNull, sql } from 'drizzle-orm'
import type { FileRecord, FileStore } from '../../ports/conversation-stores.js'
import { conversationFile, temporaryFile, temporaryFileChunk, temporaryFilePassage } from './file-schema.js'
import type { Handle } from './handle.js'
import { searchPassages } from './passage-search.js'
import { contains } from './resource-store.js'

export function makeFileStore(handle: Handle): FileStore {
  const isSeen = (at: string) => and(isNotNull(temporaryFile.completedAt), gt(temporaryFile.expiresAt, at))

  const idsGivenTo = (conversationId: string) =>
    handle
      .select({ id: conversationFile.fileId })
      .from(conversationFile)
      .where(eq(conversationFile.conversationId, conversationId))

  async function remove(id: string): Promise<boolean> {
    return (await handle.delete(temporaryFile).where(eq(temporaryFile.id, id))).rowCount === 1
  }

  return {
    async insert(record) {
      await handle.insert(temporaryFile).values(record)
    },

    async addChunk(fileId, position, content) {
      await handle.insert(temporaryFileChunk).values({ fileId, position, content })
    },

    async addPassages(fileId, passages) {
      if (passages.length === 0) return
      // The passages are passed as one parameter, because a large file has thousands of passages and a
      // statement with hundreds of parameters is slow.
      await handle.execute(sql`
        insert into ${temporaryFilePassage} (file_id, position, label, content)
        select ${fileId}::uuid, position, label, content
        from json_to_recordset(${JSON.stringify(passages)}) as given(position integer, label text, content text)`)
    },

    async complete(record) {
      const updated = await handle.update(temporaryFile).set(record).where(eq(temporaryFile.id, record.id))
      if (updated.rowCount !== 1) throw new Error('The file was removed before its upload was complete.')
    },

    async list(organizationId, { search, conversationId, at }, page) {
      const where = and(
        eq(temporaryFile.organizationId, organizationId),
        isSeen(at),
        contains(search, temporaryFile.name),
        conversationId === undefined ? undefined : inArray(temporaryFile.id, idsGivenTo(conversationId)),
      )
      const items = await handle
        .select()
        .from(temporaryFile)
        .where(where)
        .orderBy(desc(temporaryFile.id))
        .offset(page.offset)
        .limit(page.limit)
      const [total] = await handle.select({ count: count() }).from(temporaryFile).where(where)
      return { items, totalCount: total?.count ?? 0 }
    },

    async find(organizationId, id, at) {
      const isOne = and(
        eq(temporaryFile.organizationId, organizationId),
        eq(temporaryFile.id, id),
        isSeen(at),
      )
      const [row] = await handle.select().from(temporaryFile).where(isOne)
      return row ?? null
    },

    async findMany(organizationId, ids, at) {
      const isOfThese = and(
        eq(temporaryFile.organizationId, organizationId),
        inArray(temporaryFile.id, [...ids]),
        isSeen(at),
      )
      const rows = await handle.select().from(temporaryFile).where(isOfThese)
      const byId = new Map<string, FileRecord>(rows.map((row) => [row.id, row]))
      return [...new Set(ids)].flatMap((id) => byId.get(id) ?? [])
    },

    async chunk(fileId, position) {
      const isOne = and(eq(temporaryFileChunk.fileId, fileId), eq(temporaryFileChunk.position, position))
      const { rows } = await handle.execute<{ content: Buffer }>(
        sql`select ${temporaryFileChunk.content} as content from ${temporaryFileChunk} where ${isOne}`,
      )
      // The driver keeps the rows until the next statement. A chunk is large, so it is removed from the row.
      return rows.pop()?.content ?? null
    },

    passages: (fileId, from, limit) =>
      handle
        .select({
          position: temporaryFilePassage.position,
          label: temporaryFilePassage.label,
          content: temporaryFilePassage.content,
        })
        .from(temporaryFilePassage)
        .where(and(eq(temporaryFilePassage.fileId, fileId), gte(temporaryFilePassage.position, from)))
        .orderBy(asc(temporaryFilePassage.position))
        .limit(limit),

    searchPassages: (fileIds, question, limit) => searchPassages(handle, fileIds, question, limit),

    remove,

    async give(conversationId, fileIds, at) {
      if (fileIds.length === 0) return
      await handle
        .insert(conversationFile)
        .values(fileIds.map((fileId) => ({ conversationId, fileId, givenAt: at })))
        .onConflictDoNothing()
    },

    async ofConversation(conversationId, at) {
      const rows = await handle
        .select({ file: temporaryFile })
        .from(conversationFile)
        .innerJoin(temporaryFile, eq(temporaryFile.id, conversationFile.fileId))
        .where(and(eq(conversationFile.conversationId, conversationId), isSeen(at)))
        .orderBy(asc(conversationFile.givenAt), asc(temporaryFile.id))
      return rows.map(({ file }) => file)
    },

    async takeFromConversation(conversationId) {
      await handle.delete(conversationFile).where(eq(conversationFile.conversationId, conversationId))
    },
  }
}
