import type { Parley } from '@parley/sdk'
import type { ValuePath, Variables } from './environment-values.js'
import {
  agentKind,
  budgetKind,
  connectionKind,
  type Form,
  type HeaderNames,
  type IdOf,
  type KindName,
  type ManagedKind,
  type Marks,
  type Reference,
  type Stored,
  webhookKind,
} from './managed-kinds.js'
import { phoneConnectionKind, phoneNumberKind } from './phone-kinds.js'
import { findFiles, readSource, type SourceFile } from './source-file.js'
import { type FileError, FileErrors } from './yaml-file.js'

interface Write {
  readonly marks: Marks
  readonly idOf: IdOf
  readonly isDryRun: boolean
}

/** The outcome of a write or a dry run. `changed` lists the fields that the service reports as changed. */
export interface Written {
  readonly id: string
  readonly changed: readonly string[]
  /** The signing secret of a new webhook. The service shows it only once. */
  readonly secret: string | null
}

/** One entry of the files: the desired state of a resource. */
export interface DesiredEntry {
  readonly kind: KindName
  readonly noun: string
  readonly externalId: string
  /** The name as written in the file, for display. */
  readonly name: string
  /** The id of the existing resource that gets the external id, or null if the file names none. */
  readonly adoptedId: string | null
  readonly references: readonly Reference[]
  readonly hasSecrets: boolean
  readonly file: string
  readonly line: number
  formWith(rename: (kind: KindName, name: string) => string): Form
  /** The entry as written in the file: variables by name, without their values. */
  readonly written: unknown
  errorAt(path: ValuePath, message: string): FileError
  /** Returns the path in the entry that a path of the API refers to. */
  placeOf(apiPath: string): ValuePath
  create(parley: Parley, write: Write): Promise<Written>
  replace(
    parley: Parley,
    write: Write,
    current: { readonly id: string; readonly etag?: string; readonly headerNames: HeaderNames },
  ): Promise<Written>
}

export interface DesiredState {
  /** The name of the set that the files belong to. */
  readonly set: string
  readonly entries: readonly DesiredEntry[]
}

/** Reads the desired state from the files. Throws all errors that can be found without the service. */
export async function readDesiredState(
  paths: readonly string[],
  variables: Variables,
): Promise<DesiredState> {
  const outcomes = await Promise.all((await findFiles(paths)).map((file) => readSource(file, variables)))
  const errors = outcomes.flatMap((outcome) => (outcome.ok ? [] : outcome.errors))
  if (errors.length > 0) throw new FileErrors(errors)
  const files = outcomes.flatMap((outcome) => (outcome.ok ? [outcome.file] : []))
  const entries = files.flatMap((file) => [
    ...entriesOf(connectionKind, file, file.content.connections),
    ...entriesOf(agentKind, file, file.content.agents),
    ...entriesOf(webhookKind, file, file.content.webhooks),
    ...entriesOf(budgetKind, file, file.content.budgets),
    ...entriesOf(phoneConnectionKind, file, file.content.phoneConnections),
    ...entriesOf(phoneNumberKind, file, file.content.phoneNumbers),
  ])
  const found = [...findDoubles(entries), ...findSecondDefaults(entries), ...findSetErrors(files)]
  if (found.length > 0) throw new FileErrors(found)
  return { set: files.find(({ content }) => content.set !== undefined)?.content.set ?? '', entries }
}

function findDoubles(entries: readonly DesiredEntry[]): FileError[] {
  const seen = new Map<string, DesiredEntry>()
  return entries.flatMap((entry) => {
    const key = `${entry.kind} ${entry.externalId}`
    const first = seen.get(key)
    if (first === undefined) {
      seen.set(key, entry)
      return []
    }
    return [entry.errorAt([], `is also in ${first.file}:${first.line}. Remove one of the two.`)]
  })
}

