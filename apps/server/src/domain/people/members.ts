import {
  coversScope,
  type InvitationInput,
  type InvitationListQuery,
  type MemberListQuery,
  type MemberPatch,
  type Page,
  type Role,
  type RoleName,
  roleScopes,
  roles,
} from '@parley/contract'
import type { Stores } from '../../ports/database.js'
import type { InvitationRecord, MemberRecord, MemberWithPerson } from '../../ports/people-stores.js'
import type { Clock } from '../../ports/time.js'
import { recordChange } from '../audit/record-change.js'
import type { Caller, CallerScope } from '../caller-scope.js'
import { DomainError, notFound } from '../domain-error.js'
import { type Limits, oneMore } from '../limits/organization-limits.js'
import { generateToken, hashToken } from '../new-id.js'
import {
  changeResource,
  listResources,
  newResource,
  readPage,
  removeResource,
} from '../resources/resource.js'

const memberType = 'Member'

export function makeMembers({ clock }: { readonly clock: Clock }) {
  const kind = { type: memberType, clock, store: ({ members }: Stores) => members }

  return {
    list: ({ stores, caller }: CallerScope, query: MemberListQuery): Promise<Page<MemberWithPerson>> =>
      readPage(query, (page) => stores.members.listWithPeople(caller.organizationId, page)),

    async change(scope: CallerScope, id: string, { role }: MemberPatch): Promise<MemberWithPerson> {
      const { stores, caller } = scope
      const { before, after } = await changeResource(kind, scope, {
        id,
        ifMatch: null,
        async change(current: MemberRecord) {
          const wanted = role ?? current.role
          if (wanted === current.role) return current
          requireOwnerFor(caller, current.role, wanted)
          if (current.role === 'owner') await refuseLastOwner(stores, caller.organizationId)
          return { ...current, role: wanted }
        },
      })
      if (before.role !== after.role) {
        const { personId } = after
        const stillInvitable = invitableRoles(after.role)
        const to = invitableRoles(before.role).filter((each) => !stillInvitable.includes(each))
        const endedInvitations = await endInvitations(clock, scope, {
          personId,
          to,
          because: 'member.update',
        })
        const details = { personId, from: before.role, to: after.role, endedInvitations }
        await recordChange(clock, scope, { action: 'member.update', type: memberType, id, details })
      }
      return withPerson(stores, after)
    },

    async remove(scope: CallerScope, id: string): Promise<undefined> {
      const { stores, caller } = scope
      const { personId, role } = await removeResource(kind, scope, {
        id,
        ifMatch: null,
        async check(current: MemberRecord) {
          requireOwnerFor(caller, current.role)
          if (current.role === 'owner') await refuseLastOwner(stores, caller.organizationId)
        },
      })
      // A person who joins again must not regain old grants.
      await stores.mcpGrants.removeOfMember(caller.organizationId, personId)
      const endedInvitations = await endInvitations(clock, scope, {
        personId,
        to: roles,
        because: 'member.delete',
      })
      const details = { personId, role, endedInvitations }
      await recordChange(clock, scope, { action: 'member.delete', type: memberType, id, details })
    },
  }
}

async function withPerson(stores: Stores, member: MemberRecord): Promise<MemberWithPerson> {
  const person = await stores.people.find(member.personId)
  if (person === null) throw notFound(memberType)
  const { email, name, sealedTotp } = person
  return { ...member, email, name, hasTotp: sealedTotp !== null }
}

const invitationType = 'Invitation'
const hourMilliseconds = 60 * 60 * 1000
const invitationHours = 7 * 24
const ownerLinkHours = 1

export function makeInvitations({
  clock,
  limits,
  publicUrl,
}: {
  readonly clock: Clock
  readonly limits: Limits
  readonly publicUrl: () => string
}) {
  const kind = { type: invitationType, clock, store: ({ invitations }: Stores) => invitations }

  return {
    list: (scope: CallerScope, query: InvitationListQuery): Promise<Page<InvitationRecord>> =>
      listResources(kind, scope, { query, filter: {} }),

    /**
     * Creates an invitation. Only this response contains its link, because only a hash of its token is
     * stored.
     */
    async create(
      scope: CallerScope,
      { email, role }: InvitationInput,
    ): Promise<InvitationRecord & { readonly link: string }> {
      const { stores, caller } = scope
      requireOwnerFor(caller, role)
      await requireStillInviter(scope, role)
      if (await stores.members.hasAddress(caller.organizationId, email))
        throw new DomainError('Conflict', 'This person is already a member.')
      await limits.requireRoom(scope, [oneMore('invitations')])
      const { invitation, token } = await addInvitation(clock, scope, { email, role, hours: invitationHours })
      return { ...invitation, link: linkOf(publicUrl(), 'invitation', token) }
    },

    async remove(scope: CallerScope, id: string): Promise<undefined> {
      const { email, role } = await removeResource(kind, scope, {
        id,
        ifMatch: null,
        check: async (current: InvitationRecord) => requireOwnerFor(scope.caller, current.role),
      })
      await recordChange(clock, scope, {
        action: 'invitation.delete',
        type: invitationType,
        id,
        details: { email, role },
      })
    },
  }
}

