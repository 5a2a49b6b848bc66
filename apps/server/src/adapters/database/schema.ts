import {
  type Agent,
  type AgentTool,
  type AgentVariable,
  type Approval,
  type ApprovedBy,
  type Connection,
  type Cost,
  type EndReason,
  type EndUserLimits,
  type Message,
  type Metadata,
  type RealtimeFallback,
  type RealtimeLatency,
  type RealtimeUsage,
  type ResponseSchema,
  type Scope,
  type Task,
  unknownCost,
  type Variables,
} from '@parley/contract'
import { sql } from 'drizzle-orm'
import {
  type AnyPgColumn,
  bigint,
  boolean,
  customType,
  doublePrecision,
  index,
  integer,
  json,
  jsonb,
  pgTable,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import type { ToolSecrets } from '../../ports/agent-stores.js'
import type { SessionSetup } from '../../ports/realtime-stores.js'
import type { CallableTool } from '../../ports/tool-executor.js'
import { messageWords, searchedRoles } from './message-words.js'
import { isoMoment } from './moments.js'

/**
 * A timestamp: ISO 8601 text in the code, milliseconds in the database. The text that is read equals the text
 * that was written.
 */
export const moment = customType<{ data: string; driverData: string }>({
  dataType: () => 'timestamp(3) with time zone',
  fromDriver: isoMoment,
})

export const resourceColumns = {
  id: uuid().primaryKey(),
  organizationId: uuid('organization_id')
    .notNull()
    .references(() => organization.id),
  version: integer().notNull(),
  createdAt: moment('created_at').notNull(),
  updatedAt: moment('updated_at').notNull(),
}

/** Additional columns of resources that can be managed in files. */
export const keptColumns = {
  externalId: text('external_id'),
  managedBy: text('managed_by'),
}

export const organization = pgTable('organization', {
  id: uuid().primaryKey(),
  name: text().notNull(),
  createdAt: moment('created_at').notNull(),
  conversationRetentionDays: integer('conversation_retention_days'),
})

export const apiKey = pgTable(
  'api_key',
  {
    ...resourceColumns,
    name: text().notNull(),
    prefix: text().notNull(),
    hash: text().notNull(),
    scopes: json().$type<Scope[]>().notNull(),
    expiresAt: moment('expires_at'),
    lastUsedAt: moment('last_used_at'),
    deletedAt: moment('deleted_at'),
  },
  (table) => [
    uniqueIndex('api_key_prefix').on(table.prefix),
    index('api_key_organization').on(table.organizationId, table.id),
  ],
)

export const connection = pgTable(
  'connection',
  {
    ...resourceColumns,
    name: text().notNull(),
    kind: text().$type<Connection['kind']>().notNull(),
    baseUrl: text('base_url'),
    sealedApiKey: text('sealed_api_key'),
    models: json().$type<Connection['models']>().notNull(),
    realtimeEnabled: boolean('realtime_enabled').notNull(),
    governanceDisabled: boolean('governance_disabled').notNull(),
    isDefault: boolean('is_default').notNull(),
    isFromEnvironment: boolean('is_from_environment').notNull(),
    chatConnectionId: uuid('chat_connection_id').references((): AnyPgColumn => connection.id),
    realtimeProtocol: text('realtime_protocol').$type<Connection['realtimeProtocol']>(),
    ...keptColumns,
  },
  (table) => [
    index('connection_organization').on(table.organizationId, table.id),
    uniqueIndex('connection_default').on(table.organizationId).where(sql`is_default`),
    uniqueIndex('connection_external_id').on(table.organizationId, table.externalId),
  ],
)

export const agent = pgTable(
  'agent',
  {
    ...resourceColumns,
    name: text().notNull(),
    description: text(),
    systemMessage: text('system_message').notNull(),
    connectionId: uuid('connection_id').references(() => connection.id, { onDelete: 'set null' }),
    model: text(),
    realtimeModel: text('realtime_model'),
    voice: text(),
    realtimeFallbacks: json('realtime_fallbacks').$type<RealtimeFallback[]>().notNull().default([]),
    firstMessage: text('first_message'),
    exampleQuestions: json('example_questions').$type<string[]>().notNull().default([]),
    variables: json().$type<AgentVariable[]>().notNull().default([]),
    endUserLimits: json('end_user_limits').$type<EndUserLimits>().notNull().default({}),
    conversationRetentionDays: integer('conversation_retention_days'),
    icon: text(),
    iconColor: text('icon_color'),
    imageUrl: text('image_url'),
    tools: json().$type<AgentTool[]>().notNull(),
    toolSecrets: json('tool_secrets').$type<ToolSecrets>().notNull(),
    subAgentIds: json('sub_agent_ids').$type<string[]>().notNull(),
    memory: text().$type<Agent['memory']>().notNull().default('off'),
    mcpTool: boolean('mcp_tool').notNull().default(false),
    ...keptColumns,
    deletedAt: moment('deleted_at'),
  },
  (table) => [
    index('agent_organization').on(table.organizationId, table.id),
    index('agent_connection').on(table.connectionId),
    // The index skips deleted agents, so that their external ids can be used again.
    uniqueIndex('agent_external_id')
      .on(table.organizationId, table.externalId)
      .where(sql`deleted_at is null`),
  ],
)

export const task = pgTable(
  'task',
  {
    ...resourceColumns,
    title: text().notNull(),
    description: text(),
    status: text().$type<Task['status']>().notNull(),
    agentId: uuid('agent_id').references(() => agent.id),
    conversationId: uuid('conversation_id'),
    externalId: text('external_id'),
    priority: text().$type<Task['priority']>().notNull(),
    dueAt: moment('due_at'),
    result: text(),
    schedule: text(),
    timeZone: text('time_zone').notNull().default('UTC'),
    maxAttempts: integer('max_attempts').notNull().default(3),
    runAt: moment('run_at'),
    runDeadlineAt: moment('run_deadline_at'),
    sourceConversationId: uuid('source_conversation_id'),
    turnId: uuid('turn_id'),
    attempts: integer().notNull().default(0),
    statusDetail: text('status_detail'),
    runStartedAt: moment('run_started_at'),
    nextRunAt: moment('next_run_at'),
    missedRuns: integer('missed_runs').notNull().default(0),
    responseSchema: json('response_schema').$type<ResponseSchema>(),
    output: json().$type<Readonly<Record<string, unknown>>>(),
    externalUserId: text('external_user_id'),
    metadata: jsonb().$type<Metadata>().notNull().default({}),
    variables: jsonb().$type<Variables>().notNull().default({}),
    plannedByKeyId: uuid('planned_by_key_id'),
    runByKeyId: uuid('run_by_key_id'),
    channel: text().$type<Task['channel']>().notNull().default('text'),
    to: text('to_number'),
    from: text('from_number'),
    phoneCallId: uuid('phone_call_id'),
  },
  (table) => [
    index('task_organization').on(table.organizationId, table.id),
    index('task_status').on(table.organizationId, table.status),
    index('task_due').on(table.nextRunAt).where(sql`next_run_at is not null`),
    index('task_calling')
      .on(table.runDeadlineAt)
      .where(sql`run_started_at is not null and next_run_at is null and phone_call_id is not null`),
    index('task_running').on(table.turnId).where(sql`run_started_at is not null and next_run_at is null`),
    uniqueIndex('task_external_id').on(table.organizationId, table.externalId),
    index('task_external_user')
      .on(table.organizationId, table.externalUserId)
      .where(sql`external_user_id is not null`),
    index('task_called').on(table.organizationId, table.to).where(sql`to_number is not null`),
    index('task_conversation').on(table.conversationId).where(sql`conversation_id is not null`),
    index('task_in_use')
      .on(table.conversationId)
      .where(sql`run_started_at is not null and conversation_id is not null`),
    index('task_source_conversation')
      .on(table.sourceConversationId)
      .where(sql`source_conversation_id is not null`),
  ],
)

/** The people who talk to the agents of an organization. */
export const endUser = pgTable(
  'end_user',
  {
    ...resourceColumns,
    externalId: text('external_id').notNull(),
    name: text(),
    metadata: jsonb().$type<Metadata>().notNull(),
    firstSeenAt: moment('first_seen_at').notNull(),
    lastSeenAt: moment('last_seen_at').notNull(),
    conversationCount: integer('conversation_count').notNull(),
    erasureStartedAt: moment('erasure_started_at'),
  },
  (table) => [
    index('end_user_erasure').on(table.id).where(sql`erasure_started_at is not null`),
    index('end_user_organization').on(table.organizationId, table.id),
    uniqueIndex('end_user_external_id').on(table.organizationId, table.externalId),
    index('end_user_metadata').using('gin', table.metadata.op('jsonb_path_ops')),
  ],
)

export const conversation = pgTable(
  'conversation',
  {
    ...resourceColumns,
    agentId: uuid('agent_id')
      .notNull()
      .references(() => agent.id),
    title: text(),
    messageCount: integer('message_count').notNull(),
    lastMessageAt: moment('last_message_at'),
    rehearsal: boolean().notNull().default(false),
    endUserId: uuid('end_user_id').references(() => endUser.id),
    externalUserId: text('external_user_id'),
    metadata: jsonb().$type<Metadata>().notNull().default({}),
    variables: jsonb().$type<Variables>().notNull().default({}),
    deletedAt: moment('deleted_at'),
    /** When retention or an erasure requested that all rows of the conversation are removed. */
    removalRequestedAt: moment('removal_requested_at'),
  },
  (table) => [
    index('conversation_organization').on(table.organizationId, table.id),
    index('conversation_end_user').on(table.endUserId, table.id).where(sql`end_user_id is not null`),
    index('conversation_metadata')
      .using('gin', table.metadata.op('jsonb_path_ops'))
      .where(sql`metadata <> '{}'`),
    index('conversation_agent').on(table.agentId),
    // Ids contain the creation time, so this index finds old conversations. An index on the time of the last
    // message would have to change with every message.
    index('conversation_agent_age').on(table.agentId, table.id).where(sql`deleted_at is null`),
    index('conversation_removal')
      .on(table.removalRequestedAt, table.id)
      .where(sql`removal_requested_at is not null`),
    index('conversation_deleted').on(table.deletedAt).where(sql`deleted_at is not null`),
  ],
)

export const message = pgTable(
  'message',
  {
    id: uuid().primaryKey(),
    organizationId: uuid('organization_id').notNull(),
    conversationId: uuid('conversation_id')
      .notNull()
      .references(() => conversation.id),
    originId: uuid('origin_id'),
    itemId: text('item_id').notNull(),
    contentIndex: integer('content_index').notNull(),
    positionMicroseconds: bigint('position_microseconds', { mode: 'number' }).notNull(),
    positionCounter: integer('position_counter').notNull(),
    createdAt: moment('created_at').notNull(),
    updatedAt: moment('updated_at').notNull(),
    role: text().$type<Message['role']>().notNull(),
    content: text().notNull(),
    channel: text().$type<Message['channel']>().notNull(),
    interrupted: boolean().notNull(),
    failure: text(),
    callId: text('call_id'),
    name: text(),
    arguments: text(),
    status: integer(),
    executionTimeSeconds: doublePrecision('execution_time_seconds'),
  },
  (table) => [
    index('message_position').on(table.conversationId, table.positionMicroseconds, table.positionCounter),
    index('message_changed').on(table.organizationId, table.updatedAt),
    index('message_unknown_call')
      .on(table.conversationId, table.name)
      .where(sql`status = 2 and failure is not null`),
    // The index contains only running calls, so it stays small regardless of the number of finished ones.
    index('message_running_call').on(table.originId).where(sql`status = 0 and role in ('tool', 'subagent')`),
    index('message_words')
      .using('gin', messageWords)
      .with({ gin_pending_list_limit: 64 })
      .where(searchedRoles),
    uniqueIndex('message_origin').on(table.originId, table.itemId, table.contentIndex),
  ],
)

export const realtimeSession = pgTable(
  'realtime_session',
  {
    ...resourceColumns,
    agentId: uuid('agent_id')
      .notNull()
      .references(() => agent.id),
    conversationId: uuid('conversation_id')
      .notNull()
      .references(() => conversation.id),
    state: text().$type<'issued' | 'consumed'>().notNull(),
    tokenHash: text('token_hash').notNull(),
    expiresAt: moment('expires_at').notNull(),
    startedAt: moment('started_at'),
    endedAt: moment('ended_at'),
    endReason: text('end_reason').$type<EndReason>(),
    endRequestedAt: moment('end_requested_at'),
    instanceId: uuid('instance_id'),
    apiKeyId: uuid('api_key_id'),
    usage: json().$type<RealtimeUsage>().notNull(),
    cost: json().$type<Cost>().notNull().default(unknownCost),
    latency: json().$type<RealtimeLatency>(),
    setup: json().$type<SessionSetup>().notNull(),
    rehearsal: boolean().notNull().default(false),
    /** The end user of the conversation when the session was created, or null. */
    endUserId: uuid('end_user_id'),
    /** Identifies the end user or client that the agent's limits count, or null if nothing is limited. */
    limitedId: uuid('limited_id'),
  },
  (table) => [
    index('realtime_session_organization').on(table.organizationId, table.id),
    index('realtime_session_changed').on(table.organizationId, table.updatedAt),
    uniqueIndex('realtime_session_token').on(table.tokenHash),
    index('realtime_session_conversation').on(table.conversationId),
    index('realtime_session_created').on(table.organizationId, table.createdAt, table.id),
    index('realtime_session_end_reason').on(table.organizationId, table.endReason, table.createdAt),
    index('realtime_session_ended').on(table.endedAt),
    index('realtime_session_unused').on(table.expiresAt).where(sql`state = 'issued'`),
    index('realtime_session_running_of')
      .on(table.organizationId)
      .where(sql`state = 'consumed' and ended_at is null`),
    index('realtime_session_limited')
      .on(table.limitedId)
      .where(sql`limited_id is not null and ended_at is null`),
    index('realtime_session_running')
      .on(table.instanceId)
      .where(sql`state = 'consumed' and ended_at is null`),
  ],
)

export const approval = pgTable(
  'approval',
  {
    ...resourceColumns,
    conversationId: uuid('conversation_id')
      .notNull()
      .references(() => conversation.id),
    messageId: uuid('message_id').notNull(),
    callId: text('call_id').notNull(),
    agentId: uuid('agent_id')
      .notNull()
      .references(() => agent.id),
    tool: text().notNull(),
    arguments: text().notNull(),
    approvedBy: text('approved_by').$type<ApprovedBy>().notNull().default('either'),
    call: json().$type<CallableTool>().notNull(),
    state: text().$type<Approval['state']>().notNull(),
    deadline: moment().notNull(),
    decidedBy: json('decided_by').$type<NonNullable<Approval['decidedBy']>>(),
    decidedAt: moment('decided_at'),
    reason: text(),
    originId: uuid('origin_id'),
    claimedBy: uuid('claimed_by'),
    finishedAt: moment('finished_at'),
    rehearsal: boolean().notNull().default(false),
  },
  (table) => [
    index('approval_organization').on(table.organizationId, table.id),
    index('approval_changed').on(table.organizationId, table.updatedAt),
    uniqueIndex('approval_message').on(table.messageId),
    index('approval_conversation').on(table.conversationId),
    index('approval_finished').on(table.finishedAt),
    index('approval_due').on(table.state, table.deadline).where(sql`finished_at is null`),
  ],
)