function findSecondDefaults(entries: readonly DesiredEntry[]): FileError[] {
  const defaults = entries.filter(
    ({ kind, formWith }) => kind === 'connections' && formWith((_, name) => name).isDefault === true,
  )
  const [first, ...others] = defaults
  return others.map((entry) =>
    entry.errorAt(
      ['isDefault'],
      `is also true for ${first?.externalId}. Only one connection can be the default.`,
    ),
  )
}

function findSetErrors(files: readonly SourceFile[]): FileError[] {
  const [first, ...others] = files.filter(({ content }) => content.set !== undefined)
  if (first === undefined)
    return files.slice(0, 1).map((file) =>
      file.errorAt({
        path: [],
        message:
          'set is required. Add it to one of the files, for example `set: hotel`. It marks the resources that these files manage.',
      }),
    )
  return others
    .filter(({ content }) => content.set !== first.content.set)
    .map((file) =>
      file.errorAt({
        path: ['set'],
        message: `differs from the set in ${first.path}. Files that are applied together must have the same set.`,
      }),
    )
}

function entriesOf<
  Entry extends { readonly id?: string | undefined; readonly name: string },
  Resource extends Stored,
  Input,
>(
  kind: ManagedKind<Entry, Resource, Input>,
  file: SourceFile,
  entries: Readonly<Record<string, Entry>>,
): DesiredEntry[] {
  return Object.entries(entries).map(([externalId, entry]) => {
    const place = [kind.name, externalId]
    const errorAt = (path: ValuePath, message: string) => file.errorAt({ path: [...place, ...path], message })
    const writtenBy = async (sent: ReturnType<ReturnType<typeof kind.calls>['create']>): Promise<Written> => {
      const { data, headers } = await sent.withResponse()
      const changed = headers.get('parley-changed') ?? ''
      const secret = 'secret' in data && typeof data.secret === 'string' ? data.secret : null
      return { id: data.id, changed: changed === '' ? [] : changed.split(','), secret }
    }
    const written = valueAt(file.written, place)
    const writtenName = valueAt(written, ['name'])
    return {
      kind: kind.name,
      noun: kind.noun,
      externalId,
      name: typeof writtenName === 'string' ? writtenName : entry.name,
      adoptedId: entry.id ?? null,
      references: kind.referencesOf(entry),
      hasSecrets: kind.hasSecrets(entry),
      file: file.path,
      line: errorAt([], '').line,
      formWith: (rename) => kind.formOfEntry(entry, rename),
      written,
      errorAt,
      placeOf: (apiPath) => placeOf(apiPath, kind.fieldNames),
      create: (parley, { marks, idOf, isDryRun }) => {
        const body = kind.bodyOf(entry, idOf, { marks, headerNames: new Map() })
        return writtenBy(kind.calls(parley).create(body, { dryRun: isDryRun }))
      },
      replace: (parley, { marks, idOf, isDryRun }, { id, etag, headerNames }) => {
        const body = kind.bodyOf(entry, idOf, { marks, headerNames })
        return writtenBy(kind.calls(parley).replace(id, body, { ifMatch: etag, dryRun: isDryRun }))
      },
    }
  })
}

/**
 * Splits `tools[0].request.url` into keys and indexes, and replaces the first key with its name in the
 * files.
 */
function placeOf(apiPath: string, fieldNames: Readonly<Record<string, string>>): ValuePath {
  const parts = [...apiPath.matchAll(/\[(\d+)\]|[^.[\]]+/g)].map(([text, index]) =>
    index === undefined ? text : Number(index),
  )
  const [first, ...others] = parts
  if (typeof first !== 'string') return parts
  return [fieldNames[first] ?? first, ...others]
}

function valueAt(value: unknown, path: ValuePath): unknown {
  return path.reduce<unknown>(
    (inner, key) => (typeof inner === 'object' && inner !== null ? Reflect.get(inner, key) : undefined),
    value,
  )
}
