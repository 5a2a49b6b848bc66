import {
  type EndUserErasure,
  type EndUserListQuery,
  type EndUserPatch,
  findMetadataProblem,
  type Metadata,
  metadataFilterOf,
  type Page,
} from '@parley/contract'
import type { Stores } from '../../ports/database.js'
import type { EndUserRecord } from '../../ports/end-user-store.js'
import type { EndUserDataPage } from '../../ports/erasure-store.js'
import type { ExportedPage } from '../../ports/installation-stores.js'
import type { Clock } from '../../ports/time.js'
import { recordChange } from '../audit/record-change.js'
import type { CallerScope } from '../caller-scope.js'
import { invalidRequest, notFound } from '../domain-error.js'
import {
  type Changed,
  changedFields,
  changeResource,
  listResources,
  readResource,
  type TargetVersion,
} from '../resources/resource.js'
import { erasureInProgress } from './erasure-in-progress.js'

const type = 'EndUser'

/** Null removes a key. */
function mergeMetadata(
  current: Metadata,
  changes: Readonly<Record<string, Metadata[string] | null>>,
): Metadata {
  const merged: Metadata = {}
  for (const [key, value] of Object.entries({ ...current, ...changes }))
    if (value !== null) merged[key] = value
  return merged
}

export type EndUsers = ReturnType<typeof makeEndUsers>

export function makeEndUsers({ clock }: { readonly clock: Clock }) {
  const kind = { type, clock, store: (stores: Stores) => stores.endUsers }

  return {
    async list(scope: CallerScope, query: EndUserListQuery): Promise<Page<ShownEndUser>> {
      const page = await listResources(kind, scope, {
        query,
        filter: {
          externalId: query.ExternalId,
          search: query.Search,
          metadata: metadataFilterOf(query),
        },
      })
      const items: ShownEndUser[] = []
      for (const record of page.items) items.push(await show(scope.stores, record))
      return { ...page, items }
    },

    read: async (scope: CallerScope, id: string) => show(scope.stores, await readResource(kind, scope, id)),

    /**
     * Requests the erasure of an end user and everything that belongs to them. The background work removes it.
     * A repeated request changes nothing.
     */
    async erase(scope: CallerScope, id: string): Promise<ShownEndUser> {
      const { stores, caller } = scope
      const current = await stores.endUsers.findLocked(caller.organizationId, id)
      if (current === null) throw notFound(type)
      if (current.erasureStartedAt !== null) return show(stores, current)
      const { after } = await changeResource(kind, scope, {
        id,
        ifMatch: null,
        change: (record) => ({ ...record, erasureStartedAt: clock.now().toISOString() }),
      })
      await recordChange(clock, scope, { action: 'end_user.erase', type, id })
      return show(stores, after)
    },

    /** Returns all data about an end user, page by page. */
    async export(scope: CallerScope, id: string): Promise<AsyncIterable<EndUserDataPage>> {
      await readResource(kind, scope, id)
      return readEndUserData(scope, id)
    },

    async patch(
      scope: CallerScope,
      target: TargetVersion,
      { name, metadata }: EndUserPatch,
    ): Promise<Changed<ShownEndUser>> {
      const { before, after } = await changeResource(kind, scope, {
        ...target,
        change: (current) => {
          if (current.erasureStartedAt !== null) throw erasureInProgress()
          const merged = mergeMetadata(current.metadata, metadata ?? {})
          const message = findMetadataProblem(merged)
          if (message !== null) throw invalidRequest([{ path: 'metadata', message }])
          return { ...current, name: name === undefined ? current.name : name, metadata: merged }
        },
      })
      const changed = changedFields(before, after)
      await recordChange(clock, scope, {
        action: 'end_user.update',
        type,
        id: target.id,
        details: { changed },
      })
      return { ...after, erasure: null, changed }
    },
  }
}

async function* readEndUserData({ stores }: CallerScope, id: string): AsyncGenerator<EndUserDataPage> {
  const { endUserData } = stores
  for (const table of endUserData.tables) {
    let after: readonly string[] | null = null
    do {
      const page: ExportedPage = await endUserData.page(id, table, after)
      yield { table, rows: page.rows }
      after = page.after
    } while (after !== null)
  }
}

/** An end user with the progress of the erasure. */
interface ShownEndUser extends EndUserRecord {
  readonly erasure: Readonly<EndUserErasure> | null
}

async function show(stores: Stores, record: EndUserRecord): Promise<ShownEndUser> {
  const { id, erasureStartedAt: startedAt } = record
  if (startedAt === null) return { ...record, erasure: null }
  return { ...record, erasure: { startedAt, ...(await stores.erasures.remaining(id)) } }
}
