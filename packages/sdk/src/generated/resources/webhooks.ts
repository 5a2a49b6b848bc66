// Generated from the contract by `npm run generate`. Do not edit.

import type { CreatedWebhook, UpsertedWebhook, Webhook, WebhookDelivery, WebhookInput, WebhookPatch, WebhookRedelivery, WebhookRedeliveryCount, WebhookUpsert } from '../schemas/webhook.js'
import type { ApiPromise } from '../../rest/api-promise.js'
import type { HttpClient } from '../../rest/http-client.js'
import type { ListPromise } from '../../rest/list-promise.js'
import type { ChangeOptions, DryRunOptions, RequestOptions } from '../../rest/request-options.js'
import { segment } from '../../rest/request-url.js'

export interface ListWebhooksQuery {
  /** The number of items to skip. Default: `0`. */
  Offset?: number | undefined
  /** The maximum number of items to return. Default: `50`. */
  Limit?: number | undefined
  /** Only return webhooks whose name or URL contains this text. */
  Search?: string | undefined
}

export interface ListWebhookDeliveriesQuery {
  /** The number of items to skip. Default: `0`. */
  Offset?: number | undefined
  /** The maximum number of items to return. Default: `50`. */
  Limit?: number | undefined
  /** Only return deliveries in this state. */
  State?: 'pending' | 'delivered' | 'failed' | undefined
  /** Only return deliveries of this event type. */
  Type?: 'conversation.created' | 'conversation.deleted' | 'conversation.message.created' | 'turn.ended' | 'realtime.session.started' | 'realtime.session.ended' | 'call.started' | 'call.ended' | 'approval.waiting' | 'approval.decided' | 'approval.expired' | 'task.created' | 'task.updated' | 'task.run.started' | 'task.run.ended' | 'agent.created' | 'agent.updated' | 'agent.deleted' | 'api_key.created' | 'api_key.deleted' | 'usage.budget.warning' | 'usage.budget.exceeded' | 'webhook.failing' | 'webhook.disabled' | 'webhook.test' | undefined
  /** Only return deliveries of events at or after this time. */
  From?: string | undefined
  /** Only return deliveries of events before this time. */
  To?: string | undefined
}

export class Webhooks {
  readonly #http: HttpClient

  constructor(http: HttpClient) {
    this.#http = http
  }

  /**
   * List webhooks.
   *
   * Requires the scope `webhook:read`.
   *
   * @returns One page of the webhooks.
   */
  list(query: ListWebhooksQuery = {}, options: RequestOptions = {}): ListPromise<Webhook> {
    return this.#http.list({ method: 'GET', path: '/api/v1/Webhook', query }, options)
  }

  /**
   * Create a webhook.
   *
   * The response contains the signing secret, which is returned only once. Deliveries follow the Standard
   * Webhooks specification.
   *
   * Requires the scope `webhook:write`.
   *
   * @returns The webhook, including its signing secret.
   */
  create(body: WebhookInput, options: RequestOptions & DryRunOptions = {}): ApiPromise<CreatedWebhook> {
    return this.#http.json({ method: 'POST', path: '/api/v1/Webhook', body }, options)
  }

  /**
   * Retrieve a webhook.
   *
   * Requires the scope `webhook:read`.
   *
   * @returns The requested webhook.
   */
  get(webhookId: string, options: RequestOptions = {}): ApiPromise<Webhook> {
    return this.#http.json({ method: 'GET', path: `/api/v1/Webhook/${segment('webhookId', webhookId)}` }, options)
  }

  /**
   * Replace a webhook.
   *
   * Omitted fields are set to their defaults. The signing secret does not change, even if the URL changes.
   *
   * Requires the scope `webhook:write`.
   *
   * @returns The updated webhook.
   */
  replace(
    webhookId: string,
    body: WebhookInput,
    options: ChangeOptions & DryRunOptions = {},
  ): ApiPromise<Webhook> {
    return this.#http.json({ method: 'PUT', path: `/api/v1/Webhook/${segment('webhookId', webhookId)}`, body }, options)
  }

  /**
   * Update a webhook.
   *
   * Applies a JSON merge patch. Omitted fields keep their values, objects are merged, and arrays are replaced
   * as a whole.
   *
   * Requires the scope `webhook:write`.
   *
   * @returns The updated webhook.
   */
  patch(
    webhookId: string,
    body: WebhookPatch,
    options: ChangeOptions & DryRunOptions = {},
  ): ApiPromise<Webhook> {
    return this.#http.json({ method: 'PATCH', path: `/api/v1/Webhook/${segment('webhookId', webhookId)}`, body }, options)
  }

