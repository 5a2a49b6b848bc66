import type { TemporaryFileType } from '@parley/contract'
import { sql } from 'drizzle-orm'
import { customType, index, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import type { FileKind } from '../../ports/conversation-stores.js'
import { conversation, moment, resourceColumns } from './schema.js'

const bytes = customType<{ data: Buffer; driverData: Buffer }>({ dataType: () => 'bytea' })

/** Words as the database's own search knows them: stemmed, with their places. */
const searchWords = customType<{ data: string }>({ dataType: () => 'tsvector' })

/** Files that callers gave as context, for a while. */
export const temporaryFile = pgTable(
  'temporary_file',
  {
    ...resourceColumns,
    name: text().notNull(),
    contentType: text('content_type').$type<TemporaryFileType>().notNull(),
    sizeBytes: integer('size_bytes').notNull(),
    expiresAt: moment('expires_at').notNull(),
    kind: text().$type<FileKind>().notNull(),
    /** How many characters its text has; 0 for a picture. */
    characterCount: integer('character_count').notNull(),
    /** When its contents were all in; until then nobody sees it. */
    completedAt: moment('completed_at'),
  },
  (table) => [
    index('temporary_file_organization').on(table.organizationId, table.id),
    index('temporary_file_expiry').on(table.expiresAt),
    index('temporary_file_unfinished').on(table.createdAt).where(sql`completed_at is null`),
  ],
)

/** The contents of a file, in pieces that fit into memory. */
export const temporaryFileChunk = pgTable(
  'temporary_file_chunk',
  {
    fileId: uuid('file_id')
      .notNull()
      .references(() => temporaryFile.id, { onDelete: 'cascade' }),
    position: integer().notNull(),
    content: bytes().notNull(),
  },
  (table) => [primaryKey({ columns: [table.fileId, table.position] })],
)

/** The text of a file, in passages that can be found and quoted. */
export const temporaryFilePassage = pgTable(
  'temporary_file_passage',
  {
    fileId: uuid('file_id')
      .notNull()
      .references(() => temporaryFile.id, { onDelete: 'cascade' }),
    position: integer().notNull(),
    /** Where a person would look for it: "page 12". */
    label: text(),
    content: text().notNull(),
    words: searchWords().generatedAlwaysAs(sql`to_tsvector('english', content)`),
  },
  (table) => [
    primaryKey({ columns: [table.fileId, table.position] }),
    index('temporary_file_passage_words').using('gin', table.words),
  ],
)

/** Which files a conversation was given. */
export const conversationFile = pgTable(
  'conversation_file',
  {
    conversationId: uuid('conversation_id')
      .notNull()
      .references(() => conversation.id),
    fileId: uuid('file_id')
      .notNull()
      .references(() => temporaryFile.id, { onDelete: 'cascade' }),
    givenAt: moment('given_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.conversationId, table.fileId] }),
    index('conversation_file_file').on(table.fileId),
  ],
)
