import { type MemberListQuery, type MemberPatch, type Page, roles } from '@parley/contract'
import type { Clock } from '../../ports/clock.js'
import type { Stores } from '../../ports/database.js'
import type { MemberRecord, MemberWithPerson } from '../../ports/member-store.js'
import { recordChange } from '../audit/record-change.js'
import type { CallerScope } from '../caller-scope.js'
import { notFound } from '../domain-error.js'
import { readPage } from '../resources/page.js'
import { changeResource, removeResource } from '../resources/resource.js'
import { endInvitations } from './invitations.js'
import { invitableRoles, refuseLastOwner, requireOwnerFor } from './owner-rules.js'

const type = 'Member'

export function makeMembers({ clock }: { readonly clock: Clock }) {
  const kind = { type, clock, store: ({ members }: Stores) => members }

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
        const kept = invitableRoles(after.role)
        const to = invitableRoles(before.role).filter((each) => !kept.includes(each))
        const endedInvitations = await endInvitations(clock, scope, {
          personId,
          to,
          because: 'member.update',
        })
        const details = { personId, from: before.role, to: after.role, endedInvitations }
        await recordChange(clock, scope, { action: 'member.update', type, id, details })
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
      // Whoever comes back later has allowed nobody anything.
      await stores.mcpGrants.removeOfMember(caller.organizationId, personId)
      const endedInvitations = await endInvitations(clock, scope, {
        ...{ personId, to: roles, because: 'member.delete' },
      })
      const details = { personId, role, endedInvitations }
      await recordChange(clock, scope, { action: 'member.delete', type, id, details })
    },
  }
}

async function withPerson(stores: Stores, member: MemberRecord): Promise<MemberWithPerson> {
  const person = await stores.people.find(member.personId)
  if (person === null) throw notFound(type)
  const { email, name, sealedTotp } = person
  return { ...member, email, name, hasTotp: sealedTotp !== null }
}
