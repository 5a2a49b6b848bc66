import type { AuditLogRecord } from '@parley/contract'
import { type SQL, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import type { ChainedRecord, RecordRow } from '../../ports/audit-store.js'
import { auditRecord } from './audit-schema.js'
import type { Handle } from './handle.js'
import { isoMoment } from './moments.js'

/** A row as the driver returns it. Only the columns that callers need are parsed. */
interface AuditRow extends Record<string, unknown> {
  readonly id: string
  readonly at: string
  readonly actorType: AuditLogRecord['actor']['type']
  readonly actorId: string | null
  readonly actorName: string | null
  readonly action: string
  readonly resourceType: string | null
  readonly resourceId: string | null
  readonly outcome: AuditLogRecord['outcome']
  readonly ipAddress: string | null
  readonly requestId: string | null
  readonly detailsText: string
  readonly sequence: string | null
  readonly hash: string | null
  readonly keyId: string | null
  readonly signature: string | null
  readonly sealedAt: string | null
  readonly sealProof: string | null
}

interface ChainRow extends AuditRow {
  readonly organizationId: string
  readonly canonical: string
}

export interface WantedAuditRows {
  readonly where: SQL | undefined
  readonly order: PgColumn
  readonly limit: number
}

const columns = sql`
  id, at, actor_type as "actorType", actor_id as "actorId", actor_name as "actorName", action,
  resource_type as "resourceType", resource_id as "resourceId", outcome, ip_address as "ipAddress",
  request_id as "requestId", details::text as "detailsText", sequence, hash, key_id as "keyId",
  signature, sealed_at as "sealedAt", seal_proof as "sealProof"`

/**
 * Returns a page of records for callers that read a whole log, which may have a million records. Rows are not
 * mapped column by column, because that takes twice as long (`npm run bench:audit`).
 */
export async function readAuditRows(
  handle: Handle,
  { where, order, limit }: WantedAuditRows,
): Promise<readonly RecordRow[]> {
  const { rows } = await handle.execute<AuditRow>(sql`
    select ${columns} from ${auditRecord} where ${where} order by ${order} limit ${limit}`)
  return rows.map(recordOf)
}

/** Also returns the columns that verification needs. They double the size of a row. */
export async function readChainRows(
  handle: Handle,
  { where, order, limit }: WantedAuditRows,
): Promise<readonly ChainedRecord[]> {
  const { rows } = await handle.execute<ChainRow>(sql`
    select ${columns}, organization_id as "organizationId", canonical
    from ${auditRecord} where ${where} order by ${order} limit ${limit}`)
  // An object spread would take twenty times as long, which is a third of the verification time for a million
  // records.
  return rows.map((row) =>
    Object.assign(recordOf(row), { organizationId: row.organizationId, canonical: row.canonical }),
  )
}

function recordOf(row: AuditRow): RecordRow {
  return {
    id: row.id,
    at: isoMoment(row.at),
    actor: { type: row.actorType, id: row.actorId, name: row.actorName },
    action: row.action,
    resourceType: row.resourceType,
    resourceId: row.resourceId,
    outcome: row.outcome,
    ipAddress: row.ipAddress,
    requestId: row.requestId,
    detailsText: row.detailsText,
    sequence: row.sequence === null ? null : Number(row.sequence),
    hash: row.hash,
    keyId: row.keyId,
    signature: row.signature,
    sealedAt: row.sealedAt === null ? null : isoMoment(row.sealedAt),
    sealProof: row.sealProof,
  }
}
