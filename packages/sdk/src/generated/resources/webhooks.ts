// Generated from the contract by `npm run generate`. What is changed here is lost.

import type { CreatedWebhook, UpsertedWebhook, Webhook, WebhookDelivery, WebhookInput, WebhookPatch, WebhookRedelivery, WebhookRedeliveryCount, WebhookUpsert } from '../schemas/webhook.js'
import type { ApiPromise } from '../../rest/api-promise.js'
import type { HttpClient } from '../../rest/http-client.js'
import type { ListPromise } from '../../rest/list-promise.js'
import type { ChangeOptions, DryRunOptions, RequestOptions } from '../../rest/request-options.js'
import { segment } from '../../rest/request-url.js'

export interface ListWebhooksQuery {
  /** How many items to skip. Default: `0`. */
  Offset?: number | undefined
  /** How many items to answer at most. Default: `50`. */
  Limit?: number | undefined
  /** Only webhooks whose name or address holds this text. */
  Search?: string | undefined
}

export interface ListWebhookDeliveriesQuery {
  /** How many items to skip. Default: `0`. */
  Offset?: number | undefined
  /** How many items to answer at most. Default: `50`. */
  Limit?: number | undefined
  /** Only deliveries in this state. */
  State?: 'pending' | 'delivered' | 'failed' | undefined
  /** Only deliveries of this type of event. */
  Type?: 'conversation.created' | 'conversation.deleted' | 'conversation.message.created' | 'turn.ended' | 'realtime.session.started' | 'realtime.session.ended' | 'approval.waiting' | 'approval.decided' | 'approval.expired' | 'task.created' | 'task.updated' | 'task.run.started' | 'task.run.ended' | 'agent.created' | 'agent.updated' | 'agent.deleted' | 'api_key.created' | 'api_key.deleted' | 'usage.budget.warning' | 'usage.budget.exceeded' | 'webhook.failing' | 'webhook.disabled' | 'webhook.test' | undefined
  /** Only deliveries of events at or after this moment. */
  From?: string | undefined
  /** Only deliveries of events before this moment. */
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
   * Needs the scope `webhook:read`.
   *
   * @returns One page of the webhooks.
   */
  list(query: ListWebhooksQuery = {}, options: RequestOptions = {}): ListPromise<Webhook> {
    return this.#http.list({ method: 'GET', path: '/api/v1/Webhook', query }, options)
  }

  /**
   * Create a webhook.
   *
   * The secret that deliveries are signed with is in the answer and is never shown again. Deliveries follow
   * the Standard Webhooks specification.
   *
   * Needs the scope `webhook:write`.
   *
   * @returns The webhook, with its secret, which is shown this once.
   */
  create(body: WebhookInput, options: RequestOptions & DryRunOptions = {}): ApiPromise<CreatedWebhook> {
    return this.#http.json({ method: 'POST', path: '/api/v1/Webhook', body }, options)
  }

  /**
   * Read a webhook.
   *
   * Needs the scope `webhook:read`.
   *
   * @returns The webhook, as it is stored.
   */
  get(webhookId: string, options: RequestOptions = {}): ApiPromise<Webhook> {
    return this.#http.json({ method: 'GET', path: `/api/v1/Webhook/${segment('webhookId', webhookId)}` }, options)
  }

  /**
   * Replace a webhook.
   *
   * Fields left out fall back to their defaults. The secret stays, also at a new address.
   *
   * Needs the scope `webhook:write`.
   *
   * @returns The webhook, as it is stored now.
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
   * A merge patch: fields left out stay, objects are merged, arrays are replaced whole.
   *
   * Needs the scope `webhook:write`.
   *
   * @returns The whole webhook, as it is stored now.
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
   * Its deliveries go with it, also those that wait.
   *
   * Needs the scope `webhook:write`.
   *
   * @returns The webhook is deleted; there is no body.
   */
  delete(webhookId: string, options: ChangeOptions & DryRunOptions = {}): ApiPromise<void> {
    return this.#http.json({ method: 'DELETE', path: `/api/v1/Webhook/${segment('webhookId', webhookId)}` }, options)
  }

  /**
   * Create or replace a webhook by its external id.
   *
   * Answers 201 where it created the webhook, 200 where it replaced it. Safe to call at the same time from
   * several places: one webhook per external id. Fields left out fall back to their defaults. The secret
   * stays, also at a new address.
   *
   * Needs the scope `webhook:write`.
   *
   * @returns The webhook, as it is stored.
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
   * Posts a `webhook.test` now, once, whether the webhook is enabled or not, and answers what the receiver
   * said.
   *
   * Needs the scope `webhook:write`.
   *
   * @returns The delivery, with its one attempt.
   */
  test(webhookId: string, options: RequestOptions = {}): ApiPromise<WebhookDelivery> {
    return this.#http.json({ method: 'POST', path: `/api/v1/Webhook/${segment('webhookId', webhookId)}/test` }, options)
  }

  /**
   * Make a new secret.
   *
   * For 24 hours deliveries carry two signatures, by the new secret and by the one before, so that receivers
   * can change over.
   *
   * Needs the scope `webhook:write`.
   *
   * @returns The webhook, with its new secret, which is shown this once.
   */
  rotateSecret(webhookId: string, options: RequestOptions & DryRunOptions = {}): ApiPromise<CreatedWebhook> {
    return this.#http.json({ method: 'POST', path: `/api/v1/Webhook/${segment('webhookId', webhookId)}/rotate-secret` }, options)
  }

  /**
   * List deliveries.
   *
   * What was sent, what was answered and when. Deliveries that have ended are kept for 30 days.
   *
   * Needs the scope `webhook:read`.
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
   * Sends it again soon, with the same `webhook-id`, and retries it like a new one; one that waits is tried at
   * once. Refused with 409 where its body is gone with its conversation.
   *
   * Needs the scope `webhook:write`.
   *
   * @returns The delivery, as it waits now.
   */
  redeliverDelivery(
    webhookId: string,
    deliveryId: string,
    options: RequestOptions = {},
  ): ApiPromise<WebhookDelivery> {
    return this.#http.json({ method: 'POST', path: `/api/v1/Webhook/${segment('webhookId', webhookId)}/delivery/${segment('deliveryId', deliveryId)}/redeliver`, isLong: true }, options)
  }

  /**
   * Deliver again all since a time.
   *
   * Sends again what was given up or delivered since, in the order it happened.
   *
   * Needs the scope `webhook:write`.
   *
   * @returns How many deliveries wait to be sent again.
   */
  redeliver(
    webhookId: string,
    body: WebhookRedelivery,
    options: RequestOptions = {},
  ): ApiPromise<WebhookRedeliveryCount> {
    return this.#http.json({ method: 'POST', path: `/api/v1/Webhook/${segment('webhookId', webhookId)}/redeliver`, body, isLong: true }, options)
  }
}
