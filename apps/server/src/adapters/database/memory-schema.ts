import { bigint, index, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { agent, conversation, endUser, moment, resourceColumns } from './schema.js'

/** What agents remember about end users. */
export const endUserFact = pgTable(
  'end_user_fact',
  {
    ...resourceColumns,
    endUserId: uuid('end_user_id')
      .notNull()
      .references(() => endUser.id, { onDelete: 'cascade' }),
    agentId: uuid('agent_id')
      .notNull()
      .references(() => agent.id, { onDelete: 'cascade' }),
    text: text().notNull(),
    /** The conversation may have been deleted. */
    conversationId: uuid('conversation_id'),
  },
  (table) => [
    index('end_user_fact_organization').on(table.organizationId, table.id),
    index('end_user_fact_end_user').on(table.endUserId, table.agentId, table.updatedAt),
  ],
)

/** Conversations from which an agent will extract facts, or has done so. */
export const memoryPlan = pgTable(
  'memory_plan',
  {
    conversationId: uuid('conversation_id')
      .primaryKey()
      .references(() => conversation.id, { onDelete: 'cascade' }),
    organizationId: uuid('organization_id').notNull(),
    /** Null if the conversation has no new messages. */
    dueAt: moment('due_at'),
    attempts: integer().notNull().default(0),
    /** The position of the last message that was read. */
    throughMicroseconds: bigint('through_microseconds', { mode: 'number' }).notNull().default(0),
  },
  (table) => [index('memory_plan_due').on(table.dueAt)],
)
