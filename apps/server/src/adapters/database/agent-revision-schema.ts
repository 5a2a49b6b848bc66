import type { Agent, AgentRevisionSummary } from '@parley/contract'
import { integer, json, pgTable, primaryKey, uuid } from 'drizzle-orm/pg-core'
import type { ToolSecrets } from '../../ports/agent-stores.js'
import { agent, moment, organization } from './schema.js'

export const agentRevision = pgTable(
  'agent_revision',
  {
    agentId: uuid('agent_id')
      .notNull()
      .references(() => agent.id, { onDelete: 'cascade' }),
    organizationId: uuid('organization_id')
      .notNull()
      .references(() => organization.id),
    number: integer().notNull(),
    at: moment().notNull(),
    actor: json().$type<NonNullable<AgentRevisionSummary['actor']>>(),
    changed: json().$type<string[]>().notNull(),
    restoredFrom: integer('restored_from'),
    agent: json().$type<Agent>().notNull(),
    toolSecrets: json('tool_secrets').$type<ToolSecrets>().notNull(),
  },
  (table) => [primaryKey({ columns: [table.agentId, table.number] })],
)
