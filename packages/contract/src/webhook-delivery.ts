import { z } from 'zod'
import { answeredMoment, id, moment, resourceFields } from './field.js'
import { pageOf, pageQuery } from './page.js'
import { webhookEventNames } from './webhook-event-types.js'

export const DeliveryState = z
  .enum(['pending', 'delivered', 'failed'])
  .describe('Whether the delivery is pending, was accepted by the receiver, or was given up.')

const DeliveryAttempt = z
  .object({
    at: answeredMoment().describe('When it was sent (UTC).'),
    durationMilliseconds: z.int().describe('The duration.'),
    responseStatus: z.int().nullable().describe('The HTTP status of the answer. Null: no answer.'),
    responseBody: z.string().nullable().describe('The first 1,000 characters of the answer.'),
    detail: z.string().describe('A description of the result.'),
  })
  .meta({ id: 'WebhookAttempt', description: 'One delivery attempt and its answer.' })

export const WebhookDelivery = z
  .object({
    id: resourceFields.id,
    createdAt: resourceFields.createdAt,
    updatedAt: resourceFields.updatedAt,
    webhookId: id().describe('The webhook.'),
    messageId: id().describe(
      'The `webhook-id` header: the same on every attempt and redelivery, so that receivers can recognize duplicates.',
    ),
    type: z.enum(webhookEventNames).describe('The event type.'),
    state: DeliveryState,
    body: z.string().nullable().describe('The exact body. Null: its conversation was deleted.'),
    attemptCount: z
      .int()
      .describe('The number of attempts since the event or the last requested redelivery.'),
    nextAttemptAt: answeredMoment()
      .nullable()
      .describe('When the next attempt is made. Null: none is planned.'),
    endedAt: answeredMoment().nullable().describe('When it was delivered or given up.'),
    attempts: z.array(DeliveryAttempt).describe('The last 12 attempts, the newest first.'),
  })
  .meta({ id: 'WebhookDelivery', description: 'One event on its way to one webhook.' })

export const WebhookDeliveryPage = pageOf(WebhookDelivery, 'WebhookDelivery')

export const WebhookDeliveryListQuery = z.strictObject({
  ...pageQuery,
  State: DeliveryState.optional().describe('Only deliveries in this state.'),
  Type: z.enum(webhookEventNames).optional().describe('Only deliveries of this event type.'),
  From: moment().optional().describe('Only deliveries of events at or after this time.'),
  To: moment().optional().describe('Only deliveries of events before this time.'),
})

export const WebhookRedelivery = z
  .strictObject({
    since: moment().describe('Redelivers events at or after this time.'),
    state: z
      .enum(['delivered', 'failed'])
      .nullable()
      .default(null)
      .describe('Only deliveries with this outcome. Null: all ended deliveries.'),
  })
  .meta({
    id: 'WebhookRedelivery',
    description: 'The body that requests redeliveries.',
    examples: [{ since: '2026-11-15T00:00:00Z', state: 'failed' }],
  })

export const WebhookRedeliveryCount = z
  .object({ count: z.int().describe('The number of pending redeliveries.') })
  .meta({ id: 'WebhookRedeliveryCount', description: 'The requested redeliveries.' })

export type DeliveryState = z.output<typeof DeliveryState>
export type DeliveryAttempt = z.output<typeof DeliveryAttempt>
export type WebhookDelivery = z.output<typeof WebhookDelivery>
export type WebhookDeliveryListQuery = z.output<typeof WebhookDeliveryListQuery>
export type WebhookRedelivery = z.output<typeof WebhookRedelivery>
