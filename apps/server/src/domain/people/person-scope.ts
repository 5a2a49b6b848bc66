import type { Role } from '@parley/contract'
import type { Stores } from '../../ports/database.js'
import type { PersonRecord, PersonSessionRecord } from '../../ports/person-store.js'
import type { Caller } from '../caller-scope.js'
import type { KnownBrowser } from './known-browser.js'

/** Where a call comes from, whoever makes it. */
export interface Requester {
  readonly ipAddress: string | null
  readonly userAgent: string | null
  readonly requestId: string | null
  /** The people who have signed in from this browser; null if it is unknown. */
  readonly browser: KnownBrowser | null
}

/** A person who has signed in, and in which transaction they act for themselves, or outside of any. */
export interface PersonScope {
  readonly stores: Stores
  readonly person: PersonRecord
  readonly session: PersonSessionRecord
  readonly requester: Requester
}

/** The person as the caller of an organization; what they are there decides what they may do. */
export function personCaller(
  { person, requester }: Pick<PersonScope, 'person' | 'requester'>,
  {
    organizationId,
    role,
    scopes,
  }: { readonly organizationId: string; readonly role: Role | null } & Pick<Caller, 'scopes'>,
): Caller {
  const { ipAddress, requestId } = requester
  return {
    organizationId,
    actor: { type: 'person', id: person.id, name: person.name },
    scopes,
    expiresAt: null,
    ipAddress,
    requestId,
    ...(role !== null && { role }),
  }
}
