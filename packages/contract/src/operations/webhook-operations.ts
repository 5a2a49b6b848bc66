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
  onReplace: 'Fields that are left out get their defaults. The secret stays, also with a new address.',
  onDelete: 'Also deletes its deliveries, including pending ones.',
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
      'The answer contains the signing secret, which is never shown again. Deliveries follow the Standard Webhooks specification.',
    scope: 'webhook:write',
    query: DryRunQuery,
    body: WebhookInput,
    outcome: 'The webhook, with its secret, which is shown only once.',
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
      "Posts one `webhook.test` immediately, even if the webhook is disabled, and returns the receiver's answer.",
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
    summary: 'Rotate the secret',
    description:
      'For 24 hours deliveries carry two signatures, by the new and by the previous secret, so that receivers can change over.',
    scope: 'webhook:write',
    params: member,
    query: DryRunQuery,
    outcome: 'The webhook, with its new secret, which is shown only once.',
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
    description: 'The sent events with answers and times. Ended deliveries are kept for 30 days.',
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
      'Sends the event again soon with the same `webhook-id`, and retries it like a new one. A pending delivery is attempted immediately. Rejected with 409 if its body was deleted with its conversation.',
    scope: 'webhook:write',
    params: z.strictObject({ webhookId, deliveryId: id().describe('The id of the delivery.') }),
    outcome: 'The pending delivery.',
    status: 202,
    answer: WebhookDelivery,
    refusals: ['Conflict'],
  }),
  redeliverWebhook: defineOperation({
    operationId: 'redeliverWebhook',
    method: 'POST',
    path: '/api/v1/Webhook/{webhookId}/redeliver',
    tag,
    summary: 'Redeliver all since a time',
    description: 'Sends delivered and failed events since that time again, in their order.',
    scope: 'webhook:write',
    params: member,
    body: WebhookRedelivery,
    outcome: 'The number of pending redeliveries.',
    status: 202,
    answer: WebhookRedeliveryCount,
  }),
}
