import type { PhoneCall, PhoneConnection, PhoneNumber } from '@parley/contract'
import { sql } from 'drizzle-orm'
import { boolean, index, integer, json, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import type { PhoneCallSetup } from '../../ports/phone-stores.js'
import { keptColumns, moment, resourceColumns } from './schema.js'

export const phoneConnection = pgTable(
  'phone_connection',
  {
    ...resourceColumns,
    name: text().notNull(),
    kind: text().$type<PhoneConnection['kind']>().notNull(),
    accountId: text('account_id').notNull(),
    baseUrl: text('base_url'),
    sip: json().$type<PhoneConnection['sip']>(),
    sealedSecret: text('sealed_secret'),
    sealedWebhookSecret: text('sealed_webhook_secret'),
    isEnabled: boolean('is_enabled').notNull(),
    maxCalls: integer('max_calls').notNull(),
    allowedPrefixes: text('allowed_prefixes').array().notNull(),
    maxCallsPerHour: integer('max_calls_per_hour').notNull(),
    quietHours: json('quiet_hours').$type<PhoneConnection['quietHours']>(),
    pricePerMinute: json('price_per_minute').$type<PhoneConnection['pricePerMinute']>(),
    failure: text(),
    checkedAt: moment('checked_at'),
    lineInstanceId: uuid('line_instance_id'),
    ...keptColumns,
  },
  (table) => [
    index('phone_connection_organization').on(table.organizationId, table.id),
    uniqueIndex('phone_connection_external_id').on(table.organizationId, table.externalId),
  ],
)

export const phoneNumber = pgTable(
  'phone_number',
  {
    ...resourceColumns,
    name: text().notNull(),
    number: text().notNull(),
    phoneConnectionId: uuid('phone_connection_id').references(() => phoneConnection.id),
    agentId: uuid('agent_id'),
    greeting: text(),
    language: text(),
    turnDetection: json('turn_detection').$type<PhoneNumber['turnDetection']>().notNull(),
    allowedCallers: text('allowed_callers').array().notNull(),
    blockedCallers: text('blocked_callers').array().notNull(),
    transferTargets: json('transfer_targets').$type<PhoneNumber['transferTargets']>().notNull(),
    isEnabled: boolean('is_enabled').notNull(),
    ...keptColumns,
  },
  (table) => [
    index('phone_number_organization').on(table.organizationId, table.id),
    uniqueIndex('phone_number_number').on(table.phoneConnectionId, table.number),
    uniqueIndex('phone_number_external_id').on(table.organizationId, table.externalId),
  ],
)

export const phoneCall = pgTable(
  'phone_call',
  {
    ...resourceColumns,
    direction: text().$type<PhoneCall['direction']>().notNull(),
    from: text('from_number'),
    to: text('to_number'),
    state: text().$type<PhoneCall['state']>().notNull(),
    endReason: text('end_reason').$type<PhoneCall['endReason']>(),
    endDetail: text('end_detail'),
    phoneConnectionId: uuid('phone_connection_id').notNull(),
    phoneNumberId: uuid('phone_number_id').notNull(),
    agentId: uuid('agent_id').notNull(),
    conversationId: uuid('conversation_id'),
    realtimeSessionId: uuid('realtime_session_id'),
    endUserId: uuid('end_user_id'),
    apiKeyId: uuid('api_key_id'),
    providerCallId: text('provider_call_id'),
    answeredAt: moment('answered_at'),
    endedAt: moment('ended_at'),
    instanceId: uuid('instance_id'),
    tokenHash: text('token_hash'),
    endRequestedAt: moment('end_requested_at'),
    digitsRequested: text('digits_requested'),
    setup: json().$type<PhoneCallSetup>().notNull(),
  },
  (table) => [
    index('phone_call_organization').on(table.organizationId, table.id),
    index('phone_call_created').on(table.organizationId, table.createdAt),
    index('phone_call_changed').on(table.organizationId, table.updatedAt),
    index('phone_call_conversation').on(table.conversationId),
    index('phone_call_ended').on(table.endedAt),
    index('phone_call_outgoing')
      .on(table.phoneConnectionId, table.createdAt)
      .where(sql`direction = 'outgoing'`),
    // Unfinished calls are few, so one index serves the polls and the counts.
    index('phone_call_open').on(table.phoneConnectionId).where(sql`ended_at is null`),
    // A provider may send the same request twice.
    uniqueIndex('phone_call_provider').on(table.phoneConnectionId, table.providerCallId),
    uniqueIndex('phone_call_token').on(table.tokenHash).where(sql`token_hash is not null`),
    // Rejected calls have no conversation. They are found by the caller's number.
    index('phone_call_caller').on(table.organizationId, table.from).where(sql`conversation_id is null`),
    index('phone_call_called').on(table.organizationId, table.to).where(sql`direction = 'outgoing'`),
  ],
)