  /**
   * Delete a webhook.
   *
   * Also deletes the deliveries of the webhook, including pending deliveries.
   *
   * Requires the scope `webhook:write`.
   *
   * @returns The webhook was deleted. The response has no body.
   */
  delete(webhookId: string, options: ChangeOptions & DryRunOptions = {}): ApiPromise<void> {
    return this.#http.json({ method: 'DELETE', path: `/api/v1/Webhook/${segment('webhookId', webhookId)}` }, options)
  }

  /**
   * Create or replace a webhook by its external ID.
   *
   * Returns 201 if the webhook was created, and 200 if it was replaced. Concurrent requests are safe: there is
   * at most one webhook per external ID. Omitted fields are set to their defaults. The signing secret does not
   * change, even if the URL changes.
   *
   * Requires the scope `webhook:write`.
   *
   * @returns The created or updated webhook.
   */
  upsert(
    externalId: string,
    body: WebhookUpsert,
    options: ChangeOptions & DryRunOptions = {},
  ): ApiPromise<UpsertedWebhook> {
    return this.#http.json({ method: 'PUT', path: `/api/v1/Webhook/external/${segment('externalId', externalId)}`, body }, options)
  }

  /**
   * Send a test event.
   *
   * Sends a `webhook.test` event immediately, even if the webhook is disabled, and returns the response of the
   * receiver.
   *
   * Requires the scope `webhook:write`.
   *
   * @returns The delivery, including its only attempt.
   */
  test(webhookId: string, options: RequestOptions = {}): ApiPromise<WebhookDelivery> {
    return this.#http.json({ method: 'POST', path: `/api/v1/Webhook/${segment('webhookId', webhookId)}/test` }, options)
  }

  /**
   * Rotate the signing secret.
   *
   * Creates a new signing secret. For 24 hours, deliveries are signed with both the new and the previous
   * secret, so that receivers can be updated without downtime.
   *
   * Requires the scope `webhook:write`.
   *
   * @returns The webhook, including its new signing secret.
   */
  rotateSecret(webhookId: string, options: RequestOptions & DryRunOptions = {}): ApiPromise<CreatedWebhook> {
    return this.#http.json({ method: 'POST', path: `/api/v1/Webhook/${segment('webhookId', webhookId)}/rotate-secret` }, options)
  }

  /**
   * List the deliveries of a webhook.
   *
   * Returns the deliveries with their attempts and responses. Deliveries that are not pending are kept for 30
   * days.
   *
   * Requires the scope `webhook:read`.
   *
   * @returns One page of the deliveries.
   */
  listDeliveries(
    webhookId: string,
    query: ListWebhookDeliveriesQuery = {},
    options: RequestOptions = {},
  ): ListPromise<WebhookDelivery> {
    return this.#http.list({ method: 'GET', path: `/api/v1/Webhook/${segment('webhookId', webhookId)}/delivery`, query }, options)
  }

  /**
   * Redeliver an event.
   *
   * Schedules the event for redelivery with the same `webhook-id`. Failed attempts are retried as for a new
   * event. A pending delivery is attempted immediately. The request is rejected with 409 if the body of the
   * delivery was deleted with its conversation.
   *
   * Requires the scope `webhook:write`.
   *
   * @returns The pending delivery.
   */
  redeliverDelivery(
    webhookId: string,
    deliveryId: string,
    options: RequestOptions = {},
  ): ApiPromise<WebhookDelivery> {
    return this.#http.json({ method: 'POST', path: `/api/v1/Webhook/${segment('webhookId', webhookId)}/delivery/${segment('deliveryId', deliveryId)}/redeliver`, isLong: true }, options)
  }

  /**
   * Redeliver events since a given time.
   *
   * Schedules all delivered and failed events since the given time for redelivery, in their original order.
   *
   * Requires the scope `webhook:write`.
   *
   * @returns The number of deliveries that will be redelivered.
   */
  redeliver(
    webhookId: string,
    body: WebhookRedelivery,
    options: RequestOptions = {},
  ): ApiPromise<WebhookRedeliveryCount> {
    return this.#http.json({ method: 'POST', path: `/api/v1/Webhook/${segment('webhookId', webhookId)}/redeliver`, body, isLong: true }, options)
  }
}
