import { and, count, desc, eq, getTableColumns, gt, isNotNull, ne, or, sql } from 'drizzle-orm'
import type { PersonStore } from '../../ports/person-store.js'
import type { Handle } from './handle.js'
import { lockRow } from './locks.js'
import { member, person, personIdentity, personSession, usedOidcState } from './people-schema.js'

export function makePersonStore(handle: Handle): PersonStore {
  // Every call of a person begins with this one.
  const byToken = handle
    .select({ session: personSession, person, member })
    .from(personSession)
    .innerJoin(person, eq(person.id, personSession.personId))
    .leftJoin(
      member,
      and(eq(member.personId, person.id), eq(member.organizationId, sql.placeholder('organizationId'))),
    )
    .where(eq(personSession.tokenHash, sql.placeholder('tokenHash')))
    .prepare('person_session_by_token')

  return {
    async find(id) {
      const rows = await handle.select().from(person).where(eq(person.id, id))
      return rows[0] ?? null
    },

    findLocked: (id) => lockRow(handle, person, eq(person.id, id)),

    async findByEmail(email) {
      const rows = await handle
        .select()
        .from(person)
        .where(eq(sql`lower(${person.email})`, email.toLowerCase()))
      return rows[0] ?? null
    },

    async insert(record) {
      const inserted = await handle.insert(person).values(record).onConflictDoNothing()
      return inserted.rowCount === 1
    },

    async update({ id, ...record }) {
      await handle.update(person).set(record).where(eq(person.id, id))
    },

    async idsWithSecrets() {
      const rows = await handle
        .select({ id: person.id })
        .from(person)
        .where(or(isNotNull(person.sealedTotp), isNotNull(person.pendingTotp)))
      return rows.map(({ id }) => id)
    },

    async findByIdentity({ issuer, subject }) {
      const rows = await handle
        .select(getTableColumns(person))
        .from(personIdentity)
        .innerJoin(person, eq(person.id, personIdentity.personId))
        .where(and(eq(personIdentity.issuer, issuer), eq(personIdentity.subject, subject)))
      return rows[0] ?? null
    },

    async addIdentity(personId, identity, createdAt) {
      const added = await handle
        .insert(personIdentity)
        .values({ ...identity, personId, createdAt })
        .onConflictDoNothing()
      return added.rowCount === 1
    },

    async useOidcState(stateHash, expiresAt) {
      const used = await handle.insert(usedOidcState).values({ stateHash, expiresAt }).onConflictDoNothing()
      return used.rowCount === 1
    },

    async insertSession(record) {
      await handle.insert(personSession).values(record)
    },

    async findSession(tokenHash, organizationId) {
      const [found] = await byToken.execute({ tokenHash, organizationId })
      return found ?? null
    },

    async listSessions(personId, now, page) {
      const where = and(eq(personSession.personId, personId), gt(personSession.expiresAt, now))
      const items = await handle
        .select()
        .from(personSession)
        .where(where)
        .orderBy(desc(personSession.id))
        .offset(page.offset)
        .limit(page.limit)
      const [total] = await handle.select({ count: count() }).from(personSession).where(where)
      return { items, totalCount: total?.count ?? 0 }
    },

    async touchSession(id, at, expiresAt) {
      await handle.update(personSession).set({ lastUsedAt: at, expiresAt }).where(eq(personSession.id, id))
    },

    async removeSession(personId, id) {
      const removed = await handle
        .delete(personSession)
        .where(and(eq(personSession.personId, personId), eq(personSession.id, id)))
      return removed.rowCount === 1
    },

    async removeOtherSessions(personId, keptId) {
      const others = keptId === null ? undefined : ne(personSession.id, keptId)
      const removed = await handle
        .delete(personSession)
        .where(and(eq(personSession.personId, personId), others))
      return removed.rowCount ?? 0
    },
  }
}
