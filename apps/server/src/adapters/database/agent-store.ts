import { and, count, eq, inArray, isNull, or } from 'drizzle-orm'
import type { AgentFilter, AgentRecord, AgentStore } from '../../ports/agent-stores.js'
import type { Handle } from './handle.js'
import { lockOrganization } from './locks.js'
import { contains, resourceStore, upsertStore } from './resource-store.js'
import { agent } from './schema.js'

export function makeAgentStore(handle: Handle): AgentStore {
  return {
    ...resourceStore<AgentRecord, AgentFilter>(handle, agent, {
      matching: (filter) => [
        contains(filter.search, agent.name, agent.description),
        filter.mcpTool && eq(agent.mcpTool, true),
      ],
      softDelete: { isPresent: isNull(agent.deletedAt), mark: (at) => ({ deletedAt: at, toolSecrets: {} }) },
    }),
    ...upsertStore<AgentRecord>(handle, agent, isNull(agent.deletedAt)),

    async findMany(organizationId, ids) {
      if (ids.length === 0) return []
      return handle
        .select()
        .from(agent)
        .where(
          and(eq(agent.organizationId, organizationId), inArray(agent.id, [...ids]), isNull(agent.deletedAt)),
        )
    },

    // Lock the organization, because two agents that start to refer to each other at the same time share no
    // other row.
    lockLinks: (organizationId) => lockOrganization(handle, organizationId),

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
