import type { InvitationAcceptance, PresentedInvitation } from '@parley/contract'
import type { Stores } from '../../ports/database.js'
import type { InvitationRecord } from '../../ports/member-store.js'
import type { FoundSession, PersonRecord } from '../../ports/person-store.js'
import { DomainError, invalidRequest } from '../domain-error.js'
import { withCredentials } from './check-credentials.js'
import {
  joinOrganization,
  newPerson,
  requireOpenInvitation,
  requireSameAddress,
} from './join-organization.js'
import type { NewSession, PeopleDependencies } from './me.js'
import { hashNewPassword } from './password-rules.js'
import type { Requester } from './person-scope.js'

/** Who accepts, and from where; whoever is signed in already joins as themselves. */
export interface InvitedCaller {
  readonly requester: Requester
  readonly signedIn: FoundSession | null
}

export async function presentInvitation(
  { clock, database: { stores } }: PeopleDependencies,
  token: string,
): Promise<PresentedInvitation> {
  const { organizationId, email, role, expiresAt } = await requireOpenInvitation(clock, stores, token)
  const organization = await stores.installation.findOrganization(organizationId)
  const person = email === null ? null : await stores.people.findByEmail(email)
  return {
    organizationName: organization?.name ?? organizationId,
    ...{ email, role, expiresAt },
    hasAccount: person !== null,
  }
}

/**
 * Makes a member of whoever accepts, once: the invitation's row is locked before it is looked at again, so of two who
 * come with the same link one finds it used. Passwords are hashed and compared before the transaction begins.
 */
export async function acceptInvitation(
  dependencies: PeopleDependencies,
  { requester, signedIn }: InvitedCaller,
  acceptance: InvitationAcceptance,
): Promise<NewSession> {
  const { clock, database, passwords } = dependencies
  const invitation = await requireOpenInvitation(clock, database.stores, acceptance.token)
  const join = (stores: Stores, person: PersonRecord) =>
    joinOrganization(dependencies, { stores, person, requester }, acceptance.token)
  if (signedIn !== null) {
    requireSameAddress(invitation, signedIn.person.email)
    return database.transaction(async (stores) => {
      const joined = await join(stores, signedIn.person)
      // The browser has one cookie, and gets the new session's.
      await stores.people.removeSession(signedIn.person.id, signedIn.session.id)
      return joined
    })
  }
  const { email, password, name } = requireAccount(invitation, acceptance)
  const person = await database.stores.people.findByEmail(email)
  if (person !== null) {
    const secondFactor = { code: acceptance.code }
    return withCredentials(dependencies, { person, password, secondFactor, requester }, join)
  }
  if (name === undefined)
    throw invalidRequest([{ path: 'name', message: 'is needed of whoever is new here' }])
  const passwordHash = await hashNewPassword(passwords, { password, email, path: 'password', requester })
  const made = newPerson(clock, { email, name, passwordHash })
  return database.transaction(async (stores) => {
    if (!(await stores.people.insert(made)))
      throw new DomainError('Conflict', 'Somebody has just come in with this e-mail address. Try again.')
    return join(stores, made)
  })
}

function requireAccount(
  { email: invited }: InvitationRecord,
  { email = invited ?? undefined, password, name }: InvitationAcceptance,
): { readonly email: string; readonly password: string; readonly name: string | undefined } {
  const missing = [
    ...(email === undefined ? [{ path: 'email', message: 'is needed: the link is for whoever has it' }] : []),
    ...(password === undefined ? [{ path: 'password', message: 'is needed, or a session' }] : []),
  ]
  if (email === undefined || password === undefined) throw invalidRequest(missing)
  if (invited !== null && email !== invited)
    throw invalidRequest([{ path: 'email', message: 'is another one than the invitation is for' }])
  return { email, password, name }
}
