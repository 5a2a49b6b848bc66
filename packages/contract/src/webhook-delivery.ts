import { z } from 'zod'
import { answeredMoment, id, moment, resourceFields } from './field.js'
import { pageOf, pageQuery } from './page.js'
import { webhookEventNames } from './webhook-event-types.js'

export const DeliveryState = z
  .enum(['pending', 'delivered', 'failed'])
  .describe('Whether it waits for an attempt, was taken by the receiver, or was given up.')

const DeliveryAttempt = z
  .object({
    at: answeredMoment().describe('When it was sent (UTC).'),
    durationMilliseconds: z.int().describe('How long it took.'),
    responseStatus: z.int().nullable().describe('The HTTP status of the answer; null where none came.'),
    responseBody: z.string().nullable().describe('The first 1,000 characters of the answer.'),
    detail: z.string().describe('What came of it, for a person to read.'),
  })
  .meta({ id: 'WebhookAttempt', description: 'One attempt to deliver, and what was answered.' })

export const WebhookDelivery = z
  .object({
    id: resourceFields.id,
    createdAt: resourceFields.createdAt,
    updatedAt: resourceFields.updatedAt,
    webhookId: id().describe('The webhook.'),
    messageId: id().describe(
      'What is sent as `webhook-id`: the same on every attempt and every redelivery, so that receivers know what they have.',
    ),
    type: z.enum(webhookEventNames).describe('What it tells of.'),
    state: DeliveryState,
    body: z
      .string()
      .nullable()
      .describe('What is sent, word for word; null where its conversation was deleted since.'),
    attemptCount: z
      .int()
      .describe('How many attempts were made since the event, or since somebody asked for a redelivery.'),
    nextAttemptAt: answeredMoment().nullable().describe('When it is tried again; null where it is not.'),
    endedAt: answeredMoment().nullable().describe('When it was delivered or given up.'),
    attempts: z.array(DeliveryAttempt).describe('The last 12 attempts, the newest first.'),
  })
  .meta({ id: 'WebhookDelivery', description: 'One event on its way to one webhook.' })

export const WebhookDeliveryPage = pageOf(WebhookDelivery, 'WebhookDelivery')

export const WebhookDeliveryListQuery = z.strictObject({
  ...pageQuery,
  State: DeliveryState.optional().describe('Only deliveries in this state.'),
  Type: z.enum(webhookEventNames).optional().describe('Only deliveries of this type of event.'),
  From: moment().optional().describe('Only deliveries of events at or after this moment.'),
  To: moment().optional().describe('Only deliveries of events before this moment.'),
})

export const WebhookRedelivery = z
  .strictObject({
    since: moment().describe('Events at or after this moment are delivered again.'),
    state: z
      .enum(['delivered', 'failed'])
      .nullable()
      .default(null)
      .describe('Only deliveries that ended so; null: all that have ended.'),
  })
  .meta({
    id: 'WebhookRedelivery',
    description: 'What is to be delivered again.',
    examples: [{ since: '2026-11-15T00:00:00Z', state: 'failed' }],
  })

export const WebhookRedeliveryCount = z
  .object({ count: z.int().describe('How many deliveries wait to be sent again.') })
  .meta({ id: 'WebhookRedeliveryCount', description: 'What is delivered again.' })

export type DeliveryState = z.output<typeof DeliveryState>
export type DeliveryAttempt = z.output<typeof DeliveryAttempt>
export type WebhookDelivery = z.output<typeof WebhookDelivery>
export type WebhookDeliveryListQuery = z.output<typeof WebhookDeliveryListQuery>
export type WebhookRedelivery = z.output<typeof WebhookRedelivery>
