import { and, count, eq, isNull, ne, sql } from 'drizzle-orm'
import type { ConnectionFilter, ConnectionRecord, ConnectionStore } from '../../ports/connection-store.js'
import type { Handle } from './handle.js'
import { lockOrganization, rowLock } from './locks.js'
import { contains, resourceStore, upsertStore } from './resource-table.js'
import { agent, connection } from './schema.js'

export function makeConnectionStore(handle: Handle): ConnectionStore {
  let withAgent: ReturnType<typeof prepareWithAgent> | undefined
  return {
    ...resourceStore<ConnectionRecord, ConnectionFilter>(handle, connection, {
      matching: (filter) => [contains(filter.search, connection.name)],
    }),
    ...upsertStore<ConnectionRecord>(handle, connection),

    async holdExisting(organizationId, id) {
      const rows = await handle
        .select({ id: connection.id })
        .from(connection)
        .where(and(eq(connection.organizationId, organizationId), eq(connection.id, id)))
        .for(rowLock.toKeep)
      return rows.length > 0
    },

    // Two new defaults would meet at the unique index otherwise.
    lockDefault: (organizationId) => lockOrganization(handle, organizationId),

    async clearDefaultExcept(organizationId, id, at) {
      const rows = await handle
        .update(connection)
        .set({ isDefault: false, version: sql`${connection.version} + 1`, updatedAt: at })
        .where(
          and(
            eq(connection.organizationId, organizationId),
            eq(connection.isDefault, true),
            ne(connection.id, id),
          ),
        )
        .returning({ id: connection.id })
      return rows.map((row) => row.id)
    },

    async findForAgent(organizationId, connectionId) {
      const named = connectionId === null ? eq(connection.isDefault, true) : eq(connection.id, connectionId)
      const rows = await handle
        .select()
        .from(connection)
        .where(and(eq(connection.organizationId, organizationId), named))
      return rows[0] ?? null
    },

    async findWithAgent(organizationId, connectionId, agentId) {
      withAgent ??= prepareWithAgent(handle)
      const [row] = await withAgent.execute({ organizationId, connectionId, agentId })
      return row ?? null
    },

    async countSpeakingFor(organizationId, id) {
      const [row] = await handle
        .select({ count: count() })
        .from(connection)
        .where(and(eq(connection.organizationId, organizationId), eq(connection.chatConnectionId, id)))
      return row?.count ?? 0
    },

    async findBuiltIn(organizationId) {
      const [oldest] = await handle
        .select()
        .from(connection)
        .where(
          and(
            eq(connection.organizationId, organizationId),
            eq(connection.kind, 'embedded'),
            eq(connection.isFromEnvironment, false),
            isNull(connection.chatConnectionId),
          ),
        )
        .orderBy(connection.createdAt, connection.id)
        .limit(1)
      return oldest ?? null
    },

    lockFromEnvironment: (organizationId) =>
      handle
        .select()
        .from(connection)
        .where(and(eq(connection.organizationId, organizationId), eq(connection.isFromEnvironment, true)))
        .for(rowLock.toChange),
  }
}

/** Every session that opens asks this; prepared, it is planned once for each connection to the database. */
function prepareWithAgent(handle: Handle) {
  const isOwn = (organizationId: typeof agent.organizationId | typeof connection.organizationId) =>
    eq(organizationId, sql.placeholder('organizationId'))
  return handle
    .select({ connection, model: agent.model })
    .from(agent)
    .leftJoin(
      connection,
      and(isOwn(connection.organizationId), eq(connection.id, sql.placeholder('connectionId'))),
    )
    .where(
      and(isOwn(agent.organizationId), eq(agent.id, sql.placeholder('agentId')), isNull(agent.deletedAt)),
    )
    .prepare('connection_with_agent')
}
