import type { Page } from '@parley/contract'
import type { z } from 'zod'
import type { Clock } from '../../ports/clock.js'
import type { Stores } from '../../ports/database.js'
import type { ResourceRecord, ResourceStore, WriteOutcome } from '../../ports/resource-store.js'
import type { Caller } from '../caller.js'
import { DomainError, invalidRequest, notFound } from '../domain-error.js'
import { fieldErrorsOf } from '../field-path.js'
import { type IfMatch, requireMatch, stale } from './if-match.js'
import { mergePatch } from './merge-patch.js'

/** A kind of resource: its name on the wire and where it is stored. */
export interface ResourceKind<Row extends ResourceRecord, Filter> {
  readonly type: string
  readonly store: (stores: Stores) => ResourceStore<Row, Filter>
  /** What to say where a unique value is taken. */
  readonly duplicate?: string
}

export async function listResources<Row extends ResourceRecord, Filter>(
  kind: ResourceKind<Row, Filter>,
  stores: Stores,
  caller: Caller,
  filter: Filter,
  query: { readonly Offset: number; readonly Limit: number },
): Promise<Page<Row>> {
  const page = { offset: query.Offset, limit: query.Limit }
  return { ...(await kind.store(stores).list(caller.organizationId, filter, page)), ...page }
}

export async function readResource<Row extends ResourceRecord, Filter>(
  kind: ResourceKind<Row, Filter>,
  stores: Stores,
  caller: Caller,
  id: string,
): Promise<Row> {
  const found = await kind.store(stores).find(caller.organizationId, id)
  if (found === null) throw notFound(kind.type)
  return found
}

export async function addResource<Row extends ResourceRecord, Filter>(
  kind: ResourceKind<Row, Filter>,
  stores: Stores,
  record: Row,
): Promise<void> {
  requireWritten(await kind.store(stores).insert(record), kind)
}

/** Locks the record, lets `change` make the next one of it, and writes that as the next version. */
export async function changeResource<Row extends ResourceRecord, Filter>(
  kind: ResourceKind<Row, Filter>,
  stores: Stores,
  clock: Clock,
  caller: Caller,
  id: string,
  ifMatch: IfMatch,
  change: (current: Row) => Promise<Row> | Row,
): Promise<Row> {
  const current = await kind.store(stores).findLocked(caller.organizationId, id)
  if (current === null) throw notFound(kind.type)
  requireMatch(ifMatch, current.version)
  const next = nextVersion(clock, current, await change(current))
  requireWritten(await kind.store(stores).update(next, current.version), kind)
  return next
}

/** Locks the record, lets `check` object, and removes it. */
export async function removeResource<Row extends ResourceRecord, Filter>(
  kind: ResourceKind<Row, Filter>,
  stores: Stores,
  clock: Clock,
  caller: Caller,
  id: string,
  ifMatch: IfMatch,
  check: (current: Row) => Promise<void> = async () => undefined,
): Promise<Row> {
  const current = await kind.store(stores).findLocked(caller.organizationId, id)
  if (current === null) throw notFound(kind.type)
  requireMatch(ifMatch, current.version)
  await check(current)
  requireWritten(await kind.store(stores).remove(nextVersion(clock, current, current), current.version), kind)
  return current
}

/** What a resource becomes under a merge patch: what is read of it, merged, and checked as a whole again. */
export function applyPatch<Input>(
  wire: z.ZodType,
  input: z.ZodType<Input>,
  current: object,
  patch: object,
): Input {
  const merged = input.safeParse(mergePatch(wire.parse(current) as object, patch))
  if (!merged.success) throw invalidRequest(fieldErrorsOf(merged.error))
  return merged.data
}

function nextVersion<Row extends ResourceRecord>(clock: Clock, current: Row, next: Row): Row {
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
