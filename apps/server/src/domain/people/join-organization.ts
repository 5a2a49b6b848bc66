import type { InvitationAcceptance, PresentedInvitation } from '@parley/contract'
import { v7 as uuid } from 'uuid'
import type { Stores } from '../../ports/database.js'
import type { FoundSession, InvitationRecord, PersonRecord } from '../../ports/people-stores.js'
import type { Clock } from '../../ports/time.js'
import { recordChange } from '../audit/record-change.js'
import { DomainError, invalidRequest } from '../domain-error.js'
import { oneMore } from '../limits/organization-limits.js'
import { hashToken } from '../new-id.js'
import { newResource } from '../resources/resource.js'
import { withCredentials } from './check-credentials.js'
import { countersAt, describeMe, type NewSession, type PeopleDependencies, siblingOf } from './me.js'
import { hashNewPassword } from './password-rules.js'
import { personCaller, type Requester, sealBrowser } from './person-scope.js'
import { beginSession } from './person-sessions.js'

/**
 * Adds the person as a member and signs them in. The invitation's row is locked and checked again, so that a
 * link works only once. The operator's links are not subject to the member limit, because they may be the
 * only way in.
 */
export async function joinOrganization(
  { clock, cipher, limits, settings }: PeopleDependencies,
  { stores, person, requester }: { stores: Stores; person: PersonRecord; requester: Requester },
  token: string,
): Promise<NewSession> {
  const { organizationId, id } = await requireOpenInvitation(clock, stores, token)
  const invitation = await stores.invitations.findLocked(organizationId, id)
  if (invitation === null || invitation.acceptedAt !== null) throw invitationInvalid()
  const { role, version } = invitation
  const member = { ...newResource(clock, organizationId), personId: person.id, role }
  if (await stores.members.hasAddress(organizationId, person.email))
    throw new DomainError('Conflict', 'You are already a member of this organization.')
  const caller = personCaller({ person, requester }, { organizationId, role, scopes: [] })
  if (invitation.email !== null) await limits.requireRoom({ stores, caller }, [oneMore('members')])
  await stores.members.insert(member)
  const now = clock.now().toISOString()
  await stores.invitations.update(
    { ...invitation, acceptedAt: now, updatedAt: now, version: version + 1 },
    version,
  )
  const { session, token: sessionToken } = await beginSession(
    { clock, settings },
    { stores, person, requester },
  )
  await recordChange(
    clock,
    { stores, caller },
    {
      action: 'invitation.accept',
      type: 'Member',
      id: member.id,
      details: { invitationId: id, personId: person.id, role, sessionId: session.id },
    },
  )
  const browser = sealBrowser(cipher, requester.browser, person)
  return { token: sessionToken, browser, signedIn: await describeMe({ stores, person, session, requester }) }
}

/** Returns the invitation with this token. Throws if it can no longer be accepted. */
export async function requireOpenInvitation(
  clock: Clock,
  stores: Stores,
  token: string,
): Promise<InvitationRecord> {
  const invitation = await stores.invitations.findByToken(hashToken(token))
  const isOpen =
    invitation !== null &&
    invitation.acceptedAt === null &&
    Date.parse(invitation.expiresAt) > clock.now().getTime()
  if (!isOpen) throw invitationInvalid()
  return invitation
}

/** Unknown, expired and used links cause the same error. */
function invitationInvalid(): DomainError {
  return new DomainError(
    'InvitationInvalid',
    'This invitation link is invalid, expired or already used. Ask for a new one.',
  )
}

function requireSameAddress({ email }: InvitationRecord, own: string): void {
  if (email !== null && email !== own)
    throw new DomainError('Conflict', `This invitation is for ${email}, but you are signed in as ${own}.`)
}

/**
 * Returns whether this account may be used to join the organization. An account with an unverified email
 * address may only be used in the organization that invited it.
 */
export const isAccountIn =
  (organizationId: string) =>
  ({ provenAt, homeOrganizationId }: PersonRecord): boolean =>
    provenAt !== null || homeOrganizationId === organizationId

/** Returns a new account whose address is not proven. */
export function newPerson(
  clock: Clock,
  account: Pick<PersonRecord, 'email' | 'name' | 'passwordHash' | 'homeOrganizationId'>,
): PersonRecord {
  const now = clock.now().toISOString()
  return {
    id: uuid(),
    createdAt: now,
    updatedAt: now,
    ...account,
    sealedTotp: null,
    pendingTotp: null,
    lastTotpStep: null,
    recoveryHashes: [],
    provenAt: null,
    wrongCodes: 0,
    wrongCodesSince: null,
  }
}

/** The person who accepts, and their address. A person who is signed in joins with their own account. */
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
    email,
    role,
    expiresAt,
    hasAccount: accounts.some(isAccountIn(organizationId)),
  }
}

/**
 * Adds the person who accepts as a member. The invitation's row is locked and checked again, so that a link
 * works only once. Passwords are hashed and compared before the transaction begins.
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
      // The browser has only one session cookie, which the new session replaces. A session that has ended
      // cannot accept an invitation.
      if (!(await stores.people.removeSession(signedIn.person.id, signedIn.session.id)))
        throw new DomainError('Unauthenticated', 'You were signed out. Sign in again.')
      return join(stores, signedIn.person)
    })
  }
  const { email, password, name } = requireAccount(invitation, acceptance)
  const { organizationId } = invitation
  const all = await database.stores.people.findByAddress(email)
  const known = all.filter(isAccountIn(organizationId))
  // The operator's link contains no address. If a password is sent without a name, it may
  // belong to any account with this address.
  const accounts = known.length === 0 && invitation.email === null && name === undefined ? all : known
  if (accounts.length > 0) {
    const counters = countersAt(email, all, requester)
    const secondFactor = { code: acceptance.code }
    return withCredentials(dependencies, { accounts, password, secondFactor, counters, requester }, join)
  }
  if (name === undefined)
    throw invalidRequest([
      {
        path: 'name',
        message: 'is required for a new account. To join with an existing account, sign in first',
      },
    ])
  const wanted = { password, email, path: 'password', requester, sibling: siblingOf(null, all) }
  const passwordHash = await hashNewPassword(passwords, wanted)
  // Two accounts with the same password would make the second one inaccessible. The error reveals little,
  // because each guess requires a link.
  if (all.some((account) => account.passwordHash === passwordHash))
    throw invalidRequest([
      {
        path: 'password',
        message:
          'is the password of your existing account. Sign in with it first, or choose another password',
      },
    ])
  const made = newPerson(clock, { email, name, passwordHash, homeOrganizationId: organizationId })
  return database.transaction(async (stores) => {
    if (!(await stores.people.insert(made)))
      throw new DomainError('Conflict', 'Another request has just joined with this email address. Try again.')
    return join(stores, made)
  })
}

function requireAccount(
  { email: invited }: InvitationRecord,
  { email = invited ?? undefined, password, name }: InvitationAcceptance,
): { readonly email: string; readonly password: string; readonly name: string | undefined } {
  const missing = [
    ...(email === undefined
      ? [{ path: 'email', message: 'is required, because the invitation contains no address' }]
      : []),
    ...(password === undefined ? [{ path: 'password', message: 'is required without a session' }] : []),
  ]
  if (email === undefined || password === undefined) throw invalidRequest(missing)
  if (invited !== null && email !== invited)
    throw invalidRequest([{ path: 'email', message: 'must be the address of the invitation' }])
  return { email, password, name }
}
