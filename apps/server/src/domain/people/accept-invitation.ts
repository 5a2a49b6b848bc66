import type { InvitationAcceptance, PresentedInvitation } from '@parley/contract'
import type { Stores } from '../../ports/database.js'
import type { InvitationRecord } from '../../ports/member-store.js'
import type { FoundSession, PersonRecord } from '../../ports/person-store.js'
import { DomainError, invalidRequest } from '../domain-error.js'
import { withCredentials } from './check-credentials.js'
import {
  isAccountIn,
  joinOrganization,
  newPerson,
  requireOpenInvitation,
  requireSameAddress,
} from './join-organization.js'
import { countersAt, type NewSession, type PeopleDependencies, siblingOf } from './me.js'
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
  const accounts = email === null ? [] : await stores.people.findByAddress(email)
  return {
    organizationName: organization?.name ?? organizationId,
    ...{ email, role, expiresAt },
    hasAccount: accounts.some(isAccountIn(organizationId)),
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
      // The browser has one cookie, and gets the new session's. A session that has ended meanwhile joins nothing.
      if (!(await stores.people.removeSession(signedIn.person.id, signedIn.session.id)))
        throw new DomainError('Unauthenticated', 'You were signed out. Sign in again.')
      return join(stores, signedIn.person)
    })
  }
  const { email, password, name } = requireAccount(invitation, acceptance)
  const { organizationId } = invitation
  const all = await database.stores.people.findByAddress(email)
  const known = all.filter(isAccountIn(organizationId))
  // The operator's link names no address, so a password without a name means any account that the person has here.
  const accounts = known.length === 0 && invitation.email === null && name === undefined ? all : known
  if (accounts.length > 0) {
    const counters = countersAt(email, all, requester)
    const secondFactor = { code: acceptance.code }
    return withCredentials(dependencies, { accounts, password, secondFactor, counters, requester }, join)
  }
  if (name === undefined)
    throw invalidRequest([
      { path: 'name', message: 'is required for a new account; to join with another account, sign in first' },
    ])
  const wanted = { password, email, path: 'password', requester, sibling: siblingOf(null, all) }
  const passwordHash = await hashNewPassword(passwords, wanted)
  // Two accounts with one password would make the second unreachable. A guess costs the link, so it tells little.
  if (all.some((account) => account.passwordHash === passwordHash))
    throw invalidRequest([
      {
        path: 'password',
        message: 'is the password of your other account; sign in with it first, or choose another',
      },
    ])
  const made = newPerson(clock, { email, name, passwordHash, homeOrganizationId: organizationId })
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