/**
 * Removes a member's open invitations to these roles, in the transaction that removes the member's right to
 * create them. Invitations of earlier versions have no inviter. They are removed for any member, because each
 * member may be the inviter.
 */
export async function endInvitations(
  clock: Clock,
  scope: CallerScope,
  {
    personId,
    to,
    because,
  }: { readonly personId: string; readonly to: readonly RoleName[]; readonly because: string },
): Promise<number> {
  const { stores, caller } = scope
  if (to.length === 0) return 0
  const ended = await stores.invitations.removeOpen(caller.organizationId, { by: personId, roles: to })
  for (const { id, email, role } of ended) {
    const details = { email, role, because }
    await recordChange(clock, scope, { action: 'invitation.delete', type: invitationType, id, details })
  }
  return ended.length
}

/**
 * Throws if the caller may no longer invite. The lock serializes this invitation with a concurrent removal of
 * the caller.
 */
async function requireStillInviter({ stores, caller }: CallerScope, role: RoleName): Promise<void> {
  const { actor, organizationId } = caller
  if (actor.type !== 'person' || actor.id === null) return
  const member = await stores.members.findOfPersonLocked(organizationId, actor.id)
  if (member === null || !invitableRoles(member.role).includes(role))
    throw new DomainError('Forbidden', `Your role no longer allows you to invite members as ${role}.`)
}

/**
 * Creates a link that is valid for an hour. The first person who opens it becomes an owner. Returns the
 * token.
 */
export async function addOwnerLink(clock: Clock, scope: CallerScope): Promise<string> {
  const { token } = await addInvitation(clock, scope, { email: null, role: 'owner', hours: ownerLinkHours })
  return token
}

/** The token is in the fragment, because browsers never send fragments to servers. */
export function linkOf(publicUrl: string, page: 'invitation' | 'owner', token: string): string {
  return `${publicUrl}/#/${page}?token=${token}`
}

async function addInvitation(
  clock: Clock,
  scope: CallerScope,
  { email, role, hours }: { readonly email: string | null; readonly role: Role; readonly hours: number },
): Promise<{ readonly invitation: InvitationRecord; readonly token: string }> {
  const { stores, caller } = scope
  const token = generateToken()
  const invitation = {
    ...newResource(clock, caller.organizationId),
    email,
    role,
    tokenHash: hashToken(token),
    invitedBy: caller.actor.name,
    invitedById: caller.actor.id,
    expiresAt: new Date(clock.now().getTime() + hours * hourMilliseconds).toISOString(),
    acceptedAt: null,
  }
  await stores.invitations.insert(invitation)
  const details = { email, role }
  await recordChange(clock, scope, {
    action: 'invitation.create',
    type: invitationType,
    id: invitation.id,
    details,
  })
  return { invitation, token }
}

/**
 * Throws if the caller is not an owner but adds, changes or removes one. This prevents admins, and API keys
 * of admins, from becoming owners.
 */
function requireOwnerFor({ role: own, actor }: Caller, ...concerned: readonly Role[]): void {
  if (!concerned.includes('owner') || own === 'owner' || actor.type === 'operator' || actor.type === 'system')
    return
  throw new DomainError('Forbidden', 'Only owners can add, change or remove owners.')
}

/** The roles that a member with this role can invite others to. */
function invitableRoles(role: RoleName): readonly RoleName[] {
  if (role === 'owner') return roles
  return coversScope(roleScopes[role], 'org:manage') ? roles.filter((each) => each !== 'owner') : []
}

/** Throws if no owner would remain, because then only the operator could create one. */
async function refuseLastOwner(stores: Stores, organizationId: string): Promise<void> {
  await stores.members.lockOwners(organizationId)
  if ((await stores.members.countOwners(organizationId)) <= 1)
    throw new DomainError(
      'LastOwner',
      'This is the last owner of the organization. Make another member an owner first.',
    )
}
