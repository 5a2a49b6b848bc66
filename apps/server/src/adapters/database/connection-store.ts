import { and, count, eq, getTableColumns, isNull, ne, or, sql } from 'drizzle-orm'
import type { ConnectionFilter, ConnectionRecord, ConnectionStore } from '../../ports/agent-stores.js'
import type { Handle } from './handle.js'
import { lockOrganization, rowLock } from './locks.js'
import { contains, resourceStore, upsertStore } from './resource-store.js'
import { agent, connection } from './schema.js'
import { builder, placeholder, selectStatement } from './statement.js'

const isOwn = (organizationId: typeof agent.organizationId | typeof connection.organizationId) =>
  eq(organizationId, placeholder('organizationId'))

/** Every new session and every turn executes one of these statements. */
const findDefault = selectStatement('connection_default', getTableColumns(connection), (fields) =>
  builder
    .select(fields)
    .from(connection)
    .where(and(isOwn(connection.organizationId), eq(connection.isDefault, true))),
)
const findOne = selectStatement('connection_for_agent', getTableColumns(connection), (fields) =>
  builder
    .select(fields)
    .from(connection)
    .where(and(isOwn(connection.organizationId), eq(connection.id, placeholder('connectionId')))),
)

const findOfAgent = selectStatement('connection_of_agent', { agent, connection }, (fields) =>
  builder
    .select(fields)
    .from(agent)
    .leftJoin(
      connection,
      and(
        eq(connection.organizationId, agent.organizationId),
        or(
          eq(connection.id, agent.connectionId),
          and(isNull(agent.connectionId), eq(connection.isDefault, true)),
        ),
      ),
    )
    .where(and(isOwn(agent.organizationId), eq(agent.id, placeholder('agentId')), isNull(agent.deletedAt))),
)

/** Executed every time a session opens. */
const findWithAgent = selectStatement('connection_with_agent', { connection, model: agent.model }, (fields) =>
  builder
    .select(fields)
    .from(agent)
    .leftJoin(
      connection,
      and(isOwn(connection.organizationId), eq(connection.id, placeholder('connectionId'))),
    )
    .where(and(isOwn(agent.organizationId), eq(agent.id, placeholder('agentId')), isNull(agent.deletedAt))),
)

export function makeConnectionStore(handle: Handle): ConnectionStore {
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

    // Without this lock, two new defaults would violate the unique index.
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
      const [row] = await (connectionId === null
        ? findDefault(handle, { organizationId })
        : findOne(handle, { organizationId, connectionId }))
      return row ?? null
    },

    async findOfAgent(organizationId, agentId) {
      const [row] = await findOfAgent(handle, { organizationId, agentId })
      return row ?? null
    },

    async findWithAgent(organizationId, connectionId, agentId) {
      const [row] = await findWithAgent(handle, { organizationId, connectionId, agentId })
      return row ?? null
    },

    async countVoiceConnections(organizationId, id) {
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
