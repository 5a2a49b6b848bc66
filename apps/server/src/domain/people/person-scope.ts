import { createHash } from 'node:crypto'
import type { Role } from '@parley/contract'
import { v7 as uuid } from 'uuid'
import { z } from 'zod'
import type { Stores } from '../../ports/database.js'
import type { PersonRecord, PersonSessionRecord } from '../../ports/people-stores.js'
import type { Cipher } from '../../ports/secrets.js'
import type { Clock } from '../../ports/time.js'
import { type AuditedChange, recordChange } from '../audit/record-change.js'
import type { Caller } from '../caller-scope.js'

/** The origin of a call. */
export interface Requester {
  readonly ipAddress: string | null
  readonly userAgent: string | null
  readonly requestId: string | null
  /** The people who have signed in from this browser. Null if the browser is unknown. */
  readonly browser: KnownBrowser | null
}

/** A person who is signed in, with their stores, inside or outside a transaction. */
export interface PersonScope {
  readonly stores: Stores
  readonly person: PersonRecord
  readonly session: PersonSessionRecord
  readonly requester: Requester
}

/** Returns the person as a caller of an organization, with the scopes of their role in it. */
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

/**
 * Records an action or a rejected attempt of a person in the audit logs of all organizations that they belong
 * to.
 */
export async function recordForPerson(
  clock: Clock,
  { stores, person, requester }: Omit<PersonScope, 'session'>,
  change: Pick<AuditedChange, 'action' | 'outcome' | 'details'>,
): Promise<void> {
  for (const { organizationId, role } of await stores.members.ofPerson(person.id)) {
    const caller = personCaller({ person, requester }, { organizationId, role, scopes: [] })
    await recordChange(clock, { stores, caller }, { ...change, type: 'Person', id: person.id })
  }
}

const context = 'sign-in/browser'
const maxPeople = 5

const KnownBrowser = z.object({
  id: z.string(),
  people: z.array(z.object({ personId: z.string(), mark: z.string() })),
})

/**
 * A browser in which people have signed in. This data is stored only in the browser, in sealed form, so that
 * unauthenticated visitors create no rows. It grants no access. A known browser only has its own counter of
 * failed attempts, so that other people cannot lock the person out of it.
 */
type KnownBrowser = z.output<typeof KnownBrowser>

/** Opens a browser's sealed value. Returns null if this service did not seal it. */
export function openBrowser(cipher: Cipher, sealed: string | null): KnownBrowser | null {
  if (sealed === null) return null
  try {
    return KnownBrowser.parse(JSON.parse(cipher.open(sealed, context)))
  } catch {
    return null
  }
}

/** Returns whether the person has signed in from this browser with the current password and second factor. */
export function isKnownTo(browser: KnownBrowser, person: PersonRecord): boolean {
  return browser.people.some(({ personId, mark }) => personId === person.id && mark === markOf(person))
}

/** Returns the browser's sealed value after this sign-in, or null for people without a password. */
export function sealBrowser(
  cipher: Cipher,
  before: KnownBrowser | null,
  person: PersonRecord,
): string | null {
  if (person.passwordHash === null) return null
  const others = before?.people.filter(({ personId }) => personId !== person.id) ?? []
  const people = [{ personId: person.id, mark: markOf(person) }, ...others].slice(0, maxPeople)
  return cipher.seal(JSON.stringify({ id: before?.id ?? uuid(), people }), context)
}

/**
 * Returns a mark that changes with the password and the second factor. A browser with an outdated mark is
 * unknown.
 */
function markOf({ passwordHash, sealedTotp }: PersonRecord): string {
  return createHash('sha256').update(`${passwordHash} ${sealedTotp}`).digest('base64url').slice(0, 22)
}
