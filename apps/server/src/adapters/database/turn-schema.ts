import {
  type Cost,
  type QuestionAnswer,
  type Rehearsal,
  type ResponseSchema,
  unknownCost,
} from '@parley/contract'
import { sql } from 'drizzle-orm'
import {
  bigint,
  index,
  integer,
  json,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import type { TurnState } from '../../ports/conversation-stores.js'
import { agent, conversation, moment, resourceColumns } from './schema.js'

/** Questions in text form, and the progress of their answers. */
export const turn = pgTable(
  'turn',
  {
    ...resourceColumns,
    conversationId: uuid('conversation_id')
      .notNull()
      .references(() => conversation.id),
    agentId: uuid('agent_id')
      .notNull()
      .references(() => agent.id),
    /** The order of questions within a conversation. */
    position: integer().notNull(),
    state: text().$type<TurnState>().notNull(),
    question: text().notNull(),
    fileIds: json('file_ids').$type<readonly string[]>().notNull(),
    additionalInstructions: text('additional_instructions'),
    responseSchema: json('response_schema').$type<ResponseSchema>(),
    questionMessageId: uuid('question_message_id').notNull(),
    answerMessageId: uuid('answer_message_id').notNull(),
    instanceId: uuid('instance_id').notNull(),
    idempotencyKey: text('idempotency_key'),
    stopRequestedAt: moment('stop_requested_at'),
    startedAt: moment('started_at'),
    endedAt: moment('ended_at'),
    answer: text(),
    failure: text(),
    apiKeyId: uuid('api_key_id'),
    /** The end user of the conversation when the question was asked, or null. */
    endUserId: uuid('end_user_id'),
    usage: json().$type<QuestionAnswer['usage']>().notNull(),
    cost: json().$type<Cost>().notNull().default(unknownCost),
    /** The task that the turn is an attempt of, or null for a question. */
    taskId: uuid('task_id'),
    /** The stubs of a rehearsal, or null. */
    rehearsal: json().$type<Rehearsal>(),
  },
  (table) => [
    uniqueIndex('turn_position').on(table.conversationId, table.position),
    index('turn_changed').on(table.organizationId, table.updatedAt),
    index('turn_queued_of').on(table.organizationId).where(sql`state = 'queued' and ended_at is null`),
    index('turn_unfinished').on(table.instanceId).where(sql`ended_at is null`),
    index('turn_ended').on(table.endedAt),
    index('turn_end_user').on(table.endUserId, table.createdAt).where(sql`end_user_id is not null`),
  ],
)

/** The events of a turn as they were sent to its followers. A stream can resume at any of them. */
export const turnEvent = pgTable(
  'turn_event',
  {
    turnId: uuid('turn_id')
      .notNull()
      .references(() => turn.id, { onDelete: 'cascade' }),
    sequence: integer().notNull(),
    event: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.turnId, table.sequence] })],
)

/** A summary of the older part of a conversation, and the position where it ends. */
export const conversationSummary = pgTable('conversation_summary', {
  conversationId: uuid('conversation_id')
    .primaryKey()
    .references(() => conversation.id),
  content: text().notNull(),
  throughMicroseconds: bigint('through_microseconds', { mode: 'number' }).notNull(),
  throughCounter: integer('through_counter').notNull(),
  updatedAt: moment('updated_at').notNull(),
})
