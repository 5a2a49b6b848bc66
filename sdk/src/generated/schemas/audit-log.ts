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
  /** SHA-256 over the previous hash and this record, in hex. */
  hash: string | null
}

/** The outcome of checking the chain. */
export interface AuditLogVerification {
  /** Whether every sealed entry is as it was written and none is missing. */
  valid: boolean
  /** How many sealed entries were checked. */
  checkedCount: number
  /** How many entries wait to be sealed. */
  unsealedCount: number
  /** Where the chain breaks first; null where it does not. */
  brokenSequence: number | null
  /** What was found. */
  detail: string
}
