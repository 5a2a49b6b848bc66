import { type AuditLogRecord, type Role, type Scope, scopes } from '@parley/contract'
import type { Stores } from '../ports/database.js'

/** The caller, its organization and its scopes. */
export interface Caller {
  readonly organizationId: string
  readonly actor: AuditLogRecord['actor']
  readonly scopes: readonly Scope[]
  /** The role of a person; undefined for keys and the service itself. */
  readonly role?: Role
  /** When the caller's credential expires. Null if it never does. */
  readonly expiresAt: string | null
  readonly ipAddress: string | null
  readonly requestId: string | null
  /** The channel of the call, for audit records. Undefined for the API itself. */
  readonly channel?: 'mcp'
  /** The name that a program acting for a person has given itself. */
  readonly clientName?: string
}

/** A caller with stores, inside or outside of a transaction. */
export interface CallerScope {
  readonly stores: Stores
  readonly caller: Caller
}

/** Returns the service itself as a caller. */
export function systemCaller(organizationId: string): Caller {
  return {
    organizationId,
    actor: { type: 'system', id: null, name: 'Parley' },
    scopes,
    expiresAt: null,
    ipAddress: null,
    requestId: null,
  }
}

/** Returns the API key that started some work, or null if a person did. */
export const keyOf = ({ actor }: Caller): string | null => (actor.type === 'api_key' ? actor.id : null)
