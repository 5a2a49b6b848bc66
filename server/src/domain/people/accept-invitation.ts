import type { InvitationAcceptance, PresentedInvitation } from '@parley/contract'
import { v7 as uuid } from 'uuid'
import type { Clock } from '../../ports/clock.js'
import type { Stores } from '../../ports/database.js'
import type { InvitationRecord } from '../../ports/member-store.js'
import type { FoundSession, PersonRecord } from '../../ports/person-store.js'
import { recordChange } from '../audit/record-change.js'
import { DomainError, invalidRequest } from '../domain-error.js'
import { hashToken } from '../one-time-token.js'
import { newResource } from '../resources/new-resource.js'
import { withCredentials } from './check-credentials.js'
import { describeMe, type NewSession, type PeopleDependencies } from './me.js'
import { hashNewPassword } from './password-rules.js'
import { personCaller, type Requester } from './person-scope.js'
import { beginSession } from './person-sessions.js'

/** Who accepts, and from where; whoever is signed in already joins as themselves. */
export interface InvitedCaller {
  readonly requester: Requester
  readonly signedIn: FoundSession | null
}

export async function presentInvitation(
  { clock, database: { stores } }: PeopleDependencies,
  token: string,
): Promise<PresentedInvitation> {
  const { organizationId, email, role, expiresAt } = await requireOpen(clock, stores, token)
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
  const invitation = await requireOpen(clock, database.stores, acceptance.token)
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

async function joinOrganization(
  { clock, settings }: PeopleDependencies,
  { stores, person, requester }: { stores: Stores; person: PersonRecord; requester: Requester },
  token: string,
): Promise<NewSession> {
  const { organizationId, id } = await requireOpen(clock, stores, token)
  const invitation = await stores.invitations.findLocked(organizationId, id)
  if (invitation === null || invitation.acceptedAt !== null) throw invitationInvalid()
  const { role, version } = invitation
  const member = { ...newResource(clock, organizationId), personId: person.id, role }
  const others = await stores.members.ofPerson(person.id)
  if (others.some((other) => other.organizationId === organizationId))
    throw new DomainError('Conflict', 'You are a member of this organization already.')
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
  const caller = personCaller({ person, requester }, { organizationId, role, scopes: [] })
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
  return { token: sessionToken, signedIn: await describeMe({ stores, person, session, requester }) }
}

async function requireOpen(clock: Clock, stores: Stores, token: string): Promise<InvitationRecord> {
  const invitation = await stores.invitations.findByToken(hashToken(token))
  const isOpen =
    invitation !== null &&
    invitation.acceptedAt === null &&
    Date.parse(invitation.expiresAt) > clock.now().getTime()
  if (!isOpen) throw invitationInvalid()
  return invitation
}

/** Of a link that never was, one that is over and one that was used the same is said. */
function invitationInvalid(): DomainError {
  return new DomainError(
    'InvitationInvalid',
    'This link does not work: it has been used, taken back or has expired. Ask for a new one.',
  )
}

function requireSameAddress({ email }: InvitationRecord, own: string): void {
  if (email !== null && email !== own)
    throw new DomainError('Conflict', `This invitation is for ${email}, and you are signed in as ${own}.`)
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

function newPerson(
  clock: Clock,
  account: Pick<PersonRecord, 'email' | 'name' | 'passwordHash'>,
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
    failures: 0,
    lockedUntil: null,
  }
}
