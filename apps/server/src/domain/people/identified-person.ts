import type { Stores } from '../../ports/database.js'
import type { IssuedIdentity } from '../../ports/oauth.js'
import type { InvitationRecord, PersonRecord } from '../../ports/people-stores.js'
import type { Clock } from '../../ports/time.js'
import { DomainError } from '../domain-error.js'
import { isAccountIn, newPerson } from './join-organization.js'

type IdentifiedPerson =
  | {
      readonly ok: true
      readonly person: PersonRecord
      readonly isNewLink: boolean
      /** The access that was removed when the address was first verified. Null if it was verified before. */
      readonly dropped: DroppedCredentials | null
    }
  /** `people` are the accounts of the rejected identity. The rejection is recorded in their logs. */
  | { readonly ok: false; readonly refusal: DomainError; readonly people: readonly PersonRecord[] }

interface Identification {
  readonly identity: IssuedIdentity
  /** The invitation to accept during sign-in, or null if there is none. */
  readonly invitation: InvitationRecord | null
}

/**
 * Finds or creates the person of an identity. An existing link is used regardless of addresses. Otherwise, a
 * verified address identifies its account. If the account was never verified, the first verified identity
 * takes it over. A new person needs an invitation, and gets the address of the invitation.
 */
export async function identifyPerson(
  clock: Clock,
  stores: Stores,
  { identity, invitation }: Identification,
): Promise<IdentifiedPerson> {
  const invited = invitation?.email ?? null
  const linked = await stores.people.findByIdentity(identity)
  if (linked !== null)
    return invited === null || invited === linked.email
      ? signInLinked(clock, stores, { identity, linked })
      : refuse(otherAddress(`The invitation is for ${invited}, but you are signed in as ${linked.email}.`), [
          linked,
        ])
  if (invited !== null && identity.email !== null && identity.email !== invited)
    return refuse(
      otherAddress(`The invitation is for ${invited}, but the identity provider reports ${identity.email}.`),
    )
  const address = invited ?? identity.email
  if (address === null) return refuse(unverified())
  const accounts = await stores.people.findByAddressLocked(address)
  if (vouchesFor(identity, address)) {
    if (accounts.length > 0) return takeAccount(clock, stores, { identity, accounts })
    return invitation === null
      ? refuse(unknown())
      : addPerson(clock, stores, { identity, invitation, address })
  }
  // Known and unknown addresses get the same response, so that an unverified claim to an address reveals
  // nothing about it.
  if (invitation === null || invited === null) return refuse(unverified(), accounts)
  const known = accounts.filter(isAccountIn(invitation.organizationId))
  if (known.length > 0) return refuse(unverified(), known)
  return addPerson(clock, stores, { identity, invitation, address })
}

const refuse = (refusal: DomainError, people: readonly PersonRecord[] = []) =>
  ({ ok: false, refusal, people }) as const

const vouchesFor = ({ email, isEmailVerified }: IssuedIdentity, address: string) =>
  isEmailVerified && email === address

async function signInLinked(
  clock: Clock,
  stores: Stores,
  { identity, linked }: { readonly identity: IssuedIdentity; readonly linked: PersonRecord },
): Promise<IdentifiedPerson> {
  const asBefore = { ok: true, person: linked, isNewLink: false, dropped: null } as const
  if (linked.provenAt !== null || !vouchesFor(identity, linked.email)) return asBefore
  const accounts = await stores.people.findByAddressLocked(linked.email)
  const survivor = accounts.find(({ id }) => id === linked.id)
  if (survivor === undefined || accounts.some(({ provenAt }) => provenAt !== null)) return asBefore
  const { person, dropped } = await proveAddress(clock, stores, { accounts, survivor, identity })
  await stores.people.verifyIdentity(identity, clock.now().toISOString())
  return { ok: true, person, isNewLink: false, dropped }
}

