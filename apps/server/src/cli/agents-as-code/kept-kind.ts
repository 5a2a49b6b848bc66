import type { ApiPromise, ChangeOptions, DryRunOptions, Parley, RequestOptions } from '@parley/sdk'

/** What can be kept in files, in the order in which it is made: what is named stands before what names it. */
export const kindNames = ['connections', 'agents', 'webhooks', 'budgets'] as const
export type KindName = (typeof kindNames)[number]

/** A resource in the words of the files, without its secrets, all defaults filled in: what is compared and shown. */
export type Form = Readonly<Record<string, unknown>>

/** What the service stores, as far as all kinds share it. */
export interface Stored {
  readonly id: string
  readonly name: string
  readonly externalId: string | null
  readonly managedBy: string | null
}

/** Where an entry names another resource. */
export interface Reference {
  readonly kind: KindName
  /** As the file has it. */
  readonly name: string
  /** Where in the entry. */
  readonly path: readonly (string | number)[]
}

/** How a resource is called in the files. */
export type NameOf = (kind: KindName, id: string) => string

/** The id behind a reference; null where what it names is yet to be made. */
export type IdOf = (kind: KindName, name: string) => string | null

/** What is sent of every kind besides its own fields. */
export interface Marks {
  readonly externalId: string
  readonly managedBy: string
}

/** Names of the headers that each tool has, by the name of the tool. */
export type HeaderNames = ReadonlyMap<string, readonly string[]>

/** The calls of one kind of resource. */
interface Calls<Resource, Input> {
  list(query: { Limit?: number }): AsyncIterable<Resource>
  get(id: string, options?: RequestOptions): ApiPromise<Resource>
  create(body: Input, options?: DryRunOptions): ApiPromise<Resource>
  replace(id: string, body: Input, options?: ChangeOptions & DryRunOptions): ApiPromise<Resource>
  delete(id: string, options?: ChangeOptions): ApiPromise<void>
}

/** One kind of resource: how its entries and what is stored become each other. */
export interface KeptKind<Entry, Resource extends Stored, Input> {
  readonly name: KindName
  /** Of one of them, for sentences. */
  readonly noun: string
  calls(parley: Parley): Calls<Resource, Input>
  referencesOf(entry: Entry): readonly Reference[]
  /** References are as `rename` says. */
  formOfEntry(entry: Entry, rename: (kind: KindName, name: string) => string): Form
  formOfStored(stored: Resource, nameOf: NameOf): Form
  /** What of it is secret, and so cannot be compared here. */
  hasSecrets(entry: Entry): boolean
  headerNamesOf(stored: Resource): HeaderNames
  /** A reference to what is yet to be made is left out, which only a dry run may do. */
  bodyOf(entry: Entry, idOf: IdOf, besides: { marks: Marks; headerNames: HeaderNames }): Input
  /** How a field of the API is called in the files. */
  readonly fieldNames: Readonly<Record<string, string>>
}

export const noHeaders: HeaderNames = new Map()
