import { isDeepStrictEqual } from 'node:util'
import { fieldErrorsOf, type Page } from '@parley/contract'
import type { z } from 'zod'
import type { Stores } from '../../ports/database.js'
import type {
  PageRequest,
  RecordPage,
  ResourceRecord,
  ResourceStore,
  UpsertStore,
  WriteOutcome,
} from '../../ports/resource-store.js'
import type { Clock } from '../../ports/time.js'
import type { UsageKind } from '../../ports/usage-stores.js'
import type { CallerScope } from '../caller-scope.js'
import { DomainError, invalidRequest, notFound } from '../domain-error.js'
import { type Limits, oneMore } from '../limits/organization-limits.js'
import { newId } from '../new-id.js'

/** A kind of resource: its wire name, its store, and the clock for its versions. */
interface ResourceKind<Row extends ResourceRecord, Filter> {
  readonly type: string
  readonly clock: Clock
  readonly store: (stores: Stores) => ResourceStore<Row, Filter>
  /** The error message for a duplicate unique value. */
  readonly duplicate?: string
}

/** A kind of resource that callers can create, up to the limit of their organization. */
interface CreatableKind<Row extends ResourceRecord, Filter> extends ResourceKind<Row, Filter> {
  readonly limits: Limits
  readonly counted: UsageKind
}

/** The id of a resource, and the versions that the caller accepts. */
export interface TargetVersion {
  readonly id: string
  readonly ifMatch: IfMatch
}

export function listResources<Row extends ResourceRecord, Filter>(
  kind: ResourceKind<Row, Filter>,
  { stores, caller }: CallerScope,
  { query, filter }: { readonly query: PageQuery; readonly filter: Filter },
): Promise<Page<Row>> {
  return readPage(query, (page) => kind.store(stores).list(caller.organizationId, filter, page))
}

export async function readResource<Row extends ResourceRecord, Filter>(
  kind: ResourceKind<Row, Filter>,
  { stores, caller }: CallerScope,
  id: string,
): Promise<Row> {
  const found = await kind.store(stores).find(caller.organizationId, id)
  if (found === null) throw notFound(kind.type)
  return found
}

export async function addResource<Row extends ResourceRecord, Filter>(
  kind: CreatableKind<Row, Filter>,
  scope: CallerScope,
  record: Row,
): Promise<void> {
  await kind.limits.requireRoom(scope, [oneMore(kind.counted)])
  requireWritten(await kind.store(scope.stores).insert(record), kind)
}

/** Locks the record, applies `change`, and stores the result as the next version. */
export async function changeResource<Row extends ResourceRecord, Filter>(
  kind: ResourceKind<Row, Filter>,
  scope: CallerScope,
  { change, ...target }: TargetVersion & { readonly change: (current: Row) => Promise<Row> | Row },
): Promise<{ readonly before: Row; readonly after: Row }> {
  const before = await lockTarget(kind, scope, target)
  const after = nextVersion(kind, before, await change(before))
  requireWritten(await kind.store(scope.stores).update(after, before.version), kind)
  return { before, after }
}

/** Locks the record, runs `check`, which may throw, and removes the record. */
export async function removeResource<Row extends ResourceRecord, Filter>(
  kind: ResourceKind<Row, Filter>,
  scope: CallerScope,
  { check, ...target }: TargetVersion & { readonly check?: (current: Row) => Promise<void> },
): Promise<Row> {
  const current = await lockTarget(kind, scope, target)
  await check?.(current)
  const removed = nextVersion(kind, current, current)
  requireWritten(await kind.store(scope.stores).remove(removed, current.version), kind)
  return current
}

/** Merges a patch into the resource as callers see it, and validates the result as a whole. */
export function applyPatch<Input>(
  { wire, input }: { readonly wire: z.ZodType<object>; readonly input: z.ZodType<Input> },
  current: object,
  patch: object,
): Input {
  const merged = input.safeParse(mergePatch(wire.parse(current), patch))
  if (!merged.success) throw invalidRequest(fieldErrorsOf(merged.error))
  return merged.data
}

