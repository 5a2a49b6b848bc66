import type { Clock } from '../../ports/clock.js'
import type { Stores } from '../../ports/database.js'
import type { IssuedIdentity } from '../../ports/identity-issuer.js'
import type { InvitationRecord } from '../../ports/member-store.js'
import type { PersonRecord } from '../../ports/person-store.js'
import { DomainError } from '../domain-error.js'
import { newPerson } from './join-organization.js'

export type IdentifiedPerson =
  | { readonly ok: true; readonly person: PersonRecord; readonly isNewLink: boolean }
  /** `person` is whose log has it, where the refusal concerns somebody who is here. */
  | { readonly ok: false; readonly refusal: DomainError; readonly person: PersonRecord | null }

interface Identification {
  readonly identity: IssuedIdentity
  /** The one that is to be accepted on the way; null where there is none. */
  readonly invitation: InvitationRecord | null
}

/**
 * Who an identity is here. A link that was made decides, whatever becomes of addresses. Else a verified address finds
 * the person who has it, once: an address that was given to somebody else at the issuer opens nothing. Whoever is new
 * needs an invitation, whose address it is then, as it is for those who choose a password.
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
      ? { ok: true, person: linked, isNewLink: false }
      : refuse(otherAddress(`The invitation is for ${invited}, and you are ${linked.email} here.`), linked)
  if (invited !== null && identity.email !== null && identity.email !== invited)
    return refuse(otherAddress(`The invitation is for ${invited}, and the issuer says ${identity.email}.`))
  const address = invited ?? identity.email
  if (address === null) return refuse(unverified())
  const known = await stores.people.findByEmail(address)
  const isProven = identity.isEmailVerified && identity.email === address
  // The same for addresses that somebody has here and for others: nobody learns which by claiming them.
  if (!isProven && (invited === null || known !== null)) return refuse(unverified(), known)
  if (known !== null) return linkPerson(clock, stores, { identity, known })
  return invitation === null ? refuse(unknown()) : addPerson(clock, stores, { identity, address })
}

const refuse = (refusal: DomainError, person: PersonRecord | null = null) =>
  ({ ok: false, refusal, person }) as const

async function linkPerson(
  clock: Clock,
  { people }: Stores,
  { identity, known }: { readonly identity: IssuedIdentity; readonly known: PersonRecord },
): Promise<IdentifiedPerson> {
  const person = await people.findLocked(known.id)
  if (person !== null && (await people.addIdentity(person.id, identity, clock.now().toISOString())))
    return { ok: true, person, isNewLink: true }
  return refuse(otherAddress('This address belongs to another account of the issuer here.'), known)
}

async function addPerson(
  clock: Clock,
  { people }: Stores,
  { identity, address }: { readonly identity: IssuedIdentity; readonly address: string },
): Promise<IdentifiedPerson> {
  const [localPart = address] = address.split('@', 1)
  const person = newPerson(clock, { email: address, name: identity.name ?? localPart, passwordHash: null })
  if (!(await people.insert(person)) || !(await people.addIdentity(person.id, identity, person.createdAt)))
    throw new DomainError('Conflict', 'Somebody has just come in with this account or address. Try again.')
  return { ok: true, person, isNewLink: true }
}

const otherAddress = (detail: string) => new DomainError('OidcAddressMismatch', detail)

const unverified = () =>
  new DomainError(
    'OidcEmailUnverified',
    'The issuer does not vouch for your e-mail address. Have it verified there, or ask for an invitation.',
  )

const unknown = () =>
  new DomainError('OidcPersonUnknown', 'Nobody here has your e-mail address. Ask for an invitation.')
