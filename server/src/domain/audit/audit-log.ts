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

/**
 * Every matching record, oldest first, a page at a time: no transaction is held while a slow reader takes its time, and
 * the next page is on its way while one is taken.
 */
export async function* exportAuditLog(
  { stores, caller }: CallerScope,
  query: Filters,
): AsyncGenerator<readonly StoredAuditRecord[]> {
  const filter = filterOf(query)
  const read = (last: string | null) =>
    stores.audit.readAfter(caller.organizationId, filter, last, exportPageSize)
  let ahead: Promise<readonly StoredAuditRecord[]> | null = read(null)
  while (ahead !== null) {
    const page: readonly StoredAuditRecord[] = await ahead
    ahead = page.length < exportPageSize ? null : read(page.at(-1)?.id ?? null)
    // It may never be waited for, where the reader leaves, and its failure is nobody's then.
    ahead?.catch(() => undefined)
    yield page
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
