import { type AuditLogRecord, type Role, type Scope, scopes } from '@parley/contract'
import type { Stores } from '../ports/database.js'

/** The caller, its organization and its scopes. */
export interface Caller {
  readonly organizationId: string
  readonly actor: AuditLogRecord['actor']
  readonly scopes: readonly Scope[]
  /** The caller's role. Undefined for API keys and for the service itself. */
  readonly role?: Role
  /** When the caller's credential expires. Null if it never does. */
  readonly expiresAt: string | null
  readonly ipAddress: string | null
  readonly requestId: string | null
  /** The channel of the call, for audit records. Undefined if the API was called directly. */
  readonly channel?: 'mcp'
  /** The name that a program gives itself while it acts for a person. */
  readonly clientName?: string
}

/** A caller with its stores, inside or outside a transaction. */
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

/** Returns the id of the API key that started some work, or null if a person started it. */
export const keyOf = ({ actor }: Caller): string | null => (actor.type === 'api_key' ? actor.id : null)
