import { ApiError, InvalidRequestError, type Parley, PermissionError } from '@parley/sdk'
import type { DesiredEntry, DesiredState } from './desired-state.js'
import { concealed } from './environment-values.js'
import { type FieldChange, findChanges, hidden, withoutSecrets } from './field-changes.js'
import { inParallel } from './in-parallel.js'
import { type KindName, kindNames } from './managed-kinds.js'
import { Names } from './names.js'
import { inOrder } from './order.js'
import type { Plan, PlannedChange } from './plan.js'
import { type PresentResource, type PresentState, readPresentState } from './present-state.js'
import { type FileError, FileErrors } from './yaml-file.js'

export interface PlanRequest {
  readonly url: string
  readonly organizationId: string
  readonly desired: DesiredState
  /** Whether to delete resources of the set that are no longer in the files. */
  readonly isPruning: boolean
  /** Whether to take over resources of another set. */
  readonly isTakingOver: boolean
}

/** A plan, with the steps and names needed to apply it. */
export interface ReadyPlan {
  readonly plan: Plan
  readonly steps: readonly Step[]
  readonly names: Names
}

export type Step = { readonly change: PlannedChange } & (
  | { readonly entry: DesiredEntry; readonly present: PresentResource | null }
  | { readonly entry: null; readonly present: PresentResource }
)

/**
 * Compares the files with the service. Tries each change as a dry run, so that a plan that can be made can
 * also be applied. The exception is a change that depends on a resource that does not exist yet.
 */
export async function makePlan(parley: Parley, request: PlanRequest): Promise<ReadyPlan> {
  const { desired, isPruning } = request
  const present = await readPresentState(parley, kindsToRead(request))
  const names = new Names(desired.entries, present)
  throwIfAny(desired.entries.flatMap((entry) => findNameErrors(entry, names, request)))
  const ordered = inOrder(desired.entries)
  if (!ordered.ok) throw new FileErrors(ordered.errors)

  const looked = await inParallel(ordered.entries, (entry) =>
    lookAt(parley, { entry, names, set: desired.set }),
  )
  throwIfAny(looked.flatMap(({ errors }) => errors))
  const changed = looked.flatMap(({ step }) => (step === null ? [] : [step]))
  const orphans = findOrphans(desired, present, names)
  const deleted = isPruning ? await inParallel([...orphans].reverse(), stepOfDeletion) : []
  const steps = [...changed, ...deleted]
  return {
    steps,
    names,
    plan: {
      format: 'parley-plan-1',
      url: request.url,
      organizationId: request.organizationId,
      set: desired.set,
      changes: steps.map(({ change }) => change),
      unchanged: looked.length - changed.length,
      left: isPruning ? [] : orphans.map(({ kind, externalId }) => ({ kind, externalId: externalId ?? '' })),
    },
  }
}

/** Returns the kinds to read. A key does not need the scopes of other kinds. */
function kindsToRead({ desired, isPruning }: PlanRequest): ReadonlySet<KindName> {
  if (isPruning) return new Set(kindNames)
  return new Set(
    desired.entries.flatMap(({ kind, references }) => [
      kind,
      ...references.map((reference) => reference.kind),
    ]),
  )
}

function findNameErrors(
  entry: DesiredEntry,
  names: Names,
  { desired, isTakingOver }: PlanRequest,
): FileError[] {
  const unknown = entry.references
    .filter(({ kind, name }) => !names.isKnown(kind, name))
    .map(({ kind, name, path }) =>
      entry.errorAt(
        path,
        `names ${name}, which is not among the ${kind} of these files or of the organization. Add it, or correct the name.`,
      ),
    )
  const keeper = names.presentOf(entry)?.managedBy ?? null
  if (keeper === null || keeper === desired.set || isTakingOver) return unknown
  const message = `is kept in the set ${keeper}, but these files are the set ${desired.set}. Remove it here, or run with --take-over.`
  return [...unknown, entry.errorAt([], message)]
}

function throwIfAny(errors: readonly FileError[]): void {
  if (errors.length > 0) throw new FileErrors(errors)
}

interface Looked {
  /** Null if the resource is up to date. */
  readonly step: Step | null
  readonly errors: readonly FileError[]
}

interface LookedFor {
  readonly entry: DesiredEntry
  readonly names: Names
  readonly set: string
}

/**
 * Returns the step for one entry. Asks the service whether secrets differ, because they cannot be compared
 * here.
 */
