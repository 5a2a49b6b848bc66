import { and, count, eq, inArray, isNull, or } from 'drizzle-orm'
import type { AgentFilter, AgentRecord, AgentStore } from '../../ports/agent-store.js'
import type { Handle } from './handle.js'
import { contains, resourceStore } from './resource-table.js'
import { agent, organization } from './schema.js'

export function makeAgentStore(handle: Handle): AgentStore {
  return {
    ...resourceStore<AgentRecord, AgentFilter>(handle, agent, {
      matching: (filter) => [contains(filter.search, agent.name, agent.description)],
      softDelete: { isPresent: isNull(agent.deletedAt), mark: (at) => ({ deletedAt: at, toolSecrets: {} }) },
    }),

    async findMany(organizationId, ids) {
      if (ids.length === 0) return []
      return handle
        .select()
        .from(agent)
        .where(
          and(eq(agent.organizationId, organizationId), inArray(agent.id, [...ids]), isNull(agent.deletedAt)),
        )
    },

    async lockLinks(organizationId) {
      // The organization's row is the queue: two agents that name each other at once have no other row in common.
      await handle
        .select({ id: organization.id })
        .from(organization)
        .where(eq(organization.id, organizationId))
        .for('no key update')
    },

    async listLinks(organizationId) {
      return handle
        .select({ id: agent.id, name: agent.name, subAgentIds: agent.subAgentIds })
        .from(agent)
        .where(and(eq(agent.organizationId, organizationId), isNull(agent.deletedAt)))
    },

    async countUsing(organizationId, connectionId, isDefault) {
      const names = eq(agent.connectionId, connectionId)
      const [row] = await handle
        .select({ count: count() })
        .from(agent)
        .where(
          and(
            eq(agent.organizationId, organizationId),
            isNull(agent.deletedAt),
            isDefault ? or(names, isNull(agent.connectionId)) : names,
          ),
        )
      return row?.count ?? 0
    },
  }
}
