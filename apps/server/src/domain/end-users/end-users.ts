import {
  EndUser,
  type EndUserListQuery,
  type EndUserPatch,
  findMetadataProblem,
  type Metadata,
  metadataFilterOf,
  type Page,
} from '@parley/contract'
import type { Stores } from '../../ports/database.js'
import type { EndUserRecord } from '../../ports/end-user-store.js'
import type { Clock } from '../../ports/time.js'
import { recordChange } from '../audit/record-change.js'
import type { CallerScope } from '../caller-scope.js'
import { invalidRequest } from '../domain-error.js'
import {
  type Changed,
  changedFields,
  changeResource,
  listResources,
  readResource,
  type TargetVersion,
} from '../resources/resource.js'

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
    list: (scope: CallerScope, query: EndUserListQuery): Promise<Page<EndUserRecord>> =>
      listResources(kind, scope, {
        query,
        filter: {
          externalId: query.ExternalId,
          search: query.Search,
          metadata: metadataFilterOf(query),
        },
      }),

    read: (scope: CallerScope, id: string) => readResource(kind, scope, id),

    async patch(
      scope: CallerScope,
      target: TargetVersion,
      { name, metadata }: EndUserPatch,
    ): Promise<Changed<EndUserRecord>> {
      const { before, after } = await changeResource(kind, scope, {
        ...target,
        change: (current) => {
          const merged = mergeMetadata(current.metadata, metadata ?? {})
          const message = findMetadataProblem(merged)
          if (message !== null) throw invalidRequest([{ path: 'metadata', message }])
          return { ...current, name: name === undefined ? current.name : name, metadata: merged }
        },
      })
      const changed = changedFields(EndUser.parse(before), EndUser.parse(after))
      await recordChange(clock, scope, {
        action: 'end_user.update',
        type,
        id: target.id,
        details: { changed },
      })
      return { ...after, changed }
    },
  }
}
