import { z } from 'zod'
import { httpUrl, id, nonBlankText, resourceFields, text, timestamp } from './field.js'
import { managedFields } from './managed-fields.js'
import { pageOf, pageQuery } from './page.js'
import { DeliveryState } from './webhook-delivery.js'
import { webhookEventNames } from './webhook-event-types.js'
import { patchable, writable } from './writable.js'

const eventName = z.enum([...webhookEventNames, '*'])

export const webhookInputFields = {
  name: nonBlankText(200).describe('The name of the webhook.'),
  url: httpUrl()
    .refine((value) => !value.includes('#'), { error: 'must not contain a fragment' })
    .describe('The URL that receives the events. Redirects are not followed.'),
  events: z
    .array(eventName)
    .min(1)
    .max(50)
    .refine((names) => new Set(names).size === names.length, { error: 'must not contain duplicates' })
    .describe('The event types to send. `*` means all event types, including future ones.'),
  agentIds: z
    .array(id())
    .max(100)
    .refine((ids) => new Set(ids).size === ids.length, { error: 'must not contain duplicates' })
    .default([])
    .describe(
      'The IDs of the agents whose events are sent. If empty, all events are sent, including events without an agent.',
    ),
  payload: z
    .enum(['full', 'ids'])
    .default('full')
    .describe(
      'The content of the events. `full` sends the whole resource. `ids` sends only IDs, for content that must not leave the service.',
    ),
  isEnabled: z
    .boolean()
    .default(true)
    .describe(
      'Whether events are sent. If `false`, new events are discarded. Pending deliveries are resumed when it is set to `true`.',
    ),
  ...managedFields,
}

const lastDelivery = z
  .object({
    id: id().describe('The ID of the delivery.'),
    type: z.string().describe('The event type.'),
    state: DeliveryState,
    at: timestamp().describe('When the last attempt was made (UTC).'),
    responseStatus: z
      .int()
      .nullable()
      .describe('The HTTP status code of the response. `null` if there was no response.'),
    detail: z.string().describe('A description of the result.'),
  })
  .nullable()
  .describe('The most recently attempted delivery. `null` if there is none.')

const stateFields = {
  disabledReason: z
    .string()
    .nullable()
    .describe(
      'Why the service disabled the webhook. `null` if the service did not disable it. Enabling the webhook resets this field.',
    ),
  failingSince: timestamp()
    .nullable()
    .describe(
      'When the current series of failed attempts started (UTC). `null` if the last attempt succeeded.',
    ),
  previousSecretExpiresAt: timestamp()
    .nullable()
    .describe(
      'When the service stops signing with the previous secret (UTC). `null` if it is no longer used.',
    ),
  waitingCount: z.int().describe('The number of pending deliveries.'),
  lastDelivery,
}

const readOnlyFields = [...Object.keys(resourceFields), ...Object.keys(stateFields), 'secret']

export const Webhook = z.object({ ...resourceFields, ...webhookInputFields, ...stateFields }).meta({
  id: 'Webhook',
  description: 'An endpoint that receives events. Its signing secret is not included.',
})

export const CreatedWebhook = Webhook.extend({
  secret: z
    .string()
    .describe(
      'The signing secret: `whsec_` followed by a base64-encoded key. It is returned only once. Empty in a dry run.',
    ),
}).meta({ id: 'CreatedWebhook', description: 'A webhook, including its new signing secret.' })

export const UpsertedWebhook = Webhook.extend({
  secret: CreatedWebhook.shape.secret
    .optional()
    .describe('The signing secret, if the webhook was created. It is returned only once.'),
}).meta({ id: 'UpsertedWebhook', description: 'A webhook, including its signing secret if it was created.' })

const example = {
  name: 'Booking system',
  url: 'https://booking.example.com/parley',
  events: ['approval.waiting', 'turn.ended'],
}

export const WebhookInput = writable(webhookInputFields, readOnlyFields).meta({
  id: 'WebhookInput',
  description: 'The parameters for creating or replacing a webhook.',
  examples: [example],
})

const { externalId: _, ...upsertFields } = webhookInputFields

export const WebhookUpsert = writable(upsertFields, [...readOnlyFields, 'externalId']).meta({
  id: 'WebhookUpsert',
  description:
    'The parameters for creating or replacing a webhook by its external ID, which is part of the path.',
  examples: [example],
})

export const WebhookPatch = patchable(webhookInputFields, readOnlyFields).meta({
  id: 'WebhookPatch',
  description: 'A merge patch for a webhook.',
  examples: [{ events: ['*'] }],
})

export const WebhookPage = pageOf(Webhook, 'Webhook')

export const WebhookListQuery = z.strictObject({
  ...pageQuery,
  Search: text(200).optional().describe('Only return webhooks whose name or URL contains this text.'),
})

export type Webhook = z.output<typeof Webhook>
export type WebhookInput = z.output<typeof WebhookInput>
export type WebhookUpsert = z.output<typeof WebhookUpsert>
export type WebhookPatch = z.output<typeof WebhookPatch>
export type WebhookListQuery = z.output<typeof WebhookListQuery>
