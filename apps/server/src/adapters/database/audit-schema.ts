import type { AuditLogRecord } from '@parley/contract'
import { sql } from 'drizzle-orm'
import { bigint, index, json, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { moment } from './schema.js'

export const auditRecord = pgTable(
  'audit_record',
  {
    id: uuid().primaryKey(),
    organizationId: uuid('organization_id').notNull(),
    at: moment().notNull(),
    actorType: text('actor_type').$type<AuditLogRecord['actor']['type']>().notNull(),
    actorId: text('actor_id'),
    actorName: text('actor_name'),
    action: text().notNull(),
    resourceType: text('resource_type'),
    resourceId: text('resource_id'),
    outcome: text().$type<'success' | 'refused'>().notNull(),
    ipAddress: text('ip_address'),
    requestId: text('request_id'),
    details: json().$type<Record<string, unknown>>().notNull(),
    canonical: text().notNull(),
    sequence: bigint({ mode: 'number' }),
    hash: text(),
    /**
     * Null in a sealed record if its hash is not keyed. The migration ensures that every new sealed record
     * has one.
     */
    keyId: text('key_id'),
    /** Null if the record was written by a version without signatures. */
    signature: text(),
    /**
     * Null in a sealed record if an earlier version sealed it. The migration ensures that no new record lacks
     * it.
     */
    sealedAt: moment('sealed_at'),
    sealProof: text('seal_proof'),
  },
  (table) => [
    index('audit_record_organization').on(table.organizationId, table.id),
    uniqueIndex('audit_record_sequence').on(table.organizationId, table.sequence),
    index('audit_record_unsealed').on(table.organizationId, table.id).where(sql`sequence is null`),
  ],
)

/** The head of each organization's chain. Its row lock serializes the instances that seal records. */
export const auditChain = pgTable('audit_chain', {
  organizationId: uuid('organization_id').primaryKey(),
  sequence: bigint({ mode: 'number' }).notNull(),
  hash: text().notNull(),
  bareThrough: bigint('bare_through', { mode: 'number' }).notNull().default(0),
  removedThrough: bigint('removed_through', { mode: 'number' }).notNull().default(0),
  removedHash: text('removed_hash').notNull().default(''),
  sealedAt: moment('sealed_at'),
  keyId: text('key_id'),
  seal: text(),
})

/** Keys of replaced secrets, sealed with the current one. */
export const auditKey = pgTable('audit_key', {
  id: text().primaryKey(),
  sealedKey: text('sealed_key').notNull(),
})

/**
 * States for each chain which of its records may lack a signature. Written only once, by the migration that
 * adds signatures.
 */
export const auditChangeover = pgTable('audit_changeover', {
  organizationId: uuid('organization_id').primaryKey(),
  unsignedThrough: bigint('unsigned_through', { mode: 'number' }).notNull(),
  unsignedUntil: moment('unsigned_until').notNull(),
  keyId: text('key_id').notNull(),
  seal: text().notNull(),
})
