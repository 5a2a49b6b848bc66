import type { AuditLogListQuery, Page } from '@parley/contract'
import type { AuditFilter, ChainHead, RecordRow, StoredAuditRecord } from '../../ports/audit-store.js'
import type { CallerScope } from '../caller-scope.js'
import { readPage } from '../resources/resource.js'
import { beginning } from './chain-head.js'

/** So few that they are done with before the garbage collector takes them for something that stays. */
const exportPageSize = 100

type Filters = Pick<AuditLogListQuery, 'From' | 'To' | 'Action' | 'ActorId' | 'ResourceType'>

export function listAuditLog(
  { stores, caller }: CallerScope,
  query: AuditLogListQuery,
): Promise<Page<StoredAuditRecord>> {
  return readPage(query, (page) => stores.audit.list(caller.organizationId, filterOf(query), page))
}

/**
 * Every matching record, oldest first, a page at a time: no transaction is held while a slow reader takes its time, and
 * the next page is on its way while one is taken. First the chain, place by place; then what has got no place by then.
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

/** Reads the page after the one before; null behind the last. */
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

/** What is given its place meanwhile stays among them: nothing is left out, and nothing comes twice. */
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
    // It may never be waited for, where the reader leaves, and its failure is nobody's then.
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
