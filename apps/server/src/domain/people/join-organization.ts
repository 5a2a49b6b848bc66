import { v7 as uuid } from 'uuid'
import type { Clock } from '../../ports/clock.js'
import type { Stores } from '../../ports/database.js'
import type { InvitationRecord } from '../../ports/member-store.js'
import type { PersonRecord } from '../../ports/person-store.js'
import { recordChange } from '../audit/record-change.js'
import { DomainError } from '../domain-error.js'
import { oneMore } from '../limits/organization-limits.js'
import { hashToken } from '../one-time-token.js'
import { newResource } from '../resources/new-resource.js'
import { sealBrowser } from './known-browser.js'
import { describeMe, type NewSession, type PeopleDependencies } from './me.js'
import { personCaller, type Requester } from './person-scope.js'
import { beginSession } from './person-sessions.js'

/**
 * Makes a member of the person and signs them in. The invitation's row is locked before it is looked at again, so of two
 * who come with the same link one finds it used. What the operator's own link makes is not limited: it is the way in
 * where nobody else has one.
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
    throw new DomainError('Conflict', 'You are a member of this organization already.')
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

/** The invitation of this token, where it can be accepted still. */
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

/** Of a link that never was, one that is over and one that was used the same is said. */
function invitationInvalid(): DomainError {
  return new DomainError(
    'InvitationInvalid',
    'This link does not work: it has been used, taken back or has expired. Ask for a new one.',
  )
}

export function requireSameAddress({ email }: InvitationRecord, own: string): void {
  if (email !== null && email !== own)
    throw new DomainError('Conflict', `This invitation is for ${email}, and you are signed in as ${own}.`)
}

/**
 * Whether an account counts as the account of its address in this organization. An unproven account belongs to the
 * organization whose invitation made it: its address alone gives it nothing elsewhere.
 */
export const isAccountIn =
  (organizationId: string) =>
  ({ provenAt, homeOrganizationId }: PersonRecord): boolean =>
    provenAt !== null || homeOrganizationId === organizationId

/** A new account, whose address is not proven. */
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
