import type { AuditLogListQuery, Page } from '@parley/contract'
import type { AuditFilter, StoredAuditRecord } from '../../ports/audit-store.js'
import type { CallerScope } from '../caller-scope.js'
import { readPage } from '../resources/page.js'

const exportPageSize = 500

type Filters = Pick<AuditLogListQuery, 'From' | 'To' | 'Action' | 'ActorId' | 'ResourceType'>

export function listAuditLog(
  { stores, caller }: CallerScope,
  query: AuditLogListQuery,
): Promise<Page<StoredAuditRecord>> {
  return readPage(query, (page) => stores.audit.list(caller.organizationId, filterOf(query), page))
}

/** Every matching record, oldest first. Read page by page: no transaction is held while a slow reader takes its time. */
export async function* exportAuditLog(
  { stores, caller }: CallerScope,
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
