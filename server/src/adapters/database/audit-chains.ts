import { and, asc, eq, gt, isNull, lt, ne, or, sql } from 'drizzle-orm'
import type { AuditStore, ChainHead } from '../../ports/audit-store.js'
import { auditChain, auditKey, auditRecord } from './audit-schema.js'
import type { Handle } from './handle.js'
import { rowLock } from './locks.js'
import { given, keep } from './queries/keep.js'

/** Where a chain begins: before its first record. */
const beginning: ChainHead = {
  ...{ sequence: 0, hash: '', bareThrough: 0, removedThrough: 0, removedHash: '' },
  ...{ sealedAt: null, keyId: null, seal: null },
}

type AuditChains = Pick<
  AuditStore,
  | 'organizationsNotSealedWith'
  | 'organizationsWithRecordsBefore'
  | 'lockHead'
  | 'findHead'
  | 'replaceHead'
  | 'retiredKeys'
  | 'putRetiredKey'
>

const lockChain = keep((board) =>
  board
    .select()
    .from(auditChain)
    .where(eq(auditChain.organizationId, given('organizationId')))
    .for(rowLock.toChange)
    .prepare('audit_chain_lock'),
)

/** Every time that records are sealed. */
const moveHead = keep((board) => {
  const fields = Object.keys(beginning).map((field) => [field, sql`${given(field)}`] as const)
  return board
    .update(auditChain)
    .set(Object.fromEntries(fields))
    .where(eq(auditChain.organizationId, given('organizationId')))
    .prepare('audit_chain_move')
})

/** The heads of the chains and the keys they were sealed with. */
export function makeAuditChains(handle: Handle): AuditChains {
  return {
    async organizationsNotSealedWith(keyId) {
      const rows = await handle
        .select({ organizationId: auditChain.organizationId })
        .from(auditChain)
        .where(and(gt(auditChain.sequence, 0), or(isNull(auditChain.keyId), ne(auditChain.keyId, keyId))))
        // Whoever locks several does so in this order.
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
        .values({ organizationId, ...beginning })
        .onConflictDoNothing()
      const [row] = await lockChain(handle, { organizationId })
      return row === undefined ? beginning : headOf(row)
    },

    async findHead(organizationId) {
      const [row] = await handle
        .select()
        .from(auditChain)
        .where(eq(auditChain.organizationId, organizationId))
      return row === undefined ? null : headOf(row)
    },

    replaceHead: (organizationId, head) => handle.send(moveHead(handle, { ...head, organizationId })),

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
