import type { DeliveryAttempt, DeliveryState, Webhook, WebhookEventType } from '@parley/contract'
import { sql } from 'drizzle-orm'
import {
  bigint,
  bigserial,
  boolean,
  index,
  integer,
  json,
  jsonb,
  pgTable,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { keptColumns, moment, resourceColumns } from './schema.js'

export const webhook = pgTable(
  'webhook',
  {
    ...resourceColumns,
    name: text().notNull(),
    url: text().notNull(),
    events: text().array().$type<Webhook['events']>().notNull(),
    agentIds: uuid('agent_ids').array().notNull(),
    payload: text().$type<Webhook['payload']>().notNull(),
    isEnabled: boolean('is_enabled').notNull(),
    disabledReason: text('disabled_reason'),
    failingSince: moment('failing_since'),
    isFailingTold: boolean('is_failing_told').notNull(),
    sealedSecret: text('sealed_secret').notNull(),
    sealedPreviousSecret: text('sealed_previous_secret'),
    previousSecretExpiresAt: moment('previous_secret_expires_at'),
    ...keptColumns,
  },
  (table) => [
    index('webhook_organization').on(table.organizationId, table.id),
    // Triggers use this index for every changed row.
    index('webhook_enabled').on(table.organizationId).where(sql`is_enabled`),
    uniqueIndex('webhook_external_id').on(table.organizationId, table.externalId),
  ],
)

/** Events without deliveries so far. Triggers write them in the transaction of the change. */
export const webhookEvent = pgTable(
  'webhook_event',
  {
    position: bigserial({ mode: 'number' }).primaryKey(),
    organizationId: uuid('organization_id').notNull(),
    type: text().$type<WebhookEventType>().notNull(),
    at: moment().notNull().default(sql`now()`),
    agentId: uuid('agent_id'),
    conversationId: uuid('conversation_id'),
    orderKey: uuid('order_key').notNull(),
    /** The table of the row in `data`, or null if `data` is the webhook's payload. */
    source: text(),
    data: jsonb().$type<Record<string, unknown>>().notNull(),
  },
  (table) => [
    index('webhook_event_conversation').on(table.conversationId),
    index('webhook_event_subject').on(table.orderKey),
  ],
)

export const webhookDelivery = pgTable(
  'webhook_delivery',
  {
    id: uuid().primaryKey(),
    organizationId: uuid('organization_id').notNull(),
    webhookId: uuid('webhook_id')
      .notNull()
      .references(() => webhook.id, { onDelete: 'cascade' }),
    createdAt: moment('created_at').notNull(),
    updatedAt: moment('updated_at').notNull(),
    messageId: uuid('message_id').notNull(),
    position: bigint({ mode: 'number' }).notNull(),
    orderKey: uuid('order_key').notNull(),
    conversationId: uuid('conversation_id'),
    /** The end user that the body names, or null. */
    endUserId: uuid('end_user_id'),
    type: text().$type<WebhookEventType>().notNull(),
    body: text(),
    state: text().$type<DeliveryState>().notNull(),
    attemptCount: integer('attempt_count').notNull(),
    attemptedAt: moment('attempted_at'),
    dueAt: moment('due_at'),
    endedAt: moment('ended_at'),
    claimedBy: uuid('claimed_by'),
    claimedAt: moment('claimed_at'),
    attempts: json().$type<readonly DeliveryAttempt[]>().notNull(),
  },
  (table) => [
    index('webhook_delivery_webhook').on(table.webhookId, table.id),
    index('webhook_delivery_attempted')
      .on(table.webhookId, table.attemptedAt)
      .where(sql`attempted_at is not null`),
    index('webhook_delivery_due').on(table.webhookId, table.dueAt).where(sql`state = 'pending'`),
    index('webhook_delivery_next').on(table.webhookId, table.position).where(sql`state = 'pending'`),
    index('webhook_delivery_order')
      .on(table.webhookId, table.orderKey, table.position)
      .where(sql`state = 'pending'`),
    index('webhook_delivery_claimed').on(table.webhookId).where(sql`claimed_by is not null`),
    index('webhook_delivery_ended').on(table.webhookId, table.endedAt).where(sql`state <> 'pending'`),
    index('webhook_delivery_subject').on(table.orderKey),
    index('webhook_delivery_over').on(sql`coalesce(ended_at, due_at)`),
    index('webhook_delivery_conversation')
      .on(table.conversationId)
      .where(sql`conversation_id is not null and body is not null`),
    index('webhook_delivery_end_user')
      .on(table.endUserId)
      .where(sql`end_user_id is not null and body is not null`),
  ],
)
