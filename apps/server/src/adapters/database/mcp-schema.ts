import type { McpAuthorization } from '@parley/contract'
import { index, json, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import type { McpToolDescription } from '../../ports/tool-executor.js'
import { agent, moment, resourceColumns } from './schema.js'

/** The last tool lists of the agents' MCP servers, used while these are unavailable. */
export const mcpListing = pgTable(
  'mcp_listing',
  {
    agentId: uuid('agent_id')
      .notNull()
      .references(() => agent.id),
    toolName: text('tool_name').notNull(),
    address: text().notNull(),
    tools: json().$type<readonly McpToolDescription[]>().notNull(),
    listedAt: moment('listed_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.agentId, table.toolName] })],
)

/** Authorizations for MCP servers that require OAuth. */
export const mcpAuthorization = pgTable(
  'mcp_authorization',
  {
    ...resourceColumns,
    serverUrl: text('server_url').notNull(),
    clientId: text('client_id'),
    scope: text(),
    sealedClientSecret: text('sealed_client_secret'),
    state: text().$type<McpAuthorization['state']>().notNull(),
    issuer: text(),
    expiresAt: moment('expires_at'),
    authorizedBy: json('authorized_by').$type<McpAuthorization['authorizedBy']>(),
    failure: text(),
    stateHash: text('state_hash'),
    startedBy: text('started_by'),
    startedUntil: moment('started_until'),
    sealedStart: text('sealed_start'),
    sealedGrant: text('sealed_grant'),
    renewingUntil: moment('renewing_until'),
  },
  (table) => [
    index('mcp_authorization_organization').on(table.organizationId, table.id),
    index('mcp_authorization_server').on(table.organizationId, table.serverUrl),
  ],
)
