// Generated from the contract by `npm run generate`. What is changed here is lost.

import type { Page } from '../../rest/page.js'

/** One page of a list of AuditLogRecord items. */
export type AuditLogRecordPage = Page<AuditLogRecord>

/** One record of the audit log. Records never change. */
export interface AuditLogRecord {
  /** The resource id (UUID v7). */
  id: string
  /** When it happened (UTC). */
  at: string
  /** Who did it. */
  actor: {
    /**
     * The kind of actor: `person` is a signed-in user, `session` the client of a realtime session, `operator`
     * the `parley` command.
     */
    type: 'api_key' | 'person' | 'session' | 'agent' | 'system' | 'operator'
    /** The id of the actor. */
    id: string | null
    /** The actor's name at the time. */
    name: string | null
  }
  /** What was done, for example `agent.update`. */
  action: string
  /** The type of the resource. */
  resourceType: string | null
  /** The id of the resource. */
  resourceId: string | null
  /** Whether the action was allowed or refused. */
  outcome: 'success' | 'refused'
  /** The address the request came from. */
  ipAddress: string | null
  /** The id of the request. */
  requestId: string | null
  /** Further details. Never contains a secret. */
  details: Record<string, unknown>
  /** The position in the chain. Null until the record is sealed, usually within seconds. */
  sequence: number | null
  /** HMAC-SHA-256 over the previous hash and this record, in hex. Null until the record is sealed. */
  hash: string | null
  /** The key of the hash. Null: plain SHA-256, from before hashes were keyed. */
  keyId: string | null
  /** The keyed signature of the instance that wrote the record. Null if a version without signatures wrote it. */
  signature: string | null
  /** When the record was sealed (UTC). Null until then, and if an earlier version sealed it. */
  sealedAt: string | null
  /** HMAC-SHA-256 over the hash, the signature and the sealing time, in hex. */
  sealProof: string | null
}

/** The end of the chain. Keep it to check later whether the chain still contains it. */
export interface AuditLogHead {
  /** The organization of the chain. */
  organizationId: string
  /** The number of sealed records, which is the position of the last one. */
  sequence: number
  /** The hash of the last sealed record. Null if there is none. */
  hash: string | null
  /** When this head was sealed (UTC). */
  sealedAt: string | null
  /** The key that sealed this head. */
  keyId: string | null
  /** HMAC-SHA-256 by that key over all other fields, in hex. */
  seal: string | null
  /** The position of the last record whose hash has no key. 0: every hash has one. */
  bareThrough: number
  /** The position of the last record removed by retention. 0: none was removed. */
  removedThrough: number
  /** The hash of that record. The kept chain continues after it. Null: none was removed. */
  removedHash: string | null
  /** The upgrade that introduced signatures. Null: the organization was created later. */
  changeover: AuditLogChangeover | null
}

/** The result of checking the chain. */
export interface AuditLogVerification {
  /** Whether every sealed record is unchanged and none is missing, including the given head. */
  valid: boolean
  /** The number of sealed records that were checked. */
  checkedCount: number
  /** The number of records that are not sealed yet. */
  unsealedCount: number
  /** The position of the first break in the chain. Null: no break. */
  brokenSequence: number | null
  /** The position of the last record whose hash has no key. 0: every hash has one. */
  bareThrough: number
  /** The position of the last record removed by retention. 0: none was removed. */
  removedThrough: number
  /**
   * Whether the chain contains the given head, or the head is older than the kept records. Null: no head was
   * given, or the chain breaks before it.
   */
  heldHead: 'contained' | 'missing' | 'removed' | null
  /** The number of unsealed records that this service did not write. They are never sealed. */
  rejectedCount: number
  /** The ids of the first hundred such records. */
  rejectedIds: string[]
  /** The number of records that were sealed more than a minute after they were written. */
  lateCount: number
  /** The positions of the first hundred such records. */
  lateSequences: number[]
  /** The number of records sealed without a signature, because an earlier version wrote them during an upgrade. */
  unsignedCount: number
  /** The positions of the first hundred such records. */
  unsignedSequences: number[]
  /** A description of the result. */
  detail: string
}

/** Recorded once, by the upgrade that introduced signatures: the range of records that may lack one. */
export interface AuditLogChangeover {
  /** The last record that was sealed before the upgrade. */
  unsignedThrough: number
  /** Records of the earlier version are sealed without a signature until this time. */
  unsignedUntil: string
  /** The key that sealed this statement. */
  keyId: string
  /** HMAC-SHA-256 by that key over the organization and the other fields, in hex. */
  seal: string
}
