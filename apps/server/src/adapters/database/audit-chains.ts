import { and, asc, desc, eq, getTableColumns, gt, isNotNull, isNull, lt, ne, or, sql } from 'drizzle-orm'
import {
  type AuditSigning,
  type AuditStore,
  type ChainHead,
  changeoverHours,
} from '../../ports/audit-store.js'
import { auditChain, auditChangeover, auditKey, auditRecord } from './audit-schema.js'
import type { Handle } from './handle.js'
import { installation } from './installation-schema.js'
import { rowLock } from './locks.js'
import { builder, placeholder, selectStatement, writeStatement } from './statement.js'

/** The head of an empty chain, before its first record. */
const emptyHead: ChainHead = {
  sequence: 0,
  hash: '',
  bareThrough: 0,
  removedThrough: 0,
  removedHash: '',
  sealedAt: null,
  keyId: null,
  seal: null,
}

type AuditChains = Pick<
  AuditStore,
  | 'organizationsNotSealedWith'
  | 'organizationsWithRecordsBefore'
  | 'lockHead'
  | 'findHead'
  | 'replaceHead'
  | 'findChangeover'
  | 'retiredKeys'
  | 'putRetiredKey'
>

const lockChain = selectStatement('audit_chain_lock', getTableColumns(auditChain), (fields) =>
  builder
    .select(fields)
    .from(auditChain)
    .where(eq(auditChain.organizationId, placeholder('organizationId')))
    .for(rowLock.toChange),
)

/** Executed every time records are sealed. */
const moveHead = writeStatement('audit_chain_move', () => {
  const fields = Object.keys(emptyHead).map((field) => [field, sql`${placeholder(field)}`] as const)
  return builder
    .update(auditChain)
    .set(Object.fromEntries(fields))
    .where(eq(auditChain.organizationId, placeholder('organizationId')))
})

/** The heads of the chains, with the keys they were sealed with. */
export function makeAuditChains(handle: Handle): AuditChains {
  return {
    async organizationsNotSealedWith(keyId) {
      const rows = await handle
        .select({ organizationId: auditChain.organizationId })
        .from(auditChain)
        .where(
          and(
            or(gt(auditChain.sequence, 0), isNotNull(auditChain.seal)),
            or(isNull(auditChain.keyId), ne(auditChain.keyId, keyId)),
          ),
        )
        // Every transaction that locks several heads uses this order.
        .orderBy(asc(auditChain.organizationId))
      return rows.map((row) => row.organizationId)
    },

    async organizationsWithRecordsBefore(moment) {
      const rows = await handle
        .select({ organizationId: auditChain.organizationId })
        .from(auditChain)
        .innerJoin(
          auditRecord,
          and(
            eq(auditRecord.organizationId, auditChain.organizationId),
            eq(auditRecord.sequence, sql`${auditChain.removedThrough} + 1`),
          ),
        )
        .where(lt(auditRecord.at, moment))
        .orderBy(asc(auditChain.organizationId))
      return rows.map((row) => row.organizationId)
    },

    async lockHead(organizationId) {
      const [known] = await lockChain(handle, { organizationId })
      if (known !== undefined) return headOf(known)
      await handle
        .insert(auditChain)
        .values({ organizationId, ...emptyHead })
        .onConflictDoNothing()
      const [row] = await lockChain(handle, { organizationId })
      return row === undefined ? emptyHead : headOf(row)
    },

    async findHead(organizationId) {
      const [row] = await handle
        .select()
        .from(auditChain)
        .where(eq(auditChain.organizationId, organizationId))
      return row === undefined ? null : headOf(row)
    },

    replaceHead: (organizationId, head) => handle.send(moveHead(handle, { ...head, organizationId })),

    async findChangeover(organizationId) {
      const [row] = await handle
        .select()
        .from(auditChangeover)
        .orderBy(
          desc(eq(auditChangeover.organizationId, organizationId)),
          asc(auditChangeover.organizationId),
        )
        .limit(1)
      return row ?? null
    },

    retiredKeys: () => handle.select().from(auditKey),

    async putRetiredKey({ id, sealedKey }) {
      await handle
        .insert(auditKey)
        .values({ id, sealedKey })
        .onConflictDoUpdate({ target: auditKey.id, set: { sealedKey } })
    },
  }
}

