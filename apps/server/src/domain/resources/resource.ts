import type { Page } from '@parley/contract'
import type { z } from 'zod'
import type { Clock } from '../../ports/clock.js'
import type { Stores } from '../../ports/database.js'
import type { UsageKind } from '../../ports/organization-usage-store.js'
import type { ResourceRecord, ResourceStore, WriteOutcome } from '../../ports/resource-store.js'
import type { CallerScope } from '../caller-scope.js'
import { DomainError, invalidRequest, notFound } from '../domain-error.js'
import { fieldErrorsOf } from '../field-path.js'
import { type Limits, oneMore } from '../limits/organization-limits.js'
import { type IfMatch, requireMatch, stale } from './if-match.js'
import { mergePatch } from './merge-patch.js'
import { type PageQuery, readPage } from './page.js'

/** A kind of resource: its name on the wire, where it is stored, and the clock that dates its versions. */
export interface ResourceKind<Row extends ResourceRecord, Filter> {
  readonly type: string
  readonly clock: Clock
  readonly store: (stores: Stores) => ResourceStore<Row, Filter>
  /** What to say where a unique value is taken. */
  readonly duplicate?: string
}

/** A kind that callers add to, as far as the limit of their organization goes. */
export interface CreatableKind<Row extends ResourceRecord, Filter> extends ResourceKind<Row, Filter> {
  readonly limits: Limits
  readonly counted: UsageKind
}

/** The resource that a caller means, and the versions of it that they will accept. */
export interface MeantVersion {
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

/** Locks the record, lets `change` make the next one of it, and writes that as the next version. */
export async function changeResource<Row extends ResourceRecord, Filter>(
  kind: ResourceKind<Row, Filter>,
  scope: CallerScope,
  { change, ...meant }: MeantVersion & { readonly change: (current: Row) => Promise<Row> | Row },
): Promise<{ readonly before: Row; readonly after: Row }> {
  const before = await lockMeant(kind, scope, meant)
  const after = nextVersion(kind, before, await change(before))
  requireWritten(await kind.store(scope.stores).update(after, before.version), kind)
  return { before, after }
}

/** Locks the record, lets `check` object, and removes it. */
export async function removeResource<Row extends ResourceRecord, Filter>(
  kind: ResourceKind<Row, Filter>,
  scope: CallerScope,
  { check, ...meant }: MeantVersion & { readonly check?: (current: Row) => Promise<void> },
): Promise<Row> {
  const current = await lockMeant(kind, scope, meant)
  await check?.(current)
  const removed = nextVersion(kind, current, current)
  requireWritten(await kind.store(scope.stores).remove(removed, current.version), kind)
  return current
}

/** What a resource becomes under a merge patch: what is read of it, merged, and checked as a whole again. */
export function applyPatch<Input>(
  { wire, input }: { readonly wire: z.ZodType<object>; readonly input: z.ZodType<Input> },
  current: object,
  patch: object,
): Input {
  const merged = input.safeParse(mergePatch(wire.parse(current), patch))
  if (!merged.success) throw invalidRequest(fieldErrorsOf(merged.error))
  return merged.data
}

async function lockMeant<Row extends ResourceRecord, Filter>(
  kind: ResourceKind<Row, Filter>,
  { stores, caller }: CallerScope,
  { id, ifMatch }: MeantVersion,
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
    throw new DomainError('Conflict', kind.duplicate ?? `Another ${kind.type} is like this one.`)
}
