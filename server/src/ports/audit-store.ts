import type { AuditLogRecord } from '@parley/contract'
import type { PageRequest, RecordPage } from './resource-store.js'

export interface StoredAuditRecord extends AuditLogRecord {
  readonly organizationId: string
  /** The text that the hash is taken over. */
  readonly canonical: string
}

export interface AuditFilter {
  readonly from?: string | undefined
  readonly to?: string | undefined
  readonly action?: string | undefined
  readonly actorId?: string | undefined
  readonly resourceType?: string | undefined
}

export interface ChainHead {
  readonly sequence: number
  readonly hash: string
}

export interface Seal extends ChainHead {
  readonly id: string
}

/** The audit log. Records are added and sealed, never changed. */
export interface AuditStore {
  /** Adds a record, unsealed. Its commit is a change: see `Database.onChange`. */
  append(record: StoredAuditRecord): Promise<void>
  /** One page of what matches, newest first. */
  list(organizationId: string, filter: AuditFilter, page: PageRequest): Promise<RecordPage<StoredAuditRecord>>
  /** What matches after the record `afterId`, oldest first, at most `limit`. */
  readAfter(
    organizationId: string,
    filter: AuditFilter,
    afterId: string | null,
    limit: number,
  ): Promise<readonly StoredAuditRecord[]>
  /** Organizations with records that wait to be sealed. */
  organizationsToSeal(): Promise<readonly string[]>
  /** The head of the chain, locked until the transaction ends; created where there is none yet. */
  lockHead(organizationId: string): Promise<ChainHead>
  /** The head of the chain, or null where nothing was sealed yet. */
  findHead(organizationId: string): Promise<ChainHead | null>
  /** Unsealed records, oldest first. */
  unsealed(organizationId: string, limit: number): Promise<readonly StoredAuditRecord[]>
  /** How many records wait to be sealed. */
  countUnsealed(organizationId: string): Promise<number>
  /** Writes seals and moves the head to the last of them. */
  seal(organizationId: string, seals: readonly Seal[]): Promise<void>
  /** Sealed records after this place in the chain, in order. */
  readSealedAfter(
    organizationId: string,
    sequence: number,
    limit: number,
  ): Promise<readonly StoredAuditRecord[]>
}
