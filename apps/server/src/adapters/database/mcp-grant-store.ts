import {
  and,
  count,
  desc,
  eq,
  getTableColumns,
  gt,
  isNotNull,
  isNull,
  lt,
  lte,
  or,
  type SQL,
} from 'drizzle-orm'
import type { GrantOwner, McpGrantStore } from '../../ports/people-stores.js'
import type { Handle } from './handle.js'
import { lockRow } from './locks.js'
import { mcpGrant, mcpGrantToken } from './mcp-grant-schema.js'
import { member, person } from './people-schema.js'
import { organization } from './schema.js'

export function makeMcpGrantStore(handle: Handle): McpGrantStore {
  return {
    async insert(grant) {
      await handle.insert(mcpGrant).values({ ...grant, scopes: [...grant.scopes] })
    },

    async insertTokens(tokens) {
      await handle.insert(mcpGrantToken).values([...tokens])
    },

    async list(owner, now, page) {
      const where = and(isOwnedBy(owner), gt(mcpGrant.expiresAt, now), isNotNull(mcpGrant.codeUsedAt))
      const items = await handle
        .select({
          ...getTableColumns(mcpGrant),
          organizationName: organization.name,
          personName: person.name,
        })
        .from(mcpGrant)
        .innerJoin(organization, eq(organization.id, mcpGrant.organizationId))
        .innerJoin(person, eq(person.id, mcpGrant.personId))
        .where(where)
        .orderBy(desc(mcpGrant.id))
        .offset(page.offset)
        .limit(page.limit)
      const [total] = await handle.select({ count: count() }).from(mcpGrant).where(where)
      return { items, totalCount: total?.count ?? 0 }
    },

    findByCodeLocked: (codeHash) => lockRow(handle, mcpGrant, eq(mcpGrant.codeHash, codeHash)),

    async findTokenLocked(hash) {
      const isOne = eq(mcpGrantToken.hash, hash)
      const [named] = await handle.select().from(mcpGrantToken).where(isOne)
      if (named === undefined) return null
      const grant = await lockRow(handle, mcpGrant, eq(mcpGrant.id, named.grantId))
      // The token is read again under the lock, because another request may have used the token in between.
      const [token] = await handle.select().from(mcpGrantToken).where(isOne)
      return grant === null || token === undefined ? null : { token, grant }
    },

    async findAccess(hash) {
      const [found] = await handle
        .select({ token: mcpGrantToken, grant: mcpGrant, person, member })
        .from(mcpGrantToken)
        .innerJoin(mcpGrant, eq(mcpGrant.id, mcpGrantToken.grantId))
        .innerJoin(person, eq(person.id, mcpGrant.personId))
        .leftJoin(
          member,
          and(eq(member.personId, person.id), eq(member.organizationId, mcpGrant.organizationId)),
        )
        .where(and(eq(mcpGrantToken.hash, hash), eq(mcpGrantToken.kind, 'access')))
      return found ?? null
    },

    async update({ id, scopes, ...grant }) {
      await handle
        .update(mcpGrant)
        .set({ ...grant, scopes: [...scopes] })
        .where(eq(mcpGrant.id, id))
    },

    async markTokenUsed(hash, at) {
      await handle.update(mcpGrantToken).set({ usedAt: at }).where(eq(mcpGrantToken.hash, hash))
    },

    async touch(id, at) {
      await handle.update(mcpGrant).set({ lastUsedAt: at }).where(eq(mcpGrant.id, id))
    },

    async remove(owner, id) {
      const removed = await handle
        .delete(mcpGrant)
        .where(and(isOwnedBy(owner), eq(mcpGrant.id, id)))
        .returning()
      return removed[0] ?? null
    },

    async removeOfMember(organizationId, personId) {
      const { organizationId: ofOrganization, personId: ofPerson } = mcpGrant
      await handle.delete(mcpGrant).where(and(eq(ofOrganization, organizationId), eq(ofPerson, personId)))
    },

    async countOf(personId) {
      const [total] = await handle
        .select({ count: count() })
        .from(mcpGrant)
        .where(eq(mcpGrant.personId, personId))
      return total?.count ?? 0
    },

    async removeOfPerson(personId) {
      return (await handle.delete(mcpGrant).where(eq(mcpGrant.personId, personId))).rowCount ?? 0
    },

    async removeExpired({ id, personId }, now) {
      await handle
        .delete(mcpGrantToken)
        .where(and(eq(mcpGrantToken.grantId, id), lt(mcpGrantToken.expiresAt, now)))
      // In earlier versions, a grant was kept even if its code was never redeemed.
      const isCodeLost = and(isNull(mcpGrant.codeUsedAt), lte(mcpGrant.codeExpiresAt, now))
      await handle
        .delete(mcpGrant)
        .where(and(eq(mcpGrant.personId, personId), or(lte(mcpGrant.expiresAt, now), isCodeLost)))
    },
  }
}

function isOwnedBy(owner: GrantOwner): SQL {
  return 'personId' in owner
    ? eq(mcpGrant.personId, owner.personId)
    : eq(mcpGrant.organizationId, owner.organizationId)
}
