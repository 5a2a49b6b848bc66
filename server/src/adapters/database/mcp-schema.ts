import { json, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import type { McpToolDescription } from '../../ports/tool-executor.js'
import { agent, moment } from './schema.js'

/** What the agents' MCP servers said they offer, for when they are away. */
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
