import { and, asc, count, desc, eq, getTableColumns, gt, inArray, isNotNull, ne, or, sql } from 'drizzle-orm'
import type { PersonIdentity, PersonStore } from '../../ports/people-stores.js'
import type { Handle } from './handle.js'
import { rowLock } from './locks.js'
import { member, person, personIdentity, personSession, usedOidcState } from './people-schema.js'
import { builder, placeholder, selectStatement } from './statement.js'

const { failures: _, lockedUntil: __, ...columns } = getTableColumns(person)

/** Every request of a signed-in user starts with this statement. */
const findByToken = selectStatement(
  'person_session_by_token',
  { session: personSession, person: columns, member },
  (fields) =>
    builder
      .select(fields)
      .from(personSession)
      .innerJoin(person, eq(person.id, personSession.personId))
      .leftJoin(
        member,
        and(eq(member.personId, person.id), eq(member.organizationId, placeholder('organizationId'))),
      )
      .where(eq(personSession.tokenHash, placeholder('tokenHash'))),
)

export function makePersonStore(handle: Handle): PersonStore {
  const ofAddress = (email: string) =>
    handle
      .select(columns)
      .from(person)
      .where(eq(sql`lower(${person.email})`, email.toLowerCase()))
      .orderBy(asc(person.provenAt), asc(person.id))

  return {
    async find(id) {
      const rows = await handle.select(columns).from(person).where(eq(person.id, id))
      return rows[0] ?? null
    },

    async findLocked(id) {
      const rows = await handle.select(columns).from(person).where(eq(person.id, id)).for(rowLock.toChange)
      return rows[0] ?? null
    },

    findByAddress: (email) => ofAddress(email),

    findByAddressLocked: (email) => ofAddress(email).for(rowLock.toChange),

    async insert(record) {
      const inserted = await handle.insert(person).values(record).onConflictDoNothing()
      return inserted.rowCount === 1
    },

    async update({ id, ...record }) {
      await handle.update(person).set(record).where(eq(person.id, id))
    },

    async forgetWrongCodes(id) {
      await handle.update(person).set({ wrongCodes: 0, wrongCodesSince: null }).where(eq(person.id, id))
    },

    async remove(id) {
      await handle.delete(personSession).where(eq(personSession.personId, id))
      await handle.delete(personIdentity).where(eq(personIdentity.personId, id))
      await handle.delete(person).where(eq(person.id, id))
    },

    async idsWithSecrets() {
      const rows = await handle
        .select({ id: person.id })
        .from(person)
        .where(or(isNotNull(person.sealedTotp), isNotNull(person.pendingTotp)))
      return rows.map(({ id }) => id)
    },

    ...identityStore(handle),

    async useOidcState(stateHash, expiresAt) {
      const used = await handle.insert(usedOidcState).values({ stateHash, expiresAt }).onConflictDoNothing()
      return used.rowCount === 1
    },

    async insertSession(record) {
      await handle.insert(personSession).values(record)
    },

    async findSession(tokenHash, organizationId) {
      const [found] = await findByToken(handle, { tokenHash, organizationId })
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

    async touchSession(id, { at, ...ends }) {
      await handle
        .update(personSession)
        .set({ lastUsedAt: at, ...ends })
        .where(eq(personSession.id, id))
    },

    async shortenSessions({ at, expiresAt, endsAt }) {
      await handle
        .update(personSession)
        .set({
          lastUsedAt: sql`least(${personSession.lastUsedAt}, ${at}::timestamptz)`,
          expiresAt,
          endsAt: sql`least(${personSession.endsAt}, ${endsAt}::timestamptz)`,
        })
        .where(gt(personSession.expiresAt, expiresAt))
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

function identityStore(
  handle: Handle,
): Pick<
  PersonStore,
  'findByIdentity' | 'addIdentity' | 'haveVerifiedIdentity' | 'verifyIdentity' | 'removeOtherIdentities'
> {
  return {
    async findByIdentity({ issuer, subject }) {
      const rows = await handle
        .select(columns)
        .from(personIdentity)
        .innerJoin(person, eq(person.id, personIdentity.personId))
        .where(isIdentity({ issuer, subject }))
      return rows[0] ?? null
    },

    async addIdentity(personId, { issuer, subject }, { at, isVerified }) {
      const added = await handle
        .insert(personIdentity)
        .values({ issuer, subject, personId, createdAt: at, verifiedAt: isVerified ? at : null })
        .onConflictDoNothing()
      return added.rowCount === 1
    },

    async haveVerifiedIdentity(personIds, issuer) {
      if (personIds.length === 0) return false
      const isOne = and(
        inArray(personIdentity.personId, [...personIds]),
        eq(personIdentity.issuer, issuer),
        isNotNull(personIdentity.verifiedAt),
      )
      return (await handle.$count(personIdentity, isOne)) > 0
    },

    async verifyIdentity(identity, at) {
      await handle.update(personIdentity).set({ verifiedAt: at }).where(isIdentity(identity))
    },

    async removeOtherIdentities(personId, kept) {
      const others = and(eq(personIdentity.personId, personId), isOtherIdentity(kept))
      return (await handle.delete(personIdentity).where(others)).rowCount ?? 0
    },
  }
}

const isIdentity = ({ issuer, subject }: PersonIdentity) =>
  and(eq(personIdentity.issuer, issuer), eq(personIdentity.subject, subject))

const isOtherIdentity = ({ issuer, subject }: PersonIdentity) =>
  or(ne(personIdentity.issuer, issuer), ne(personIdentity.subject, subject))
