import {
  and,
  asc,
  count,
  desc,
  eq,
  getTableColumns,
  gt,
  gte,
  isNull,
  lt,
  lte,
  min,
  type SQL,
  sql,
} from 'drizzle-orm'
import type {
  AuditFilter,
  AuditSigning,
  AuditStore,
  ChainRange,
  StoredAuditRecord,
} from '../../ports/audit-store.js'
import { makeAuditChains } from './audit-chains.js'
import { readAuditRows, readChainRows, type WantedAuditRows } from './audit-rows.js'
import { auditRecord } from './audit-schema.js'
import type { Handle } from './handle.js'
import { builder, insertStatement, placeholder, selectStatement, sqlStatement } from './statement.js'

type Row = typeof auditRecord.$inferSelect

/** Called with the organization of each added record. */
export type OnAppended = (organizationId: string, action: string) => void

export interface AuditParts {
  readonly onAppended: OnAppended
  readonly signing: AuditSigning
}

/** Executed with every change. */
const insertRecord = insertStatement('audit_record_insert', auditRecord)

/** These three statements are executed constantly while changes happen. */
const findToSeal = selectStatement(
  'audit_to_seal',
  { organizationId: auditRecord.organizationId },
  (fields) => builder.selectDistinct(fields).from(auditRecord).where(isNull(auditRecord.sequence)),
)

const firstId = '00000000-0000-0000-0000-000000000000'

const findUnsealed = selectStatement('audit_unsealed', getTableColumns(auditRecord), (fields) =>
  builder
    .select(fields)
    .from(auditRecord)
    .where(
      and(
        eq(auditRecord.organizationId, placeholder('organizationId')),
        isNull(auditRecord.sequence),
        gt(auditRecord.id, placeholder('afterId')),
      ),
    )
    .orderBy(asc(auditRecord.id))
    .limit(placeholder('limit')),
)

const sealRecords = sqlStatement(
  'audit_seal',
  () => sql`
    update audit_record set sequence = seal.sequence, hash = seal.hash, key_id = seal."keyId",
      sealed_at = seal."sealedAt", seal_proof = seal."sealProof"
    from jsonb_to_recordset(${placeholder('seals')}::jsonb) as seal(
      id uuid, sequence bigint, hash text, "keyId" text, "sealedAt" timestamptz, "sealProof" text)
    where audit_record.id = seal.id`,
)

const unsealed = { sequence: null, hash: null, keyId: null, sealedAt: null, sealProof: null }

export function makeAuditStore(handle: Handle, { onAppended, signing }: AuditParts): AuditStore {
  const isUnsealed = (organizationId: string) =>
    and(eq(auditRecord.organizationId, organizationId), isNull(auditRecord.sequence))

  return {
    ...makeAuditChains(handle),

    async append(record) {
      await handle.send(
        insertRecord(handle, toRow({ ...record, ...unsealed, signature: signing.sign(record) })),
      )
      onAppended(record.organizationId, record.action)
    },

    async list(organizationId, filter, page) {
      const where = matching(organizationId, filter)
      const rows = await handle
        .select()
        .from(auditRecord)
        .where(where)
        // Records are sorted by their position in the chain, because ids and timestamps come from clocks,
        // which may have been wrong.
        .orderBy(sql`${auditRecord.sequence} desc nulls first`, desc(auditRecord.id))
        .offset(page.offset)
        .limit(page.limit)
      const [total] = await handle.select({ count: count() }).from(auditRecord).where(where)
      return { items: rows.map(fromRow), totalCount: total?.count ?? 0 }
    },

    readBeyond(organizationId, { filter, sequence, afterId, limit }) {
      // Two indexes find these few rows. With an `or`, PostgreSQL would scan the whole table.
      const ids = () => handle.select({ id: auditRecord.id }).from(auditRecord)
      const isBehind = gt(auditRecord.sequence, sequence)
      const unplaced = ids().where(isUnsealed(organizationId)).getSQL()
      const placed = ids()
        .where(and(eq(auditRecord.organizationId, organizationId), isBehind))
        .getSQL()
      return readAuditRows(handle, {
        where: and(
          matching(organizationId, filter),
          sql`${auditRecord.id} in (${unplaced} union all ${placed})`,
          afterId === null ? undefined : gt(auditRecord.id, afterId),
        ),
        order: auditRecord.id,
        limit,
      })
    },

    async organizationsToSeal() {
      const rows = await findToSeal(handle, {})
      return rows.map((row) => row.organizationId)
    },

    async unsealed(organizationId, { afterId, limit }) {
      const rows = await findUnsealed(handle, { organizationId, afterId: afterId ?? firstId, limit })
      return rows.map(fromRow)
    },

    async countUnsealed(organizationId) {
      const [row] = await handle
        .select({ count: count() })
        .from(auditRecord)
        .where(isUnsealed(organizationId))
      return row?.count ?? 0
    },

    seal: (seals) => handle.send(sealRecords(handle, { seals: JSON.stringify(seals) })),

    readChain: (organizationId, range) =>
      readChainRows(handle, inChain(eq(auditRecord.organizationId, organizationId), range)),

    readMatching: (organizationId, range, filter) =>
      readAuditRows(handle, inChain(matching(organizationId, filter), range)),

    async firstPositionAfter(organizationId, sequence) {
      const [row] = await handle
        .select({ first: min(auditRecord.sequence) })
        .from(auditRecord)
        .where(and(eq(auditRecord.organizationId, organizationId), gt(auditRecord.sequence, sequence)))
      return row?.first ?? null
    },

    async removeThrough(organizationId, sequence) {
      await handle
        .delete(auditRecord)
        .where(and(eq(auditRecord.organizationId, organizationId), lte(auditRecord.sequence, sequence)))
    },
  }
}

/**
 * Positions have no gaps, so a range never has more rows than requested. Without a range, PostgreSQL would
 * read and sort the rest of an unanalyzed table for every page.
 */
function inChain(where: SQL | undefined, { after, through }: ChainRange): WantedAuditRows {
  return {
    where: and(where, gt(auditRecord.sequence, after), lte(auditRecord.sequence, through)),
    order: auditRecord.sequence,
    limit: through - after,
  }
}

function matching(organizationId: string, filter: AuditFilter): SQL | undefined {
  return and(
    eq(auditRecord.organizationId, organizationId),
    filter.from === undefined ? undefined : gte(auditRecord.at, filter.from),
    filter.to === undefined ? undefined : lt(auditRecord.at, filter.to),
    filter.action === undefined ? undefined : eq(auditRecord.action, filter.action),
    filter.actorId === undefined ? undefined : eq(auditRecord.actorId, filter.actorId),
    filter.resourceType === undefined ? undefined : eq(auditRecord.resourceType, filter.resourceType),
  )
}

function toRow({ actor, ...record }: StoredAuditRecord): Row {
  return { ...record, actorType: actor.type, actorId: actor.id, actorName: actor.name }
}

function fromRow({ actorType, actorId, actorName, ...row }: Row): StoredAuditRecord {
  return { ...row, actor: { type: actorType, id: actorId, name: actorName } }
}
