import type { AuditLogListQuery, Page } from '@parley/contract'
import type { AuditFilter, StoredAuditRecord } from '../../ports/audit-store.js'
import type { Stores } from '../../ports/database.js'
import type { Caller } from '../caller.js'

const exportPageSize = 500

type Filters = Pick<AuditLogListQuery, 'From' | 'To' | 'Action' | 'ActorId' | 'ResourceType'>

export async function listAuditLog(
  stores: Stores,
  caller: Caller,
  query: AuditLogListQuery,
): Promise<Page<StoredAuditRecord>> {
  const page = { offset: query.Offset, limit: query.Limit }
  return { ...(await stores.audit.list(caller.organizationId, filterOf(query), page)), ...page }
}

/** Every matching record, oldest first. Read page by page: no transaction is held while a slow reader takes its time. */
export async function* exportAuditLog(
  stores: Stores,
  caller: Caller,
  query: Filters,
): AsyncGenerator<StoredAuditRecord> {
  let last: string | null = null
  for (;;) {
    const page: readonly StoredAuditRecord[] = await stores.audit.readAfter(
      caller.organizationId,
      filterOf(query),
      last,
      exportPageSize,
    )
    yield* page
    last = page.at(-1)?.id ?? null
    if (page.length < exportPageSize) return
  }
}

function filterOf(query: Filters): AuditFilter {
  return {
    from: query.From,
    to: query.To,
    action: query.Action,
    actorId: query.ActorId,
    resourceType: query.ResourceType,
  }
}
