import { z } from 'zod'
import { answeredMoment, httpUrl, id, nonBlankText, resourceFields, text } from './field.js'
import { keptFields } from './kept-in-files.js'
import { pageOf, pageQuery } from './page.js'
import { DeliveryState } from './webhook-delivery.js'
import { webhookEventNames } from './webhook-event-types.js'
import { patchable, writable } from './writable.js'

const eventName = z.enum([...webhookEventNames, '*'])

export const webhookInputFields = {
  name: nonBlankText(200).describe('The name people see.'),
  url: httpUrl()
    .refine((value) => !value.includes('#'), { error: 'must not hold a fragment' })
    .describe('Where events are posted to. Redirects are not followed.'),
  events: z
    .array(eventName)
    .min(1)
    .max(50)
    .refine((names) => new Set(names).size === names.length, { error: 'names an event twice' })
    .describe('What it is told of: names of events, or `*` for all, those to come included.'),
  agentIds: z
    .array(id())
    .max(100)
    .refine((ids) => new Set(ids).size === ids.length, { error: 'names an agent twice' })
    .default([])
    .describe('Only events of these agents; empty: all events, those of no agent included.'),
  payload: z
    .enum(['full', 'ids'])
    .default('full')
    .describe('Whether the whole resource is sent, or its ids alone, where words must not leave.'),
  isEnabled: z
    .boolean()
    .default(true)
    .describe(
      'Whether events are sent. While it is false nothing new is kept for it; what waits goes on when it is true again.',
    ),
  ...keptFields,
}

const lastDelivery = z
  .object({
    id: id().describe('The delivery.'),
    type: z.string().describe('What it told of.'),
    state: DeliveryState,
    at: answeredMoment().describe('When it was last attempted (UTC).'),
    responseStatus: z.int().nullable().describe('The HTTP status of the answer; null where none came.'),
    detail: z.string().describe('What came of it, for a person to read.'),
  })
  .describe('The delivery that was attempted last; null where there is none.')

const stateFields = {
  disabledReason: z
    .string()
    .nullable()
    .describe(
      'Why the service has switched it off, for a person to read; null where it has not. Switching it on again clears it.',
    ),
  failingSince: answeredMoment()
    .nullable()
    .describe('Since when no attempt has succeeded; null where the last one did.'),
  previousSecretExpiresAt: answeredMoment()
    .nullable()
    .describe('Until when the secret before this one signs too; null where it does not any more.'),
  waitingCount: z.int().describe('How many deliveries wait for their next attempt.'),
  lastDelivery: lastDelivery.nullable(),
}

const readOnlyFields = [...Object.keys(resourceFields), ...Object.keys(stateFields), 'secret']

export const Webhook = z
  .object({ ...resourceFields, ...webhookInputFields, ...stateFields })
  .meta({ id: 'Webhook', description: 'An address that is told what happens, without its secret.' })

export const CreatedWebhook = Webhook.extend({
  secret: z
    .string()
    .describe(
      'What deliveries are signed with: `whsec_` and base64. It is shown this once and never again; empty in a dry run.',
    ),
}).meta({ id: 'CreatedWebhook', description: 'A webhook, with its new secret.' })

export const UpsertedWebhook = Webhook.extend({
  secret: CreatedWebhook.shape.secret
    .optional()
    .describe('What deliveries are signed with, where the webhook is new: it is shown this once.'),
}).meta({ id: 'UpsertedWebhook', description: 'A webhook, with its secret where it is new.' })

const example = {
  name: 'Booking system',
  url: 'https://booking.example.com/parley',
  events: ['approval.waiting', 'turn.ended'],
}

export const WebhookInput = writable(webhookInputFields, readOnlyFields).meta({
  id: 'WebhookInput',
  description: 'A webhook as it is created or replaced.',
  examples: [example],
})

const { externalId: _, ...upsertFields } = webhookInputFields

export const WebhookUpsert = writable(upsertFields, [...readOnlyFields, 'externalId']).meta({
  id: 'WebhookUpsert',
  description: 'A webhook as it is created or replaced under its external id, which stands in the path.',
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
  Search: text(200).optional().describe('Only webhooks whose name or address holds this text.'),
})

export type Webhook = z.output<typeof Webhook>
export type WebhookInput = z.output<typeof WebhookInput>
export type WebhookUpsert = z.output<typeof WebhookUpsert>
export type WebhookPatch = z.output<typeof WebhookPatch>
export type WebhookListQuery = z.output<typeof WebhookListQuery>
