import type { ResourceRecord, UpsertStore } from '../../ports/resource-store.js'
import type { CallerScope } from '../caller-scope.js'
import { type IfMatch, stale } from './if-match.js'
import type { MeantVersion } from './resource.js'

/** What another system, or a file, calls by a name of its own. */
export interface MeantExternalId {
  readonly externalId: string
  readonly ifMatch: IfMatch
}

export interface Upserted<Resource> {
  readonly resource: Resource
  readonly isNew: boolean
}

interface UpsertInput<Resource> extends MeantExternalId {
  readonly create: () => Promise<Resource>
  readonly replace: (meant: MeantVersion) => Promise<Resource>
}

/**
 * Creates or replaces what has this external id, whoever else does so now: upserts of an organization take turns, so that
 * the second finds what the first has made.
 */
export async function upsertResource<Row extends ResourceRecord, Resource>(
  store: UpsertStore<Row>,
  { caller: { organizationId } }: CallerScope,
  { externalId, ifMatch, create, replace }: UpsertInput<Resource>,
): Promise<Upserted<Resource>> {
  await store.lockUpserts(organizationId)
  const current = await store.findByExternalIdLocked(organizationId, externalId)
  if (current !== null) return { resource: await replace({ id: current.id, ifMatch }), isNew: false }
  if (ifMatch !== null) throw stale()
  return { resource: await create(), isNew: true }
}
