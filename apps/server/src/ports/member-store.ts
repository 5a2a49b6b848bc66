import type { RoleName } from '@parley/contract'
import type { PageRequest, RecordPage, ResourceRecord, ResourceStore } from './resource-store.js'

export interface MemberRecord extends ResourceRecord {
  readonly personId: string
  readonly role: RoleName
}

/** A member with what others see of the person. */
export interface MemberWithPerson extends MemberRecord {
  readonly email: string
  readonly name: string
  readonly hasTotp: boolean
}

/** A member with the name of the organization. */
export interface MemberWithOrganization extends MemberRecord {
  readonly organizationName: string
}

/** Who belongs to which organization, and as what. */
export interface MemberStore extends ResourceStore<MemberRecord, Record<string, never>> {
  /** One page of the members of an organization with what others see of them, newest first. */
  listWithPeople(organizationId: string, page: PageRequest): Promise<RecordPage<MemberWithPerson>>
  /** What the person is in each organization, the oldest membership first. */
  ofPerson(personId: string): Promise<readonly MemberWithOrganization[]>
  /** The membership of a person, locked until the transaction ends; null if there is none. */
  findOfPersonLocked(organizationId: string, personId: string): Promise<MemberRecord | null>
  /** Whether an account with this address is a member, whichever account it is. */
  hasAddress(organizationId: string, email: string): Promise<boolean>
  /** Gives the memberships of one person to another; those in organizations where both are members end. */
  move(personId: string, toPersonId: string, at: string): Promise<void>
  /** Makes changes of owners take turns, until their transactions end. */
  lockOwners(organizationId: string): Promise<void>
  /** How many owners an organization has. */
  countOwners(organizationId: string): Promise<number>
}

export interface InvitationRecord extends ResourceRecord {
  /** In lower case; null: whoever has the link. */
  readonly email: string | null
  readonly role: RoleName
  /** SHA-256 of the token, in hex. */
  readonly tokenHash: string
  readonly invitedBy: string | null
  /** The person or key that made it; null for the operator's links and for rows of earlier versions. */
  readonly invitedById: string | null
  readonly expiresAt: string
  readonly acceptedAt: string | null
}

/** Ways into organizations. */
export interface InvitationStore extends ResourceStore<InvitationRecord, Record<string, never>> {
  /** The invitation of this token, in whichever organization. */
  findByToken(tokenHash: string): Promise<InvitationRecord | null>
  /**
   * Removes the open invitations of an inviter to these roles and returns them. Rows without an inviter's id count as
   * theirs; the operator's links, which name no address, do not.
   */
  removeOpen(
    organizationId: string,
    made: { readonly by: string; readonly roles: readonly RoleName[] },
  ): Promise<readonly InvitationRecord[]>
}
