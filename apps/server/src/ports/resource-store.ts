export interface ResourceRecord {
  readonly id: string
  readonly organizationId: string
  readonly version: number
  readonly createdAt: string
  readonly updatedAt: string
}

export interface PageRequest {
  readonly offset: number
  readonly limit: number
}

export interface RecordPage<Record> {
  readonly items: readonly Record[]
  readonly totalCount: number
}

/** How a write ended: a stale version and a taken unique value are outcomes, not accidents. */
export type WriteOutcome = 'written' | 'stale' | 'duplicate'

/** What every stored resource can do. Nothing is ever found, changed or removed outside its organization. */
export interface ResourceStore<Record extends ResourceRecord, Filter> {
  /** One page of what matches, newest first, and the count of all that matches. */
  list(organizationId: string, filter: Filter, page: PageRequest): Promise<RecordPage<Record>>
  /** The record, or null where it is absent, deleted or another organization's. */
  find(organizationId: string, id: string): Promise<Record | null>
  /** The same, kept from changing until the transaction ends. */
  findLocked(organizationId: string, id: string): Promise<Record | null>
  /** Adds a record. */
  insert(record: Record): Promise<WriteOutcome>
  /** Writes the record over the one of `expectedVersion`, and over no other. */
  update(record: Record, expectedVersion: number): Promise<WriteOutcome>
  /** Removes the record of `expectedVersion`, and no other. */
  remove(record: Record, expectedVersion: number): Promise<WriteOutcome>
}

/** What can be done besides with resources that have an external id. */
export interface UpsertStore<Record extends ResourceRecord> {
  /** Makes upserts of the organization take turns, until the transaction ends; to be called before any other lock. */
  lockUpserts(organizationId: string): Promise<void>
  /** The record of this external id, kept from changing until the transaction ends. */
  findByExternalIdLocked(organizationId: string, externalId: string): Promise<Record | null>
}
