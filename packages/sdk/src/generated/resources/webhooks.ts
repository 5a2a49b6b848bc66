// Generated from the contract by `npm run generate`. What is changed here is lost.

import type { CreatedWebhook, UpsertedWebhook, Webhook, WebhookDelivery, WebhookInput, WebhookPatch, WebhookRedelivery, WebhookRedeliveryCount, WebhookUpsert } from '../schemas/webhook.js'
import type { ApiPromise } from '../../rest/api-promise.js'
import type { HttpClient } from '../../rest/http-client.js'
import type { ListPromise } from '../../rest/list-promise.js'
import type { ChangeOptions, DryRunOptions, RequestOptions } from '../../rest/request-options.js'
import { segment } from '../../rest/request-url.js'

export interface ListWebhooksQuery {
  /** The number of items to skip. Default: `0`. */
  Offset?: number | undefined
  /** The maximum number of items. Default: `50`. */
  Limit?: number | undefined
  /** Only webhooks whose name or address contains this text. */
  Search?: string | undefined
}

export interface ListWebhookDeliveriesQuery {
  /** The number of items to skip. Default: `0`. */
  Offset?: number | undefined
  /** The maximum number of items. Default: `50`. */
  Limit?: number | undefined
  /** Only deliveries in this state. */
  State?: 'pending' | 'delivered' | 'failed' | undefined
  /** Only deliveries of this event type. */
  Type?: 'conversation.created' | 'conversation.deleted' | 'conversation.message.created' | 'turn.ended' | 'realtime.session.started' | 'realtime.session.ended' | 'approval.waiting' | 'approval.decided' | 'approval.expired' | 'task.created' | 'task.updated' | 'task.run.started' | 'task.run.ended' | 'agent.created' | 'agent.updated' | 'agent.deleted' | 'api_key.created' | 'api_key.deleted' | 'usage.budget.warning' | 'usage.budget.exceeded' | 'webhook.failing' | 'webhook.disabled' | 'webhook.test' | undefined
  /** Only deliveries of events at or after this time. */
  From?: string | undefined
  /** Only deliveries of events before this time. */
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
   * The answer contains the signing secret, which is never shown again. Deliveries follow the Standard
   * Webhooks specification.
   *
   * Requires the scope `webhook:write`.
   *
   * @returns The webhook, with its secret, which is shown only once.
   */
  create(body: WebhookInput, options: RequestOptions & DryRunOptions = {}): ApiPromise<CreatedWebhook> {
    return this.#http.json({ method: 'POST', path: '/api/v1/Webhook', body }, options)
  }

  /**
   * Read a webhook.
   *
   * Requires the scope `webhook:read`.
   *
   * @returns The stored webhook.
   */
  get(webhookId: string, options: RequestOptions = {}): ApiPromise<Webhook> {
    return this.#http.json({ method: 'GET', path: `/api/v1/Webhook/${segment('webhookId', webhookId)}` }, options)
  }

  /**
   * Replace a webhook.
   *
   * Fields that are left out get their defaults. The secret stays, also with a new address.
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
   * Change a webhook.
   *
   * A merge patch: fields that are left out stay, objects are merged, arrays are replaced as a whole.
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
   * Also deletes its deliveries, including pending ones.
   *
   * Requires the scope `webhook:write`.
   *
   * @returns The webhook is deleted. The answer has no body.
   */
  delete(webhookId: string, options: ChangeOptions & DryRunOptions = {}): ApiPromise<void> {
    return this.#http.json({ method: 'DELETE', path: `/api/v1/Webhook/${segment('webhookId', webhookId)}` }, options)
  }

  /**
   * Create or replace a webhook by its external id.
   *
   * Answers 201 if it created the webhook, 200 if it replaced it. Safe to call concurrently: there is one
   * webhook per external id. Fields that are left out get their defaults. The secret stays, also with a new
   * address.
   *
   * Requires the scope `webhook:write`.
   *
   * @returns The stored webhook.
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
   * Posts one `webhook.test` immediately, even if the webhook is disabled, and returns the receiver's answer.
   *
   * Requires the scope `webhook:write`.
   *
   * @returns The delivery, with its one attempt.
   */
  test(webhookId: string, options: RequestOptions = {}): ApiPromise<WebhookDelivery> {
    return this.#http.json({ method: 'POST', path: `/api/v1/Webhook/${segment('webhookId', webhookId)}/test` }, options)
  }

  /**
   * Rotate the secret.
   *
   * For 24 hours deliveries carry two signatures, by the new and by the previous secret, so that receivers can
   * change over.
   *
   * Requires the scope `webhook:write`.
   *
   * @returns The webhook, with its new secret, which is shown only once.
   */
  rotateSecret(webhookId: string, options: RequestOptions & DryRunOptions = {}): ApiPromise<CreatedWebhook> {
    return this.#http.json({ method: 'POST', path: `/api/v1/Webhook/${segment('webhookId', webhookId)}/rotate-secret` }, options)
  }

  /**
   * List deliveries.
   *
   * The sent events with answers and times. Ended deliveries are kept for 30 days.
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
   * Deliver again.
   *
   * Sends the event again soon with the same `webhook-id`, and retries it like a new one. A pending delivery
   * is attempted immediately. Rejected with 409 if its body was deleted with its conversation.
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
   * Redeliver all since a time.
   *
   * Sends delivered and failed events since that time again, in their order.
   *
   * Requires the scope `webhook:write`.
   *
   * @returns The number of pending redeliveries.
   */
  redeliver(
    webhookId: string,
    body: WebhookRedelivery,
    options: RequestOptions = {},
  ): ApiPromise<WebhookRedeliveryCount> {
    return this.#http.json({ method: 'POST', path: `/api/v1/Webhook/${segment('webhookId', webhookId)}/redeliver`, body, isLong: true }, options)
  }
}
