import { z } from 'zod'
import { id, resourceFields, timestamp, timestampInput } from './field.js'
import { pageOf, pageQuery } from './page.js'
import { webhookEventNames } from './webhook-event-types.js'

export const DeliveryState = z
  .enum(['pending', 'delivered', 'failed'])
  .describe(
    'The state of the delivery. `pending`: it will be attempted again. `delivered`: the receiver accepted it. `failed`: the service stopped retrying.',
  )

const DeliveryAttempt = z
  .object({
    at: timestamp().describe('When the request was sent (UTC).'),
    durationMilliseconds: z.int().describe('The duration of the request in milliseconds.'),
    responseStatus: z
      .int()
      .nullable()
      .describe('The HTTP status code of the response. `null` if there was no response.'),
    responseBody: z
      .string()
      .nullable()
      .describe('The first 1,000 characters of the response body. `null` if there was no response.'),
    detail: z.string().describe('A description of the result.'),
  })
  .meta({ id: 'WebhookAttempt', description: 'A delivery attempt and its response.' })

export const WebhookDelivery = z
  .object({
    id: resourceFields.id,
    createdAt: resourceFields.createdAt,
    updatedAt: resourceFields.updatedAt,
    webhookId: id().describe('The ID of the webhook.'),
    messageId: id().describe(
      'The value of the `webhook-id` header. It is the same for every attempt and redelivery, so that receivers can detect duplicates.',
    ),
    type: z.enum(webhookEventNames).describe('The event type.'),
    state: DeliveryState,
    body: z
      .string()
      .nullable()
      .describe('The exact request body. `null` if it was deleted with its conversation.'),
    attemptCount: z
      .int()
      .describe(
        'The number of attempts since the event occurred, or since the last redelivery was requested.',
      ),
    nextAttemptAt: timestamp()
      .nullable()
      .describe('When the next attempt is made (UTC). `null` if no attempt is planned.'),
    endedAt: timestamp()
      .nullable()
      .describe(
        'When the event was delivered, or when the service stopped retrying (UTC). `null` while the delivery is pending.',
      ),
    attempts: z.array(DeliveryAttempt).describe('The last 12 attempts, newest first.'),
  })
  .meta({ id: 'WebhookDelivery', description: 'The delivery of an event to a webhook.' })

export const WebhookDeliveryPage = pageOf(WebhookDelivery, 'WebhookDelivery')

export const WebhookDeliveryListQuery = z.strictObject({
  ...pageQuery,
  State: DeliveryState.optional().describe('Only return deliveries in this state.'),
  Type: z.enum(webhookEventNames).optional().describe('Only return deliveries of this event type.'),
  From: timestampInput().optional().describe('Only return deliveries of events at or after this time.'),
  To: timestampInput().optional().describe('Only return deliveries of events before this time.'),
})

export const WebhookRedelivery = z
  .strictObject({
    since: timestampInput().describe(
      'The start of the period. Events that occurred at or after this time are redelivered.',
    ),
    state: z
      .enum(['delivered', 'failed'])
      .nullable()
      .default(null)
      .describe(
        'Only redeliver deliveries in this state. If `null`, all deliveries that are not pending are redelivered.',
      ),
  })
  .meta({
    id: 'WebhookRedelivery',
    description: 'The parameters for redelivering events.',
    examples: [{ since: '2026-11-15T00:00:00Z', state: 'failed' }],
  })

export const WebhookRedeliveryCount = z
  .object({ count: z.int().describe('The number of deliveries that will be redelivered.') })
  .meta({ id: 'WebhookRedeliveryCount', description: 'The result of requesting redeliveries.' })

export type DeliveryState = z.output<typeof DeliveryState>
export type DeliveryAttempt = z.output<typeof DeliveryAttempt>
export type WebhookDelivery = z.output<typeof WebhookDelivery>
export type WebhookDeliveryListQuery = z.output<typeof WebhookDeliveryListQuery>
export type WebhookRedelivery = z.output<typeof WebhookRedelivery>
