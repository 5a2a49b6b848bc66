// Generated from the contract by `npm run generate`. Do not edit.

import type { Page } from '../../rest/page.js'

/** One page of a list of `AuditLogRecord` objects. */
export type AuditLogRecordPage = Page<AuditLogRecord>

/** A record of the audit log. Records are immutable. */
export interface AuditLogRecord {
  /** The ID of the resource (UUID v7). */
  id: string
  /** When the action was performed (UTC). */
  at: string
  /** The actor who performed the action. */
  actor: {
    /**
     * The type of the actor: an API key (`api_key`), a signed-in user (`person`), the client of a realtime
     * session (`session`), an agent (`agent`), the service itself (`system`), or someone using the `parley`
     * command (`operator`).
     */
    type: 'api_key' | 'person' | 'session' | 'agent' | 'system' | 'operator'
    /** The ID of the actor. `null` if it has none. */
    id: string | null
    /** The name of the actor at the time of the action. `null` if it has none. */
    name: string | null
  }
  /** The action, for example `agent.update`. */
  action: string
  /** The type of the resource. `null` if the action has no resource. */
  resourceType: string | null
  /** The ID of the resource. `null` if the action has no resource. */
  resourceId: string | null
  /** Whether the action succeeded (`success`) or was rejected (`refused`). */
  outcome: 'success' | 'refused'
  /** The IP address of the client. `null` if there was no request. */
  ipAddress: string | null
  /** The ID of the request. `null` if there was no request. */
  requestId: string | null
  /** Additional details. They never contain secrets. */
  details: Record<string, unknown>
  /** The position in the hash chain. `null` until the record is sealed, which usually takes a few seconds. */
  sequence: number | null
  /** The hex-encoded HMAC-SHA-256 of the previous hash and this record. `null` until the record is sealed. */
  hash: string | null
  /**
   * The ID of the key of the hash. `null` if the hash is a plain SHA-256 from an earlier version, which did
   * not use a key.
   */
  keyId: string | null
  /**
   * The keyed signature of the instance that wrote the record. `null` if it was written by an earlier version
   * without signatures.
   */
  signature: string | null
  /** When the record was sealed (UTC). `null` if it is not sealed yet, or if an earlier version sealed it. */
  sealedAt: string | null
  /**
   * The hex-encoded HMAC-SHA-256 of the hash, the signature and the sealing time. `null` if `sealedAt` is
   * `null`.
   */
  sealProof: string | null
}

/**
 * The head of the hash chain. Store it outside of the service to verify later that the chain still contains
 * it.
 */
export interface AuditLogHead {
  /** The ID of the organization. */
  organizationId: string
  /** The position of the last sealed record. `0` if there is none. */
  sequence: number
  /** The hash of the last sealed record. `null` if there is none. */
  hash: string | null
  /** When this head was sealed (UTC). `null` if it was not sealed. */
  sealedAt: string | null
  /** The ID of the key that sealed this head. `null` if it was not sealed. */
  keyId: string | null
  /** The hex-encoded HMAC-SHA-256 of all other fields, made with this key. `null` if it was not sealed. */
  seal: string | null
  /** The position of the last record whose hash is not keyed. `0` if all hashes are keyed. */
  bareThrough: number
  /** The position of the last record that was deleted by retention. `0` if none was deleted. */
  removedThrough: number
  /**
   * The hash of the last deleted record, after which the remaining chain continues. `null` if none was
   * deleted.
   */
  removedHash: string | null
  /** The upgrade that introduced signatures. `null` if the organization was created later. */
  changeover: AuditLogChangeover | null
}

/** The result of verifying the hash chain. */
export interface AuditLogVerification {
  /** Whether the chain is intact: no sealed record was changed or is missing, and it contains the given head. */
  valid: boolean
  /** The number of sealed records that were checked. */
  checkedCount: number
  /** The number of records that have not been sealed yet. */
  unsealedCount: number
  /** The position of the first break in the chain. `null` if the chain is intact. */
  brokenSequence: number | null
  /** The position of the last record whose hash is not keyed. `0` if all hashes are keyed. */
  bareThrough: number
  /** The position of the last record that was deleted by retention. `0` if none was deleted. */
  removedThrough: number
  /**
   * Whether the chain contains the given head (`contained`), does not contain it (`missing`), or no longer
   * contains it because of retention (`removed`). `null` if no head was given, or if the chain breaks before
   * it.
   */
  heldHead: 'contained' | 'missing' | 'removed' | null
  /** The number of unsealed records that were not written by this service. They are never sealed. */
  rejectedCount: number
  /** The IDs of the first 100 rejected records. */
  rejectedIds: string[]
  /** The number of late records, which were sealed more than one minute after they were written. */
  lateCount: number
  /** The positions of the first 100 late records. */
  lateSequences: number[]
  /**
   * The number of records that were sealed without a signature, because an earlier version wrote them during
   * an upgrade.
   */
  unsignedCount: number
  /** The positions of the first 100 unsigned records. */
  unsignedSequences: number[]
  /** A description of the result. */
  detail: string
}

/**
 * The range of records that may have no signature. It is recorded once, by the upgrade that introduced
 * signatures.
 */
export interface AuditLogChangeover {
  /** The position of the last record that was sealed before the upgrade. */
  unsignedThrough: number
  /** The end of the period in which records from the earlier version can be sealed without a signature (UTC). */
  unsignedUntil: string
  /** The ID of the key that sealed this statement. */
  keyId: string
  /** The hex-encoded HMAC-SHA-256 of the organization ID and the other fields, made with this key. */
  seal: string
}
