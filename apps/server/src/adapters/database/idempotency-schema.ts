import { sql } from 'drizzle-orm'
import { index, json, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { moment } from './schema.js'

/** The stored responses to requests with an Idempotency-Key. */
export const idempotencyKey = pgTable(
  'idempotency_key',
  {
    organizationId: uuid('organization_id').notNull(),
    key: text().notNull(),
    fingerprint: text().notNull(),
    answer: json(),
    /** The conversation or other resource in the answer. */
    subjectId: uuid('subject_id'),
    createdAt: moment('created_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.organizationId, table.key] }),
    index('idempotency_key_created').on(table.createdAt),
    index('idempotency_key_subject').on(table.subjectId).where(sql`subject_id is not null`),
  ],
)
