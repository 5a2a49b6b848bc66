import { and, asc, count, desc, eq, getTableColumns, inArray, isNotNull, isNull, or, sql } from 'drizzle-orm'
import type {
  InvitationRecord,
  InvitationStore,
  MemberRecord,
  MemberStore,
} from '../../ports/people-stores.js'
import type { Handle } from './handle.js'
import { lockOrganization, lockRow } from './locks.js'
import { invitation, member, person } from './people-schema.js'
import { resourceStore } from './resource-store.js'
import { organization } from './schema.js'

export function makeMemberStore(handle: Handle): MemberStore {
  const withPerson = {
    ...getTableColumns(member),
    email: person.email,
    name: person.name,
    hasTotp: sql<boolean>`${person.sealedTotp} is not null`,
  }
  return {
    ...resourceStore<MemberRecord, Record<string, never>>(handle, member, { matching: () => [] }),

    async listWithPeople(organizationId, page) {
      const where = eq(member.organizationId, organizationId)
      const items = await handle
        .select(withPerson)
        .from(member)
        .innerJoin(person, eq(person.id, member.personId))
        .where(where)
        .orderBy(desc(member.id))
        .offset(page.offset)
        .limit(page.limit)
      const [total] = await handle.select({ count: count() }).from(member).where(where)
      return { items, totalCount: total?.count ?? 0 }
    },

    ofPerson: (personId) =>
      handle
        .select({ ...getTableColumns(member), organizationName: organization.name })
        .from(member)
        .innerJoin(organization, eq(organization.id, member.organizationId))
        .where(eq(member.personId, personId))
        .orderBy(asc(member.id)),

    findOfPersonLocked: (organizationId, personId) =>
      lockRow(handle, member, and(eq(member.organizationId, organizationId), eq(member.personId, personId))),

    async hasAddress(organizationId, email) {
      const [found] = await handle
        .select({ id: member.id })
        .from(member)
        .innerJoin(person, eq(person.id, member.personId))
        .where(
          and(
            eq(sql`lower(${person.email})`, email.toLowerCase()),
            eq(member.organizationId, organizationId),
          ),
        )
        .limit(1)
      return found !== undefined
    },

    async move(personId, toPersonId, at) {
      const ofBoth = handle
        .select({ organizationId: member.organizationId })
        .from(member)
        .where(eq(member.personId, toPersonId))
      await handle
        .delete(member)
        .where(and(eq(member.personId, personId), inArray(member.organizationId, ofBoth)))
      await handle
        .update(member)
        .set({ personId: toPersonId, updatedAt: at, version: sql`${member.version} + 1` })
        .where(eq(member.personId, personId))
    },

    lockOwners: (organizationId) => lockOrganization(handle, organizationId),

    countOwners: (organizationId) =>
      handle.$count(member, and(eq(member.organizationId, organizationId), eq(member.role, 'owner'))),
  }
}

export function makeInvitationStore(handle: Handle): InvitationStore {
  return {
    ...resourceStore<InvitationRecord, Record<string, never>>(handle, invitation, { matching: () => [] }),

    async findByToken(tokenHash) {
      const rows = await handle.select().from(invitation).where(eq(invitation.tokenHash, tokenHash))
      return rows[0] ?? null
    },

    removeOpen: (organizationId, { by, roles }) =>
      handle
        .delete(invitation)
        .where(
          and(
            eq(invitation.organizationId, organizationId),
            isNull(invitation.acceptedAt),
            isNotNull(invitation.email),
            or(eq(invitation.invitedById, by), isNull(invitation.invitedById)),
            inArray(invitation.role, [...roles]),
          ),
        )
        .returning(),
  }
}
