import type { TemporaryFileType } from '@parley/contract'
import { sql } from 'drizzle-orm'
import { customType, index, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import type { FileKind } from '../../ports/conversation-stores.js'
import { conversation, moment, resourceColumns } from './schema.js'

const bytes = customType<{ data: Buffer; driverData: Buffer }>({ dataType: () => 'bytea' })

/** Words as PostgreSQL's full-text search stores them: stemmed, with positions. */
const searchWords = customType<{ data: string }>({ dataType: () => 'tsvector' })

/** Files that callers provided as context for a limited time. */
export const temporaryFile = pgTable(
  'temporary_file',
  {
    ...resourceColumns,
    name: text().notNull(),
    contentType: text('content_type').$type<TemporaryFileType>().notNull(),
    sizeBytes: integer('size_bytes').notNull(),
    expiresAt: moment('expires_at').notNull(),
    kind: text().$type<FileKind>().notNull(),
    /** The length of the text in characters, or 0 for a picture. */
    characterCount: integer('character_count').notNull(),
    /** When the upload was complete. Incomplete files are hidden. */
    completedAt: moment('completed_at'),
  },
  (table) => [
    index('temporary_file_organization').on(table.organizationId, table.id),
    index('temporary_file_expiry').on(table.expiresAt),
    index('temporary_file_unfinished').on(table.createdAt).where(sql`completed_at is null`),
  ],
)

/** The contents of a file, in chunks that fit into memory. */
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

/** The text of a file, in passages that can be searched and quoted. */
export const temporaryFilePassage = pgTable(
  'temporary_file_passage',
  {
    fileId: uuid('file_id')
      .notNull()
      .references(() => temporaryFile.id, { onDelete: 'cascade' }),
    position: integer().notNull(),
    /** The location of the passage in the terms of the user, for example "page 12". */
    label: text(),
    content: text().notNull(),
    words: searchWords().generatedAlwaysAs(sql`to_tsvector('english', content)`),
  },
  (table) => [
    primaryKey({ columns: [table.fileId, table.position] }),
    index('temporary_file_passage_words').using('gin', table.words),
  ],
)

/** The files of each conversation. */
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