async function lookAt(parley: Parley, { entry, names, set }: LookedFor): Promise<Looked> {
  const found = names.presentOf(entry)
  const write = { marks: { externalId: entry.externalId, managedBy: set }, idOf: names.idOf, isDryRun: true }
  try {
    if (found === null) {
      await entry.create(parley, write)
      const fields = Object.entries(asWritten(entry.written)).map(([path, after]) => ({ path, after }))
      return {
        step: { entry, present: null, change: changeOf(entry, { action: 'create', fields }) },
        errors: [],
      }
    }
    if (fieldsOf(entry, found, names, set).length === 0) {
      const { changed } = entry.hasSecrets ? await entry.replace(parley, write, found) : unchanged
      if (secretsAmong(changed).length === 0) return { step: null, errors: [] }
    }
    // Reads the resource again together with its version, so that the plan describes exactly this version.
    const { resource, etag } = await found.reread()
    const { changed } = await entry.replace(parley, write, { ...resource, etag })
    const fields = [...fieldsOf(entry, resource, names, set), ...secretsAmong(changed)]
    if (fields.length === 0) return { step: null, errors: [] }
    const { id } = resource
    const change = changeOf(entry, {
      action: 'update',
      fields,
      id,
      etag,
      notes: notesOn(entry, resource, fields),
    })
    return { step: { entry, present: resource, change }, errors: [] }
  } catch (error) {
    return { step: null, errors: errorsOf(error, entry) }
  }
}

const unchanged = { changed: [] }

/** Returns the fields of a new resource as written in its file. */
function asWritten(written: unknown): object {
  if (typeof written !== 'object' || written === null) return {}
  return Object.fromEntries(Object.entries(written).filter(([name]) => name !== 'id'))
}

function fieldsOf(entry: DesiredEntry, present: PresentResource, names: Names, set: string): FieldChange[] {
  const form = entry.formWith(names.rename)
  const after = { ...form, externalId: entry.externalId, managedBy: set }
  const { externalId, managedBy } = present
  const before = { ...present.formWith(names.nameOf), externalId, managedBy }
  return findChanges({ before, after, shown: { ...after, ...Object(concealed(form, entry.written)) } })
}

const secretFields = new Map([
  ['apiKey', 'apiKey'],
  ['secret', 'secret'],
  ['webhookSecret', 'webhookSecret'],
  ['toolSecrets', 'tools (header values)'],
])

function secretsAmong(changed: readonly string[]): FieldChange[] {
  return changed.flatMap((name) => {
    const path = secretFields.get(name)
    return path === undefined ? [] : [{ path, before: hidden, after: hidden }]
  })
}

/** The fields of an address. */
const addressFields: Partial<Record<KindName, readonly string[]>> = {
  connections: ['baseUrl', 'kind'],
  phoneConnections: ['baseUrl', 'kind', 'accountId', 'sip', 'sip.host'],
}

/** Warns if an address changes, because the service sends a secret only to the address that it was set for. */
function notesOn(entry: DesiredEntry, present: PresentResource, fields: readonly FieldChange[]): string[] {
  const isMoving = fields.some(({ path }) => addressFields[entry.kind]?.includes(path))
  const [field] = present.secretFields
  if (!isMoving || entry.hasSecrets || field === undefined) return []
  return [`The address changes, so the stored key is dropped. Add ${field}: \${env:NAME} to send it again.`]
}

function changeOf(
  entry: DesiredEntry,
  of: Pick<PlannedChange, 'action' | 'fields'> & Partial<Pick<PlannedChange, 'id' | 'etag' | 'notes'>>,
): PlannedChange {
  const { kind, externalId, name, file, line } = entry
  const { id = null, etag = null, notes = [] } = of
  const fields = of.fields.map(withoutSecrets)
  return { ...of, kind, externalId, name, id, etag, file, line, fields, notes }
}

function findOrphans({ set, entries }: DesiredState, present: PresentState, names: Names): PresentResource[] {
  const wanted = new Set(entries.map((entry) => names.presentOf(entry)?.id))
  return [...present.values()].flat().filter(({ id, managedBy }) => managedBy === set && !wanted.has(id))
}

async function stepOfDeletion(found: PresentResource): Promise<Step> {
  const { resource, etag } = await found.reread()
  const { kind, id, name, externalId } = resource
  const change: PlannedChange = {
    action: 'delete',
    kind,
    id,
    name,
    etag,
    externalId: externalId ?? id,
    file: null,
    line: null,
    fields: [],
    notes: [],
  }
  return { change, entry: null, present: resource }
}

/**
 * Returns errors of the service as errors of the file, at the fields that it names. Throws any other
 * error.
 */
export function errorsOf(error: unknown, entry: DesiredEntry): FileError[] {
  if (!(error instanceof ApiError) || error.status === 401 || error.status >= 500 || error.status === 429)
    throw error
  if (error instanceof PermissionError && error.limit === null) throw error
  if (error instanceof InvalidRequestError && error.errors.length > 0)
    return error.errors.map(({ path, message }) => entry.errorAt(entry.placeOf(path), message))
  return [entry.errorAt([], `was rejected by the service: ${error.message}`)]
}
