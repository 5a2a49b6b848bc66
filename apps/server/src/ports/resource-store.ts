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

/**
 * The outcome of a write. A stale version and a duplicate unique value are returned as values, not thrown.
 */
export type WriteOutcome = 'written' | 'stale' | 'duplicate'

/**
 * The operations of every resource store. No operation reads, changes or removes a record of another
 * organization.
 */
export interface ResourceStore<Record extends ResourceRecord, Filter> {
  /** Returns one page of matching records, newest first, and the count of all matching records. */
  list(organizationId: string, filter: Filter, page: PageRequest): Promise<RecordPage<Record>>
  /** Returns the record, or null if it does not exist, was deleted, or belongs to another organization. */
  find(organizationId: string, id: string): Promise<Record | null>
  /** Like `find`, but locks the record until the transaction ends. */
  findLocked(organizationId: string, id: string): Promise<Record | null>
  insert(record: Record): Promise<WriteOutcome>
  /** Replaces the record if its stored version is `expectedVersion`. */
  update(record: Record, expectedVersion: number): Promise<WriteOutcome>
  /** Removes the record if its stored version is `expectedVersion`. */
  remove(record: Record, expectedVersion: number): Promise<WriteOutcome>
}

/** Additional operations of resources that have an external id. */
export interface UpsertStore<Record extends ResourceRecord> {
  /**
   * Serializes upserts of the organization until the transaction ends. Must be called before any other lock
   * is acquired.
   */
  lockUpserts(organizationId: string): Promise<void>
  /**
   * Returns the record with this external id, locked until the transaction ends, or null if there is none.
   */
  findByExternalIdLocked(organizationId: string, externalId: string): Promise<Record | null>
}
