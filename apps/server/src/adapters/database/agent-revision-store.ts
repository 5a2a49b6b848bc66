import { and, count, desc, eq, getTableColumns, lte, max, sql } from 'drizzle-orm'
import type { AgentRevisionStore } from '../../ports/agent-stores.js'
import { agentRevision } from './agent-revision-schema.js'
import type { Handle } from './handle.js'

const { organizationId: _, agent: __, toolSecrets: ___, ...summaryColumns } = getTableColumns(agentRevision)

export function makeAgentRevisionStore(handle: Handle): AgentRevisionStore {
  const isOfAgent = (organizationId: string, agentId: string) =>
    and(eq(agentRevision.organizationId, organizationId), eq(agentRevision.agentId, agentId))

  return {
    async lastNumber(agentId) {
      const [row] = await handle
        .select({ last: max(agentRevision.number) })
        .from(agentRevision)
        .where(eq(agentRevision.agentId, agentId))
      return row?.last ?? 0
    },

    async insert(record) {
      await handle.insert(agentRevision).values(record)
    },

    async removeThrough(agentId, number) {
      await handle
        .delete(agentRevision)
        .where(and(eq(agentRevision.agentId, agentId), lte(agentRevision.number, number)))
    },

    async removeAll(agentId) {
      await handle.delete(agentRevision).where(eq(agentRevision.agentId, agentId))
    },

    async list(organizationId, agentId, page) {
      const where = isOfAgent(organizationId, agentId)
      const items = await handle
        .select(summaryColumns)
        .from(agentRevision)
        .where(where)
        .orderBy(desc(agentRevision.number))
        .offset(page.offset)
        .limit(page.limit)
      const [total] = await handle.select({ count: count() }).from(agentRevision).where(where)
      return { items, totalCount: total?.count ?? 0 }
    },

    async find(organizationId, agentId, number) {
      const [row] = await handle
        .select()
        .from(agentRevision)
        .where(and(isOfAgent(organizationId, agentId), eq(agentRevision.number, number)))
      return row ?? null
    },

    async numbersWithSecrets(organizationId, agentId) {
      const rows = await handle
        .select({ number: agentRevision.number })
        .from(agentRevision)
        .where(and(isOfAgent(organizationId, agentId), sql`${agentRevision.toolSecrets}::text <> '{}'`))
      return rows.map(({ number }) => number)
    },

    async updateSecrets(agentId, number, toolSecrets) {
      await handle
        .update(agentRevision)
        .set({ toolSecrets })
        .where(and(eq(agentRevision.agentId, agentId), eq(agentRevision.number, number)))
    },
  }
}
