import { z } from 'zod'
import { id } from '../field.js'
import { DryRunQuery } from '../kept-in-files.js'
import { defineOperation } from '../operation.js'
import {
  CreatedWebhook,
  UpsertedWebhook,
  Webhook,
  WebhookInput,
  WebhookListQuery,
  WebhookPage,
  WebhookPatch,
  WebhookUpsert,
} from '../webhook.js'
import {
  WebhookDelivery,
  WebhookDeliveryListQuery,
  WebhookDeliveryPage,
  WebhookRedelivery,
  WebhookRedeliveryCount,
} from '../webhook-delivery.js'
import { keptResourceOperations } from './kept-resource-operations.js'

const tag = 'Webhook'

const webhook = keptResourceOperations({
  name: 'Webhook',
  noun: 'a webhook',
  param: 'webhookId',
  read: 'webhook:read',
  write: 'webhook:write',
  listQuery: WebhookListQuery,
  page: WebhookPage,
  input: WebhookInput,
  patch: WebhookPatch,
  resource: Webhook,
  upsert: WebhookUpsert,
  upserted: UpsertedWebhook,
  onReplace: 'Fields left out fall back to their defaults. The secret stays, also at a new address.',
  onDelete: 'Its deliveries go with it, also those that wait.',
})

const webhookId = id().describe('The id of the webhook.')
const member = z.strictObject({ webhookId })

export const webhookOperations = {
  listWebhooks: webhook.list,
  createWebhook: defineOperation({
    operationId: 'createWebhook',
    method: 'POST',
    path: '/api/v1/Webhook',
    tag,
    summary: 'Create a webhook',
    description:
      'The secret that deliveries are signed with is in the answer and is never shown again. Deliveries follow the Standard Webhooks specification.',
    scope: 'webhook:write',
    query: DryRunQuery,
    body: WebhookInput,
    outcome: 'The webhook, with its secret, which is shown this once.',
    status: 201,
    answer: CreatedWebhook,
    hasETag: true,
    refusals: ['Conflict'],
  }),
  getWebhook: webhook.get,
  replaceWebhook: webhook.replace,
  patchWebhook: webhook.patch,
  upsertWebhook: webhook.upsert,
  deleteWebhook: webhook.remove,
  testWebhook: defineOperation({
    operationId: 'testWebhook',
    method: 'POST',
    path: '/api/v1/Webhook/{webhookId}/test',
    tag,
    summary: 'Send a test event',
    description:
      'Posts a `webhook.test` now, once, whether the webhook is enabled or not, and answers what the receiver said.',
    scope: 'webhook:write',
    params: member,
    outcome: 'The delivery, with its one attempt.',
    status: 200,
    answer: WebhookDelivery,
  }),
  rotateWebhookSecret: defineOperation({
    operationId: 'rotateWebhookSecret',
    method: 'POST',
    path: '/api/v1/Webhook/{webhookId}/rotate-secret',
    tag,
    summary: 'Make a new secret',
    description:
      'For 24 hours deliveries carry two signatures, by the new secret and by the one before, so that receivers can change over.',
    scope: 'webhook:write',
    params: member,
    query: DryRunQuery,
    outcome: 'The webhook, with its new secret, which is shown this once.',
    status: 200,
    answer: CreatedWebhook,
    hasETag: true,
  }),
  listWebhookDeliveries: defineOperation({
    operationId: 'listWebhookDeliveries',
    method: 'GET',
    path: '/api/v1/Webhook/{webhookId}/delivery',
    tag,
    summary: 'List deliveries',
    description:
      'What was sent, what was answered and when. Deliveries that have ended are kept for 30 days.',
    scope: 'webhook:read',
    params: member,
    query: WebhookDeliveryListQuery,
    outcome: 'One page of the deliveries.',
    status: 200,
    answer: WebhookDeliveryPage,
  }),
  redeliverWebhookDelivery: defineOperation({
    operationId: 'redeliverWebhookDelivery',
    method: 'POST',
    path: '/api/v1/Webhook/{webhookId}/delivery/{deliveryId}/redeliver',
    tag,
    summary: 'Deliver again',
    description:
      'Sends it again soon, with the same `webhook-id`, and retries it like a new one; one that waits is tried at once. Refused with 409 where its body is gone with its conversation.',
    scope: 'webhook:write',
    params: z.strictObject({ webhookId, deliveryId: id().describe('The id of the delivery.') }),
    outcome: 'The delivery, as it waits now.',
    status: 202,
    answer: WebhookDelivery,
    refusals: ['Conflict'],
  }),
  redeliverWebhook: defineOperation({
    operationId: 'redeliverWebhook',
    method: 'POST',
    path: '/api/v1/Webhook/{webhookId}/redeliver',
    tag,
    summary: 'Deliver again all since a time',
    description: 'Sends again what was given up or delivered since, in the order it happened.',
    scope: 'webhook:write',
    params: member,
    body: WebhookRedelivery,
    outcome: 'How many deliveries wait to be sent again.',
    status: 202,
    answer: WebhookRedeliveryCount,
  }),
}
