import type { AuditLogRecord } from '@parley/contract'
import type { PageRequest, RecordPage } from './resource-store.js'

export interface StoredAuditRecord extends AuditLogRecord {
  readonly organizationId: string
  /** The text that the hash is taken over. */
  readonly canonical: string
}

/** A record before it is stored. The store adds the signature. */
export type NewAuditRecord = Omit<
  StoredAuditRecord,
  'sequence' | 'hash' | 'keyId' | 'signature' | 'sealedAt' | 'sealProof'
>

/** Signs what this process writes, with keys that are not in the database. */
export interface AuditSigning {
  /** Returns the signature of a record. */
  sign(record: Pick<NewAuditRecord, 'organizationId' | 'id' | 'canonical'>): string
  /** Seals the statement of how far a chain may lack signatures. */
  sealChangeover(statement: ChangeoverStatement): AuditChangeover
  /** Returns the sealed head of a chain without records. */
  sealEmptyHead(organizationId: string, sealedAt: string): ChainHead
  /** Throws if the installation was set up with another secret. */
  requireSecret(secretCheck: string): void
}

/** How far the records of one chain may lack a signature and a time of sealing. */
export interface ChangeoverStatement {
  readonly organizationId: string
  /** The last record that was sealed before the upgrade. */
  readonly unsignedThrough: number
  /** Until this moment records of the version before are sealed without a signature. */
  readonly unsignedUntil: string
}

/** An upgrade takes minutes; an instance of the version before that runs longer than this is a mistake. */
export const changeoverHours = 24

export interface AuditChangeover extends ChangeoverStatement {
  readonly keyId: string
  readonly seal: string
}

/** A record as its row has it. */
export interface RecordRow extends Omit<AuditLogRecord, 'details'> {
  /** The details as JSON, as they are stored. */
  readonly detailsText: string
}

/** A record with what its place in the chain is checked by. */
export interface ChainedRecord extends RecordRow {
  readonly organizationId: string
  readonly canonical: string
}

/** Places in a chain: those after one and through another. */
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
  /** What has a place up to this one is left out; what has none yet is not. */
  readonly sequence: number
  /** Only what was made after this record. */
  readonly afterId: string | null
  readonly limit: number
}

export interface UnsealedPage {
  /** Null for the first page. */
  readonly afterId: string | null
  readonly limit: number
}

/** A place in a chain, and the hash of the record that has it. */
export interface ChainPlace {
  readonly sequence: number
  readonly hash: string
}

/** How far a chain goes: where it begins by now, and where it ends. */
export interface ChainExtent extends ChainPlace {
  /** The last record that was sealed without a key, before there were keys. */
  readonly bareThrough: number
  /** The last record that was removed after its time, and its hash: the chain goes on behind it. */
  readonly removedThrough: number
  readonly removedHash: string
}

/** The head of a chain, with the seal that only holders of the secret can make; a new chain has none yet. */
export interface ChainHead extends ChainExtent {
  readonly sealedAt: string | null
  readonly keyId: string | null
  readonly seal: string | null
}

export interface Seal extends ChainPlace {
  readonly id: string
  readonly keyId: string
  readonly sealedAt: string
  readonly sealProof: string
}

/** A key whose secret was replaced, sealed with the one that replaced it. */
export interface RetiredKey {
  readonly id: string
  readonly sealedKey: string
}

/** The audit log. Records are added and sealed, never changed. */
export interface AuditStore {
  /** Adds a record, unsealed. Its commit is a change: see `Database.onChange`. */
  append(record: NewAuditRecord): Promise<void>
  /** One page of what matches, newest first. */
  list(organizationId: string, filter: AuditFilter, page: PageRequest): Promise<RecordPage<StoredAuditRecord>>
  /** What matches and has no place in the chain up to `sequence`, oldest first. */
  readBeyond(organizationId: string, wanted: RecordsBeyond): Promise<readonly RecordRow[]>
  /** Organizations with records that wait to be sealed. */
  organizationsToSeal(): Promise<readonly string[]>
  /** Organizations whose chain is not sealed with this key, or was not sealed with any: new chains do not count. */
  organizationsNotSealedWith(keyId: string): Promise<readonly string[]>
  /** Organizations whose oldest record in the chain is older than the moment. */
  organizationsWithRecordsBefore(moment: string): Promise<readonly string[]>
  /** The head of the chain, locked until the transaction ends; created where there is none yet. */
  lockHead(organizationId: string): Promise<ChainHead>
  /** The head of the chain, or null where nothing was sealed yet. */
  findHead(organizationId: string): Promise<ChainHead | null>
  /** Replaces the head of the chain. */
  replaceHead(organizationId: string, head: ChainHead): Promise<void>
  /** Unsealed records after this one, oldest first. */
  unsealed(organizationId: string, wanted: UnsealedPage): Promise<readonly StoredAuditRecord[]>
  /** How many records wait to be sealed. */
  countUnsealed(organizationId: string): Promise<number>
  /** Writes seals; the head is the caller's to move. */
  seal(seals: readonly Seal[]): Promise<void>
  /** What has these places in the chain, in order. */
  readChain(organizationId: string, places: ChainRange): Promise<readonly ChainedRecord[]>
  /** What matches and has these places in the chain, in order. */
  readMatching(organizationId: string, places: ChainRange, filter: AuditFilter): Promise<readonly RecordRow[]>
  /** The first place after this one that a record has; null where there is none. */
  firstPlaceAfter(organizationId: string, sequence: number): Promise<number | null>
  /** Removes the records up to this place in the chain. */
  removeThrough(organizationId: string, sequence: number): Promise<void>
  /** The statement of the organization's chain; that of another one if it has none, or null if there is none at all. */
  findChangeover(organizationId: string): Promise<AuditChangeover | null>
  /** Keys that old records were sealed with. */
  retiredKeys(): Promise<readonly RetiredKey[]>
  /** Adds a retired key, or replaces what it is sealed with. */
  putRetiredKey(key: RetiredKey): Promise<void>
}
