import { type AuditLogRecord, type Role, type Scope, scopes } from '@parley/contract'
import type { Stores } from '../ports/database.js'

/** The caller, its organization and its scopes. */
export interface Caller {
  readonly organizationId: string
  readonly actor: AuditLogRecord['actor']
  readonly scopes: readonly Scope[]
  /** The role of a person; undefined for keys and the service itself. */
  readonly role?: Role
  /** When what they call with stops working; null: never. */
  readonly expiresAt: string | null
  readonly ipAddress: string | null
  readonly requestId: string | null
  /** By which way they call, where it is not the API itself; audit records say so. */
  readonly channel?: 'mcp'
  /** The program that acts in the name of a person, as it calls itself. */
  readonly clientName?: string
}

/** The caller, and the stores of its transaction or of none. */
export interface CallerScope {
  readonly stores: Stores
  readonly caller: Caller
}

/** The service itself, acting on its own account. */
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

/** The key that something was begun with; null: a person in the console did. */
export const keyOf = ({ actor }: Caller): string | null => (actor.type === 'api_key' ? actor.id : null)
