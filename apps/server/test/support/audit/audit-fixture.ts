import { type AuditLogRecord, type AuditLogVerification, type Page, scopes } from '@parley/contract'
import { systemClock } from '#server/adapters/system/clock.js'
import { beginChain } from '#server/domain/audit/chain-head.js'
import { type AuditedChange, recordChange } from '#server/domain/audit/record-change.js'
import { sealAuditLog } from '#server/domain/audit/seal.js'
import { verifyAuditLog } from '#server/domain/audit/verify.js'
import type { Caller } from '#server/domain/caller-scope.js'
import type { ChainPosition } from '#server/ports/audit-store.js'
import type { Database } from '#server/ports/database.js'
import type { Clock } from '#server/ports/time.js'
import type { ApiClient } from '../api-client.js'
import { chainSecrets } from './chain-secrets.js'

/** Options for waiting for the service's background work, also on a busy machine. */
export const patiently = { timeout: 60_000, interval: 50 }

/** Does what the service does after every change. */
export const seal = (database: Database): Promise<number> =>
  sealAuditLog({ database, clock: systemClock, ...chainSecrets })

export const verifyChain = (
  { stores }: Pick<Database, 'stores'>,
  organizationId: string,
  held: ChainPosition | null = null,
): Promise<AuditLogVerification> =>
  verifyAuditLog({ ...chainSecrets, clock: systemClock }, { stores, caller: callerOf(organizationId) }, held)

/** The expected verification result of an intact chain with this number of records. */
export const wholeChain = (checkedCount: number): AuditLogVerification => ({
  valid: true,
  ...{ checkedCount, unsealedCount: 0, brokenSequence: null },
  ...{ bareThrough: 0, removedThrough: 0, heldHead: null },
  ...{ rejectedCount: 0, rejectedIds: [], lateCount: 0, lateSequences: [] },
  ...{ unsignedCount: 0, unsignedSequences: [] },
  detail: 'Every sealed record is present and unchanged.',
})

/** An actor in this organization. */
export function callerOf(organizationId: string, name = 'Test'): Caller {
  return {
    organizationId,
    actor: { type: 'api_key', id: `id of ${name}`, name },
    scopes,
    expiresAt: null,
    ipAddress: '192.0.2.7',
    requestId: 'a-request',
  }
}

/** Writes many records in one transaction, as the domain does. A new chain begins in it. */
export async function writeRecords(
  database: Database,
  caller: Caller,
  changes: readonly AuditedChange[],
  clock: Clock = { now: () => new Date() },
): Promise<void> {
  await database.transaction(async (stores) => {
    if ((await stores.audit.findHead(caller.organizationId)) === null)
      await beginChain({ ...chainSecrets, clock: systemClock }, stores.audit, caller.organizationId)
    for (const change of changes) await recordChange(clock, { stores, caller }, change)
  })
}

export function someChanges(count: number, details: Readonly<Record<string, unknown>> = {}): AuditedChange[] {
  return Array.from({ length: count }, (_, index) => ({
    action: 'agent.update',
    type: 'Agent',
    id: String(index + 1),
    details: { number: index + 1, ...details },
  }))
}

/** Returns the newest records of the client's organization. */
export async function readRecords(client: ApiClient, query = '', limit = 200): Promise<AuditLogRecord[]> {
  const { body } = await client.call<Page<AuditLogRecord>>('GET', `/api/v1/AuditLog?Limit=${limit}${query}`)
  return [...body.items]
}

export async function verify(client: ApiClient, query = ''): Promise<AuditLogVerification> {
  return (await client.call<AuditLogVerification>('GET', `/api/v1/AuditLog/verify${query}`)).body
}