function headOf({ organizationId: _, ...head }: typeof auditChain.$inferSelect): ChainHead {
  return head
}

/**
 * Records for each existing chain which of its records may lack signatures. Must only be called in the
 * transaction of the migration that adds signatures. A newer installation has no changeover record.
 */
export async function recordChangeover(handle: Handle, signing: AuditSigning): Promise<void> {
  const [installed] = await handle.select({ secretCheck: installation.secretCheck }).from(installation)
  if (installed !== undefined) signing.requireSecret(installed.secretCheck)
  const until = sql<string>`now() + make_interval(hours => ${changeoverHours})`
  const chains = await handle
    .select({ organizationId: auditChain.organizationId, unsignedThrough: auditChain.sequence, until })
    .from(auditChain)
  await beginUnsealedChains(handle, signing)
  for (const { organizationId, unsignedThrough, until } of chains) {
    const unsignedUntil = new Date(until).toISOString()
    await handle
      .insert(auditChangeover)
      .values(signing.sealChangeover({ organizationId, unsignedThrough, unsignedUntil }))
  }
}

/**
 * The previous version created a chain with its first seal, about a second after the organization. If the
 * upgrade comes before that seal, the chain starts here. Every other missing head was removed and is not
 * created again.
 */
async function beginUnsealedChains(handle: Handle, signing: AuditSigning): Promise<void> {
  const unsealed = await handle
    .select({
      organizationId: auditRecord.organizationId,
      now: sql<string>`now()`,
      until: sql<string>`now() + make_interval(hours => ${changeoverHours})`,
    })
    .from(auditRecord)
    .leftJoin(auditChain, eq(auditChain.organizationId, auditRecord.organizationId))
    .where(and(isNull(auditRecord.sequence), isNull(auditChain.organizationId)))
    .groupBy(auditRecord.organizationId)
  for (const { organizationId, now, until } of unsealed) {
    const unsignedUntil = new Date(until).toISOString()
    await handle
      .insert(auditChangeover)
      .values(signing.sealChangeover({ organizationId, unsignedThrough: 0, unsignedUntil }))
    if (!(await isJustCreated(handle, organizationId))) continue
    const head = signing.sealEmptyHead(organizationId, new Date(now).toISOString())
    await handle.insert(auditChain).values({ organizationId, ...head })
  }
}

/** The previous version sealed every second while it ran. */
const maxSecondsUnsealed = 60

/**
 * Returns whether the log contains only the organization's first minute. This is the case if it starts with
 * the creation of the organization, none of its records was ever sealed, and no record is much younger than
 * the first.
 */
async function isJustCreated(handle: Handle, organizationId: string): Promise<boolean> {
  const ofOrganization = eq(auditRecord.organizationId, organizationId)
  const [first] = await handle
    .select({ action: auditRecord.action, resourceId: auditRecord.resourceId })
    .from(auditRecord)
    .where(ofOrganization)
    .orderBy(asc(auditRecord.id))
    .limit(1)
  if (first?.action !== 'organization.create' || first.resourceId !== organizationId) return false
  const [log] = await handle
    .select({
      isUnsealed: sql<boolean>`count(${auditRecord.sequence}) = 0`,
      isShort: sql<boolean>`max(${auditRecord.at}) - min(${auditRecord.at}) < make_interval(secs => ${maxSecondsUnsealed})`,
    })
    .from(auditRecord)
    .where(ofOrganization)
  return log?.isUnsealed === true && log.isShort
}