async function lockTarget<Row extends ResourceRecord, Filter>(
  kind: ResourceKind<Row, Filter>,
  { stores, caller }: CallerScope,
  { id, ifMatch }: TargetVersion,
): Promise<Row> {
  const current = await kind.store(stores).findLocked(caller.organizationId, id)
  if (current === null) throw notFound(kind.type)
  requireMatch(ifMatch, current.version)
  return current
}

function nextVersion<Row extends ResourceRecord>(
  { clock }: { readonly clock: Clock },
  current: Row,
  next: Row,
): Row {
  return { ...next, version: current.version + 1, updatedAt: clock.now().toISOString() }
}

function requireWritten(
  outcome: WriteOutcome,
  kind: { readonly type: string; readonly duplicate?: string },
): void {
  if (outcome === 'stale') throw stale()
  if (outcome === 'duplicate')
    throw new DomainError('Conflict', kind.duplicate ?? `Another ${kind.type} already has these values.`)
}

/** A resource that is identified by an external id. */
export interface TargetExternalId {
  readonly externalId: string
  readonly ifMatch: IfMatch
}

export interface Upserted<Resource> {
  readonly resource: Resource
  readonly isNew: boolean
}

interface UpsertInput<Resource> extends TargetExternalId {
  readonly create: () => Promise<Resource>
  readonly replace: (target: TargetVersion) => Promise<Resource>
}

/**
 * Creates or replaces the resource with this external id. The upserts of an organization are serialized, so
 * that a second one finds the resource of the first.
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

/** The versions that the caller accepts, or null for any version. */
export type IfMatch = readonly string[] | null

/** Throws if the caller does not accept the current version. */
export function requireMatch(ifMatch: IfMatch, version: number): void {
  if (ifMatch === null || ifMatch.includes('*') || ifMatch.includes(String(version))) return
  throw stale()
}

export function stale(): DomainError {
  return new DomainError(
    'PreconditionFailed',
    'The resource has changed since it was read. Read it again and repeat the change.',
  )
}

/**
 * Applies a merge patch: objects are merged field by field, and other values are replaced. Null is stored as
 * null, because every optional field is nullable here.
 */
function mergePatch(target: object, patch: object): object {
  const merged: Record<string, unknown> = { ...target }
  for (const [name, value] of Object.entries(patch)) {
    if (value === undefined) continue
    const current = merged[name]
    merged[name] = isPlainObject(current) && isPlainObject(value) ? mergePatch(current, value) : value
  }
  return merged
}

function isPlainObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const bookkeeping = ['version', 'updatedAt']

/**
 * Returns the names of the fields that differ between two versions. Excludes the values, because they may be
 * secret.
 */
export function changedFields(before: object, after: object): string[] {
  const values = new Map(Object.entries(before))
  return Object.entries(after)
    .filter(([name, value]) => !bookkeeping.includes(name) && !isDeepStrictEqual(values.get(name), value))
    .map(([name]) => name)
}

/** A resource after a change, with the names of the changed fields. */
export type Changed<Resource> = Resource & { readonly changed?: readonly string[] }

/** Returns the common fields of a new resource. */
export function newResource(clock: Clock, organizationId: string): ResourceRecord {
  const now = clock.now().toISOString()
  return { id: newId(), organizationId, version: 1, createdAt: now, updatedAt: now }
}

interface PageQuery {
  readonly Offset: number
  readonly Limit: number
}

/** Reads the requested page, and adds its offset and limit to the response. */
export async function readPage<Row>(
  { Offset: offset, Limit: limit }: PageQuery,
  list: (page: PageRequest) => Promise<RecordPage<Row>>,
): Promise<Page<Row>> {
  const { items, totalCount } = await list({ offset, limit })
  return { items, totalCount, offset, limit }
}
