import { z } from 'zod'
import { answeredMoment, httpUrl, id, nonBlankText, resourceFields, text } from './field.js'
import { keptFields } from './kept-in-files.js'
import { pageOf, pageQuery } from './page.js'
import { DeliveryState } from './webhook-delivery.js'
import { webhookEventNames } from './webhook-event-types.js'
import { patchable, writable } from './writable.js'

const eventName = z.enum([...webhookEventNames, '*'])

export const webhookInputFields = {
  name: nonBlankText(200).describe('The name of the webhook.'),
  url: httpUrl()
    .refine((value) => !value.includes('#'), { error: 'must not contain a fragment' })
    .describe('The address that receives events. Redirects are not followed.'),
  events: z
    .array(eventName)
    .min(1)
    .max(50)
    .refine((names) => new Set(names).size === names.length, { error: 'names the same event twice' })
    .describe('The event types to send, or `*` for all, including future ones.'),
  agentIds: z
    .array(id())
    .max(100)
    .refine((ids) => new Set(ids).size === ids.length, { error: 'names the same agent twice' })
    .default([])
    .describe('Only events of these agents. Empty: all events, including those without an agent.'),
  payload: z
    .enum(['full', 'ids'])
    .default('full')
    .describe('Whether the whole resource is sent or only its ids, if content must not leave the service.'),
  isEnabled: z
    .boolean()
    .default(true)
    .describe(
      'Whether events are sent. While it is false, no new events are stored. Pending deliveries resume when it is true again.',
    ),
  ...keptFields,
}

const lastDelivery = z
  .object({
    id: id().describe('The delivery.'),
    type: z.string().describe('The event type.'),
    state: DeliveryState,
    at: answeredMoment().describe('When it was last attempted (UTC).'),
    responseStatus: z.int().nullable().describe('The HTTP status of the answer. Null: no answer.'),
    detail: z.string().describe('A description of the result.'),
  })
  .describe('The most recently attempted delivery. Null: none.')

const stateFields = {
  disabledReason: z
    .string()
    .nullable()
    .describe('Why the service disabled the webhook. Null: it did not. Enabling it clears the reason.'),
  failingSince: answeredMoment()
    .nullable()
    .describe('Since when no attempt has succeeded. Null: the last attempt succeeded.'),
  previousSecretExpiresAt: answeredMoment()
    .nullable()
    .describe('Until when the previous secret also signs. Null: it no longer does.'),
  waitingCount: z.int().describe('The number of pending deliveries.'),
  lastDelivery: lastDelivery.nullable(),
}

const readOnlyFields = [...Object.keys(resourceFields), ...Object.keys(stateFields), 'secret']

export const Webhook = z
  .object({ ...resourceFields, ...webhookInputFields, ...stateFields })
  .meta({ id: 'Webhook', description: 'An endpoint that receives events, without its secret.' })

export const CreatedWebhook = Webhook.extend({
  secret: z
    .string()
    .describe('The signing secret: `whsec_` and base64. It is shown only once. Empty in a dry run.'),
}).meta({ id: 'CreatedWebhook', description: 'A webhook, with its new secret.' })

export const UpsertedWebhook = Webhook.extend({
  secret: CreatedWebhook.shape.secret
    .optional()
    .describe('The signing secret of a new webhook. It is shown only once.'),
}).meta({ id: 'UpsertedWebhook', description: 'A webhook. A new one has its secret.' })

const example = {
  name: 'Booking system',
  url: 'https://booking.example.com/parley',
  events: ['approval.waiting', 'turn.ended'],
}

export const WebhookInput = writable(webhookInputFields, readOnlyFields).meta({
  id: 'WebhookInput',
  description: 'The body that creates or replaces a webhook.',
  examples: [example],
})

const { externalId: _, ...upsertFields } = webhookInputFields

export const WebhookUpsert = writable(upsertFields, [...readOnlyFields, 'externalId']).meta({
  id: 'WebhookUpsert',
  description: 'The body that creates or replaces a webhook by its external id. The id is in the path.',
  examples: [example],
})

export const WebhookPatch = patchable(webhookInputFields, readOnlyFields).meta({
  id: 'WebhookPatch',
  description: 'A merge patch of a webhook.',
  examples: [{ events: ['*'] }],
})

export const WebhookPage = pageOf(Webhook, 'Webhook')

export const WebhookListQuery = z.strictObject({
  ...pageQuery,
  Search: text(200).optional().describe('Only webhooks whose name or address contains this text.'),
})

export type Webhook = z.output<typeof Webhook>
export type WebhookInput = z.output<typeof WebhookInput>
export type WebhookUpsert = z.output<typeof WebhookUpsert>
export type WebhookPatch = z.output<typeof WebhookPatch>
export type WebhookListQuery = z.output<typeof WebhookListQuery>
