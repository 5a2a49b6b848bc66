import type { InvitationInput, InvitationListQuery, Page, Role, RoleName } from '@parley/contract'
import type { Clock } from '../../ports/clock.js'
import type { Stores } from '../../ports/database.js'
import type { InvitationRecord } from '../../ports/member-store.js'
import { recordChange } from '../audit/record-change.js'
import type { CallerScope } from '../caller-scope.js'
import { DomainError } from '../domain-error.js'
import { type Limits, oneMore } from '../limits/organization-limits.js'
import { generateToken, hashToken } from '../one-time-token.js'
import { newResource } from '../resources/new-resource.js'
import { listResources, removeResource } from '../resources/resource.js'
import { invitableRoles, requireOwnerFor } from './owner-rules.js'

const type = 'Invitation'
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
  const kind = { type, clock, store: ({ invitations }: Stores) => invitations }

  return {
    list: (scope: CallerScope, query: InvitationListQuery): Promise<Page<InvitationRecord>> =>
      listResources(kind, scope, { query, filter: {} }),

    /** Makes an invitation. Its link is in the answer alone; what is stored cannot be turned back into it. */
    async create(
      scope: CallerScope,
      { email, role }: InvitationInput,
    ): Promise<InvitationRecord & { readonly link: string }> {
      const { stores, caller } = scope
      requireOwnerFor(caller, role)
      await requireStillInviter(scope, role)
      if (await stores.members.hasAddress(caller.organizationId, email))
        throw new DomainError('Conflict', 'This person is a member already.')
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
      await recordChange(clock, scope, { action: 'invitation.delete', type, id, details: { email, role } })
    },
  }
}

/**
 * Ends the open invitations to these roles that a member made, in the transaction that takes the right to make them away.
 * Invitations of earlier versions name no inviter. They end with any member, because each of them could be the inviter's.
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
    await recordChange(clock, scope, { action: 'invitation.delete', type, id, details })
  }
  return ended.length
}

/** The lock makes a removal wait for this invitation, or this invitation for the removal. */
async function requireStillInviter({ stores, caller }: CallerScope, role: RoleName): Promise<void> {
  const { actor, organizationId } = caller
  if (actor.type !== 'person' || actor.id === null) return
  const member = await stores.members.findOfPersonLocked(organizationId, actor.id)
  if (member === null || !invitableRoles(member.role).includes(role))
    throw new DomainError('Forbidden', `You can no longer invite anyone as ${role}.`)
}

/** A link that makes an owner of whoever opens it first, within the hour; returns its token. */
export async function addOwnerLink(clock: Clock, scope: CallerScope): Promise<string> {
  const { token } = await addInvitation(clock, scope, { email: null, role: 'owner', hours: ownerLinkHours })
  return token
}

/** The token stands in the fragment, which browsers send to nobody. */
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
    ...{ email, role, tokenHash: hashToken(token), invitedBy: caller.actor.name },
    invitedById: caller.actor.id,
    expiresAt: new Date(clock.now().getTime() + hours * hourMilliseconds).toISOString(),
    acceptedAt: null,
  }
  await stores.invitations.insert(invitation)
  const details = { email, role }
  await recordChange(clock, scope, { action: 'invitation.create', type, id: invitation.id, details })
  return { invitation, token }
}
