import type { AuditLogListQuery, Page } from '@parley/contract'
import type { AuditFilter, ChainHead, RecordRow, StoredAuditRecord } from '../../ports/audit-store.js'
import type { CallerScope } from '../caller-scope.js'
import { readPage } from '../resources/resource.js'
import { beginning } from './chain-head.js'

/** Pages are small, so that V8 collects their records while they are still in the young generation. */
const exportPageSize = 100

type Filters = Pick<AuditLogListQuery, 'From' | 'To' | 'Action' | 'ActorId' | 'ResourceType'>

export function listAuditLog(
  { stores, caller }: CallerScope,
  query: AuditLogListQuery,
): Promise<Page<StoredAuditRecord>> {
  return readPage(query, (page) => stores.audit.list(caller.organizationId, filterOf(query), page))
}

/**
 * Yields every matching record, oldest first, one page at a time. Sealed records come first, in the order of
 * the chain. Records that had no position when the export started come last. No transaction stays open while
 * a slow reader consumes a page, and the next page is fetched while the current one is processed.
 */
export async function* exportAuditLog(
  scope: CallerScope,
  query: Filters,
): AsyncGenerator<readonly RecordRow[]> {
  const { stores, caller } = scope
  const head = (await stores.audit.findHead(caller.organizationId)) ?? beginning
  const filter = filterOf(query)
  yield* oneAhead(chainPages(scope, filter, head))
  yield* oneAhead(laterPages(scope, filter, head))
}

/** Reads the next page. Resolves with null after the last page. */
type PageReader = () => Promise<readonly RecordRow[] | null>

function chainPages({ stores, caller }: CallerScope, filter: AuditFilter, head: ChainHead): PageReader {
  let after = head.removedThrough
  return async () => {
    if (after >= head.sequence) return null
    const places = { after, through: Math.min(after + exportPageSize, head.sequence) }
    after = places.through
    return stores.audit.readMatching(caller.organizationId, places, filter)
  }
}

/**
 * Reads the records without a position. A record that is sealed during the export stays in these pages, so
 * that no record is missing or exported twice.
 */
function laterPages({ stores, caller }: CallerScope, filter: AuditFilter, head: ChainHead): PageReader {
  let afterId: string | null | undefined = null
  return async () => {
    if (afterId === undefined) return null
    const wanted = { filter, sequence: head.sequence, afterId, limit: exportPageSize }
    const page = await stores.audit.readBeyond(caller.organizationId, wanted)
    afterId = page.length < exportPageSize ? undefined : page.at(-1)?.id
    return page
  }
}

async function* oneAhead(read: PageReader): AsyncGenerator<readonly RecordRow[]> {
  let ahead = read()
  for (;;) {
    const page = await ahead
    if (page === null) return
    ahead = read()
    // If the reader disconnects, this promise is never awaited, so its rejection must be marked as handled.
    ahead.catch(() => undefined)
    if (page.length > 0) yield page
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
