import type { Clock } from '../../ports/clock.js'
import type { Stores } from '../../ports/database.js'
import type { IssuedIdentity } from '../../ports/identity-issuer.js'
import type { InvitationRecord } from '../../ports/member-store.js'
import type { PersonRecord } from '../../ports/person-store.js'
import { DomainError } from '../domain-error.js'
import { type DroppedCredentials, proveAddress } from './address-proof.js'
import { isAccountIn, newPerson } from './join-organization.js'

export type IdentifiedPerson =
  | {
      readonly ok: true
      readonly person: PersonRecord
      readonly isNewLink: boolean
      /** What the first proof of the address ended; null if this was not the first proof. */
      readonly dropped: DroppedCredentials | null
    }
  /** `people` are the accounts that the refusal concerns; their logs record it. */
  | { readonly ok: false; readonly refusal: DomainError; readonly people: readonly PersonRecord[] }

interface Identification {
  readonly identity: IssuedIdentity
  /** The invitation to accept on the way; null if there is none. */
  readonly invitation: InvitationRecord | null
}

/**
 * Finds or makes the person of an identity. An existing link decides, whatever becomes of addresses. Otherwise a verified
 * address finds the account that has it, and its first proof takes that account over from whoever made it. A new person
 * needs an invitation, and gets the invitation's address.
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
      : refuse(otherAddress(`The invitation is for ${invited}, and you are ${linked.email} here.`), [linked])
  if (invited !== null && identity.email !== null && identity.email !== invited)
    return refuse(otherAddress(`The invitation is for ${invited}, and the issuer says ${identity.email}.`))
  const address = invited ?? identity.email
  if (address === null) return refuse(unverified())
  const accounts = await stores.people.findByAddressLocked(address)
  if (vouchesFor(identity, address)) {
    if (accounts.length > 0) return takeAccount(clock, stores, { identity, accounts })
    return invitation === null
      ? refuse(unknown())
      : addPerson(clock, stores, { identity, invitation, address })
  }
  // The same answer for known and unknown addresses: claiming an address tells nothing about it.
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
  // The issuer has given the address to another of its accounts, which opens nothing here.
  if (first === undefined || (await people.haveVerifiedIdentity(ids, identity.issuer)))
    return refuse(otherAddress('This address belongs to another account of the issuer here.'), accounts)
  const proven = accounts.find(({ provenAt }) => provenAt !== null)
  const { person, dropped } =
    proven === undefined
      ? await proveAddress(clock, stores, { accounts, survivor: first, identity })
      : { person: proven, dropped: null }
  const link = { at: clock.now().toISOString(), isVerified: true }
  if (!(await people.addIdentity(person.id, identity, link))) throw justCameIn()
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
    ...{ email: address, name: identity.name ?? localPart, passwordHash: null },
    homeOrganizationId: invitation.organizationId,
  })
  const person = isVerified ? { ...made, provenAt: made.createdAt } : made
  const link = { at: person.createdAt, isVerified }
  if (!(await people.insert(person)) || !(await people.addIdentity(person.id, identity, link)))
    throw justCameIn()
  return { ok: true, person, isNewLink: true, dropped: null }
}

const justCameIn = () =>
  new DomainError('Conflict', 'Another sign-in has just used this account or address. Try again.')

const otherAddress = (detail: string) => new DomainError('OidcAddressMismatch', detail)

const unverified = () =>
  new DomainError(
    'OidcEmailUnverified',
    'The issuer does not vouch for your e-mail address. Have it verified there, or ask for an invitation.',
  )

const unknown = () =>
  new DomainError('OidcPersonUnknown', 'No one here has your e-mail address. Ask for an invitation.')
