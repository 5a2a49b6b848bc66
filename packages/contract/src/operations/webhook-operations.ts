import { z } from 'zod'
import { id } from '../field.js'
import { DryRunQuery } from '../managed-fields.js'
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
import { managedResourceOperations } from './managed-resource-operations.js'

const tag = 'Webhook'

const webhook = managedResourceOperations({
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
  onReplace:
    'Omitted fields are set to their defaults. The signing secret does not change, even if the URL changes.',
  onDelete: 'Also deletes the deliveries of the webhook, including pending deliveries.',
})

const webhookId = id().describe('The ID of the webhook.')
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
      'The response contains the signing secret, which is returned only once. Deliveries follow the Standard Webhooks specification.',
    scope: 'webhook:write',
    query: DryRunQuery,
    body: WebhookInput,
    outcome: 'The webhook, including its signing secret.',
    status: 201,
    response: CreatedWebhook,
    hasETag: true,
    errors: ['Conflict'],
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
      'Sends a `webhook.test` event immediately, even if the webhook is disabled, and returns the response of the receiver.',
    scope: 'webhook:write',
    params: member,
    outcome: 'The delivery, including its only attempt.',
    status: 200,
    response: WebhookDelivery,
  }),
  rotateWebhookSecret: defineOperation({
    operationId: 'rotateWebhookSecret',
    method: 'POST',
    path: '/api/v1/Webhook/{webhookId}/rotate-secret',
    tag,
    summary: 'Rotate the signing secret',
    description:
      'Creates a new signing secret. For 24 hours, deliveries are signed with both the new and the previous secret, so that receivers can be updated without downtime.',
    scope: 'webhook:write',
    params: member,
    query: DryRunQuery,
    outcome: 'The webhook, including its new signing secret.',
    status: 200,
    response: CreatedWebhook,
    hasETag: true,
  }),
  listWebhookDeliveries: defineOperation({
    operationId: 'listWebhookDeliveries',
    method: 'GET',
    path: '/api/v1/Webhook/{webhookId}/delivery',
    tag,
    summary: 'List the deliveries of a webhook',
    description:
      'Returns the deliveries with their attempts and responses. Deliveries that are not pending are kept for 30 days.',
    scope: 'webhook:read',
    params: member,
    query: WebhookDeliveryListQuery,
    outcome: 'One page of the deliveries.',
    status: 200,
    response: WebhookDeliveryPage,
  }),
  redeliverWebhookDelivery: defineOperation({
    operationId: 'redeliverWebhookDelivery',
    method: 'POST',
    path: '/api/v1/Webhook/{webhookId}/delivery/{deliveryId}/redeliver',
    tag,
    summary: 'Redeliver an event',
    description:
      'Schedules the event for redelivery with the same `webhook-id`. Failed attempts are retried as for a new event. A pending delivery is attempted immediately. The request is rejected with 409 if the body of the delivery was deleted with its conversation.',
    scope: 'webhook:write',
    params: z.strictObject({ webhookId, deliveryId: id().describe('The ID of the delivery.') }),
    outcome: 'The pending delivery.',
    status: 202,
    response: WebhookDelivery,
    errors: ['Conflict'],
  }),
  redeliverWebhook: defineOperation({
    operationId: 'redeliverWebhook',
    method: 'POST',
    path: '/api/v1/Webhook/{webhookId}/redeliver',
    tag,
    summary: 'Redeliver events since a given time',
    description:
      'Schedules all delivered and failed events since the given time for redelivery, in their original order.',
    scope: 'webhook:write',
    params: member,
    body: WebhookRedelivery,
    outcome: 'The number of deliveries that will be redelivered.',
    status: 202,
    response: WebhookRedeliveryCount,
  }),
}
