// Generated from the contract by `npm run generate`. What is changed here is lost.

import type { Page } from '../../rest/page.js'

/** One page of a list of AuditLogRecord items. */
export type AuditLogRecordPage = Page<AuditLogRecord>

/** One entry of the audit log. Entries are never changed. */
export interface AuditLogRecord {
  /** The resource id (UUID v7). */
  id: string
  /** When it happened (UTC). */
  at: string
  /** Who did it. */
  actor: {
    /**
     * What kind of actor it was; `person` is somebody who has signed in, `session` the client of a realtime
     * session, `operator` the `parley` command.
     */
    type: 'api_key' | 'person' | 'session' | 'agent' | 'system' | 'operator'
    /** The id of the actor. */
    id: string | null
    /** The actor's name at the time. */
    name: string | null
  }
  /** What was done, for example `agent.update`. */
  action: string
  /** The kind of thing it was done to. */
  resourceType: string | null
  /** The id of the thing it was done to. */
  resourceId: string | null
  /** Whether it was done or refused. */
  outcome: 'success' | 'refused'
  /** The address the request came from. */
  ipAddress: string | null
  /** The id of the request. */
  requestId: string | null
  /** What else is worth knowing; never a secret. */
  details: Record<string, unknown>
  /** Its place in the chain; null until it is sealed, a moment later. */
  sequence: number | null
  /** HMAC-SHA-256 over the previous hash and this record, in hex; null until it is sealed. */
  hash: string | null
  /** Which key the hash was made with; null for a bare SHA-256, as before hashes had a key. */
  keyId: string | null
  /** The keyed signature of the instance that wrote the record; null if a version without signatures wrote it. */
  signature: string | null
  /** When the record was sealed (UTC); null until then, and if an earlier version sealed it. */
  sealedAt: string | null
  /** HMAC-SHA-256 over the hash, the signature and the time of sealing, in hex. */
  sealProof: string | null
}

/** The end of the chain. Whoever holds one can tell later whether the chain still contains it. */
export interface AuditLogHead {
  /** Whose chain it is. */
  organizationId: string
  /** How many records were sealed so far: the place of the last one. */
  sequence: number
  /** The hash of the last sealed record; null where there is none. */
  hash: string | null
  /** When this head was sealed (UTC). */
  sealedAt: string | null
  /** Which key it was sealed with. */
  keyId: string | null
  /** HMAC-SHA-256 over all other fields, by that key, in hex. */
  seal: string | null
  /** The last record of the time before hashes had a key; 0 where every record has one. */
  bareThrough: number
  /** The last record that was removed after its time; 0 where all are there. */
  removedThrough: number
  /** The hash of that record, behind which the chain goes on; null where all are there. */
  removedHash: string | null
  /** The upgrade that introduced signatures; null if the organization is newer than that. */
  changeover: AuditLogChangeover | null
}

/** The outcome of checking the chain. */
export interface AuditLogVerification {
  /** Whether every sealed entry is as it was written and none is missing, the held head included. */
  valid: boolean
  /** How many sealed entries were checked. */
  checkedCount: number
  /** How many entries wait to be sealed. */
  unsealedCount: number
  /** Where the chain breaks first; null where it does not. */
  brokenSequence: number | null
  /** The last record of the time before hashes had a key; 0 where every record has one. */
  bareThrough: number
  /** The last record that was removed after its time; 0 where all are there. */
  removedThrough: number
  /**
   * Whether the chain contains the head that was asked about, or it is older than what is kept; null where
   * none was, or the chain breaks before it.
   */
  heldHead: 'contained' | 'missing' | 'removed' | null
  /** How many unsealed entries this service did not write: they are never sealed. */
  rejectedCount: number
  /** The ids of the first hundred of those. */
  rejectedIds: string[]
  /** How many entries were sealed more than a minute after they were written. */
  lateCount: number
  /** The places of the first hundred of those. */
  lateSequences: number[]
  /** How many entries were sealed without a signature, since an earlier version wrote them during an upgrade. */
  unsignedCount: number
  /** The places of the first hundred of those. */
  unsignedSequences: number[]
  /** What was found. */
  detail: string
}

/** States once, at the upgrade that introduced signatures, how far records may lack one. */
export interface AuditLogChangeover {
  /** The last record that was sealed before the upgrade. */
  unsignedThrough: number
  /** Until this moment records of the earlier version are sealed without a signature. */
  unsignedUntil: string
  /** The key that this statement was sealed with. */
  keyId: string
  /** HMAC-SHA-256 over the organization and the other fields, by that key, in hex. */
  seal: string
}
