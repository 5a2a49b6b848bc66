import type { AuditLogRecord } from '@parley/contract'
import type { PageRequest, RecordPage } from './resource-store.js'

export interface StoredAuditRecord extends AuditLogRecord {
  readonly organizationId: string
  /** The text that is hashed. */
  readonly canonical: string
}

/** A record before it is stored. The store adds the signature. */
export type NewAuditRecord = Omit<
  StoredAuditRecord,
  'sequence' | 'hash' | 'keyId' | 'signature' | 'sealedAt' | 'sealProof'
>

/** Signs the records of this process, with keys that are not in the database. */
export interface AuditSigning {
  /** Returns the signature of a record. */
  sign(record: Pick<NewAuditRecord, 'organizationId' | 'id' | 'canonical'>): string
  /** Seals a changeover record. */
  sealChangeover(statement: ChangeoverStatement): AuditChangeover
  /** Returns the sealed head of an empty chain. */
  sealEmptyHead(organizationId: string, sealedAt: string): ChainHead
  /** Throws if the installation was set up with another secret. */
  requireSecret(secretCheck: string): void
}

/**
 * A changeover record: which records of a chain may lack a signature and a sealing time, because of the
 * upgrade.
 */
export interface ChangeoverStatement {
  readonly organizationId: string
  /** The last record that was sealed before the upgrade. */
  readonly unsignedThrough: number
  /** Until this time, records of the previous version may be sealed without a signature. */
  readonly unsignedUntil: string
}

/** An upgrade takes minutes. Instances of the previous version should not run longer than this. */
export const changeoverHours = 24

export interface AuditChangeover extends ChangeoverStatement {
  readonly keyId: string
  readonly seal: string
}

/** A record as stored in its row. */
export interface RecordRow extends Omit<AuditLogRecord, 'details'> {
  /** The details as stored JSON text. */
  readonly detailsText: string
}

/** A record with the fields that authenticate its position in the chain. */
export interface ChainedRecord extends RecordRow {
  readonly organizationId: string
  readonly canonical: string
}

/** Positions in a chain, after `after` and up to and including `through`. */
export interface ChainRange {
  readonly after: number
  readonly through: number
}

export interface AuditFilter {
  readonly from?: string | undefined
  readonly to?: string | undefined
  readonly action?: string | undefined
  readonly actorId?: string | undefined
  readonly resourceType?: string | undefined
}

export interface RecordsBeyond {
  readonly filter: AuditFilter
  /** Excludes records up to this position. Unsealed records are included. */
  readonly sequence: number
  /** Includes only records created after this one. */
  readonly afterId: string | null
  readonly limit: number
}

export interface UnsealedPage {
  /** Null for the first page. */
  readonly afterId: string | null
  readonly limit: number
}

/** A position in a chain, and the hash of the record at this position. */
export interface ChainPosition {
  readonly sequence: number
  readonly hash: string
}

/** The first and last positions of a chain at present. */
export interface ChainExtent extends ChainPosition {
  /**
   * The position of the last bare record, or 0. Bare records are older than the chain keys and were hashed
   * without a key.
   */
  readonly bareThrough: number
  /** The last record that retention removed, and its hash. The chain continues after it. */
  readonly removedThrough: number
  readonly removedHash: string
}

/** The head of a chain. Its seal requires the secret. A new chain has no seal. */
export interface ChainHead extends ChainExtent {
  readonly sealedAt: string | null
  readonly keyId: string | null
  readonly seal: string | null
}

export interface Seal extends ChainPosition {
  readonly id: string
  readonly keyId: string
  readonly sealedAt: string
  readonly sealProof: string
}

/** A key whose secret was replaced. It is sealed with the current secret. */
export interface RetiredKey {
  readonly id: string
  readonly sealedKey: string
}

/** The audit log. Records are added and sealed, and never changed. */
export interface AuditStore {
  /** Adds an unsealed record. Its commit counts as a change: see `Database.onChange`. */
  append(record: NewAuditRecord): Promise<void>
  /** Returns one page of matching records, newest first. */
  list(organizationId: string, filter: AuditFilter, page: PageRequest): Promise<RecordPage<StoredAuditRecord>>
  /** Returns matching records that are unsealed or come after `sequence`, oldest first. */
  readBeyond(organizationId: string, wanted: RecordsBeyond): Promise<readonly RecordRow[]>
  /** Returns the organizations that have unsealed records. */
  organizationsToSeal(): Promise<readonly string[]>
  /**
   * Returns the organizations whose chain is not sealed with this key. Empty chains without a seal are
   * excluded.
   */
  organizationsNotSealedWith(keyId: string): Promise<readonly string[]>
  /** Returns the organizations whose oldest sealed record is older than `moment`. */
  organizationsWithRecordsBefore(moment: string): Promise<readonly string[]>
  /**
   * Locks the head of the chain until the transaction ends and returns it. Creates it if it does not exist.
   */
  lockHead(organizationId: string): Promise<ChainHead>
  /** Returns the head of the chain, or null if it does not exist. */
  findHead(organizationId: string): Promise<ChainHead | null>
  replaceHead(organizationId: string, head: ChainHead): Promise<void>
  /** Returns one page of unsealed records, oldest first. */
  unsealed(organizationId: string, wanted: UnsealedPage): Promise<readonly StoredAuditRecord[]>
  /** Returns the number of unsealed records. */
  countUnsealed(organizationId: string): Promise<number>
  /** Writes seals. The caller must also move the head. */
  seal(seals: readonly Seal[]): Promise<void>
  /** Returns the records at these positions, in order. */
  readChain(organizationId: string, places: ChainRange): Promise<readonly ChainedRecord[]>
  /** Returns the matching records at these positions, in order. */
  readMatching(organizationId: string, places: ChainRange, filter: AuditFilter): Promise<readonly RecordRow[]>
  /** Returns the first occupied position after `sequence`, or null if there is none. */
  firstPositionAfter(organizationId: string, sequence: number): Promise<number | null>
  /** Removes the records up to and including this position. */
  removeThrough(organizationId: string, sequence: number): Promise<void>
  /**
   * Returns the changeover record for the organization's chain, or otherwise that of any other chain. Returns
   * null if there is none.
   */
  findChangeover(organizationId: string): Promise<AuditChangeover | null>
  /** Returns the keys that older records were sealed with. */
  retiredKeys(): Promise<readonly RetiredKey[]>
  /** Adds a retired key, or replaces its sealed text. */
  putRetiredKey(key: RetiredKey): Promise<void>
}