async function takeAccount(
  clock: Clock,
  stores: Stores,
  { identity, accounts }: { readonly identity: IssuedIdentity; readonly accounts: readonly PersonRecord[] },
): Promise<IdentifiedPerson> {
  const { people } = stores
  const [first] = accounts
  const ids = accounts.map(({ id }) => id)
  // The identity provider has assigned the address to another account, which gets no access to the existing
  // account here.
  if (first === undefined || (await people.haveVerifiedIdentity(ids, identity.issuer)))
    return refuse(otherAddress('This address belongs to another account of the identity provider.'), accounts)
  const proven = accounts.find(({ provenAt }) => provenAt !== null)
  const { person, dropped } =
    proven === undefined
      ? await proveAddress(clock, stores, { accounts, survivor: first, identity })
      : { person: proven, dropped: null }
  const link = { at: clock.now().toISOString(), isVerified: true }
  if (!(await people.addIdentity(person.id, identity, link))) throw concurrentSignIn()
  return { ok: true, person, isNewLink: true, dropped }
}

async function addPerson(
  clock: Clock,
  { people }: Stores,
  {
    identity,
    invitation,
    address,
  }: {
    readonly identity: IssuedIdentity
    readonly invitation: InvitationRecord
    readonly address: string
  },
): Promise<IdentifiedPerson> {
  const [localPart = address] = address.split('@', 1)
  const isVerified = vouchesFor(identity, address)
  const made = newPerson(clock, {
    email: address,
    name: identity.name ?? localPart,
    passwordHash: null,
    homeOrganizationId: invitation.organizationId,
  })
  const person = isVerified ? { ...made, provenAt: made.createdAt } : made
  const link = { at: person.createdAt, isVerified }
  if (!(await people.insert(person)) || !(await people.addIdentity(person.id, identity, link)))
    throw concurrentSignIn()
  return { ok: true, person, isNewLink: true, dropped: null }
}

const concurrentSignIn = () =>
  new DomainError('Conflict', 'Another sign-in has just used this account or address. Try again.')

const otherAddress = (detail: string) => new DomainError('OidcAddressMismatch', detail)

const unverified = () =>
  new DomainError(
    'OidcEmailUnverified',
    'The identity provider has not verified your email address. Verify it there, or ask for an invitation.',
  )

const unknown = () =>
  new DomainError('OidcPersonUnknown', 'No member has your email address. Ask for an invitation.')

/** The access that was removed when an address was first verified, for the audit log. */
interface DroppedCredentials {
  readonly password: boolean
  readonly secondFactor: boolean
  readonly sessions: number
  readonly grants: number
  readonly identities: number
  /** Other accounts with this address, whose memberships were moved to the verified account. */
  readonly mergedPersonIds: readonly string[]
}

/**
 * Marks the address of accounts that were created by invitations as proven. Anyone with an invitation link
 * may have set their credentials. Therefore, their passwords, second factors, recovery codes, sessions, MCP
 * grants and other identities are removed. Memberships belong to the address, so they are moved to the one
 * remaining account.
 */
async function proveAddress(
  clock: Clock,
  stores: Stores,
  {
    accounts,
    survivor,
    identity,
  }: {
    /** All accounts with the address. They are locked, and their address is not proven. */
    readonly accounts: readonly PersonRecord[]
    readonly survivor: PersonRecord
    readonly identity: IssuedIdentity
  },
): Promise<{ readonly person: PersonRecord; readonly dropped: DroppedCredentials }> {
  const { people, members, mcpGrants } = stores
  const now = clock.now().toISOString()
  const others = accounts.filter(({ id }) => id !== survivor.id)
  let [sessions, grants] = [0, 0]
  for (const { id } of accounts) {
    sessions += await people.removeOtherSessions(id, null)
    grants += await mcpGrants.removeOfPerson(id)
  }
  let identities = await people.removeOtherIdentities(survivor.id, identity)
  for (const { id } of others) {
    identities += await people.removeOtherIdentities(id, identity)
    await members.move(id, survivor.id, now)
    await people.remove(id)
  }
  const person: PersonRecord = {
    ...survivor,
    // An unauthorized person may have set the name too.
    name: identity.name ?? survivor.name,
    passwordHash: null,
    sealedTotp: null,
    pendingTotp: null,
    lastTotpStep: null,
    recoveryHashes: [],
    wrongCodes: 0,
    wrongCodesSince: null,
    provenAt: now,
    updatedAt: now,
  }
  await people.update(person)
  const dropped = {
    password: accounts.some(({ passwordHash }) => passwordHash !== null),
    secondFactor: accounts.some(({ sealedTotp }) => sealedTotp !== null),
    sessions,
    grants,
    identities,
    mergedPersonIds: others.map(({ id }) => id),
  }
  return { person, dropped }
}
