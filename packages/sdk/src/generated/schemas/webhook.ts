// Generated from the contract by `npm run generate`. Do not edit.

import type { Page } from '../../rest/page.js'

/** One page of a list of `Webhook` objects. */
export type WebhookPage = Page<Webhook>

/** An endpoint that receives events. Its signing secret is not included. */
export interface Webhook {
  /** The ID of the resource (UUID v7). */
  id: string
  /** When the resource was created (UTC). */
  createdAt: string
  /** When the resource was last updated (UTC). */
  updatedAt: string
  /** The name of the webhook. */
  name: string
  /** The URL that receives the events. Redirects are not followed. */
  url: string
  /** The event types to send. `*` means all event types, including future ones. */
  events: ('conversation.created' | 'conversation.deleted' | 'conversation.message.created' | 'turn.ended' | 'realtime.session.started' | 'realtime.session.ended' | 'call.started' | 'call.ended' | 'approval.waiting' | 'approval.decided' | 'approval.expired' | 'task.created' | 'task.updated' | 'task.run.started' | 'task.run.ended' | 'agent.created' | 'agent.updated' | 'agent.deleted' | 'api_key.created' | 'api_key.deleted' | 'usage.budget.warning' | 'usage.budget.exceeded' | 'webhook.failing' | 'webhook.disabled' | 'webhook.test' | '*')[]
  /**
   * The IDs of the agents whose events are sent. If empty, all events are sent, including events without an
   * agent.
   */
  agentIds: string[]
  /**
   * The content of the events. `full` sends the whole resource. `ids` sends only IDs, for content that must
   * not leave the service.
   */
  payload: 'full' | 'ids'
  /**
   * Whether events are sent. If `false`, new events are discarded. Pending deliveries are resumed when it is
   * set to `true`.
   */
  isEnabled: boolean
  /**
   * The ID of the resource in an external system. It must be unique within the organization. `null` if there
   * is none.
   */
  externalId: string | null
  /**
   * The name of the file set that manages this resource, set by `parley apply`, or `null`. `parley apply
   * --prune` deletes the managed resources that are no longer in the files.
   */
  managedBy: string | null
  /**
   * Why the service disabled the webhook. `null` if the service did not disable it. Enabling the webhook
   * resets this field.
   */
  disabledReason: string | null
  /** When the current series of failed attempts started (UTC). `null` if the last attempt succeeded. */
  failingSince: string | null
  /** When the service stops signing with the previous secret (UTC). `null` if it is no longer used. */
  previousSecretExpiresAt: string | null
  /** The number of pending deliveries. */
  waitingCount: number
  /** The most recently attempted delivery. `null` if there is none. */
  lastDelivery: {
    /** The ID of the delivery. */
    id: string
    /** The event type. */
    type: string
    /**
     * The state of the delivery. `pending`: it will be attempted again. `delivered`: the receiver accepted it.
     * `failed`: the service stopped retrying.
     */
    state: 'pending' | 'delivered' | 'failed'
    /** When the last attempt was made (UTC). */
    at: string
    /** The HTTP status code of the response. `null` if there was no response. */
    responseStatus: number | null
    /** A description of the result. */
    detail: string
  } | null
}

/** The parameters for creating or replacing a webhook. */
export interface WebhookInput {
  /** The name of the webhook. */
  name: string
  /** The URL that receives the events. Redirects are not followed. */
  url: string
  /** The event types to send. `*` means all event types, including future ones. */
  events: ('conversation.created' | 'conversation.deleted' | 'conversation.message.created' | 'turn.ended' | 'realtime.session.started' | 'realtime.session.ended' | 'call.started' | 'call.ended' | 'approval.waiting' | 'approval.decided' | 'approval.expired' | 'task.created' | 'task.updated' | 'task.run.started' | 'task.run.ended' | 'agent.created' | 'agent.updated' | 'agent.deleted' | 'api_key.created' | 'api_key.deleted' | 'usage.budget.warning' | 'usage.budget.exceeded' | 'webhook.failing' | 'webhook.disabled' | 'webhook.test' | '*')[]
  /**
   * The IDs of the agents whose events are sent. If empty, all events are sent, including events without an
   * agent. Default: `[]`.
   */
  agentIds?: string[] | undefined
  /**
   * The content of the events. `full` sends the whole resource. `ids` sends only IDs, for content that must
   * not leave the service. Default: `"full"`.
   */
  payload?: 'full' | 'ids' | undefined
  /**
   * Whether events are sent. If `false`, new events are discarded. Pending deliveries are resumed when it is
   * set to `true`. Default: `true`.
   */
  isEnabled?: boolean | undefined
  /**
   * The ID of the resource in an external system. It must be unique within the organization. `null` if there
   * is none.
   */
  externalId?: string | null | undefined
  /**
   * The name of the file set that manages this resource, set by `parley apply`, or `null`. `parley apply
   * --prune` deletes the managed resources that are no longer in the files.
   */
  managedBy?: string | null | undefined
}

/** A webhook, including its new signing secret. */
export interface CreatedWebhook {
  /** The ID of the resource (UUID v7). */
  id: string
  /** When the resource was created (UTC). */
  createdAt: string
  /** When the resource was last updated (UTC). */
  updatedAt: string
  /** The name of the webhook. */
  name: string
  /** The URL that receives the events. Redirects are not followed. */
  url: string
  /** The event types to send. `*` means all event types, including future ones. */
  events: ('conversation.created' | 'conversation.deleted' | 'conversation.message.created' | 'turn.ended' | 'realtime.session.started' | 'realtime.session.ended' | 'call.started' | 'call.ended' | 'approval.waiting' | 'approval.decided' | 'approval.expired' | 'task.created' | 'task.updated' | 'task.run.started' | 'task.run.ended' | 'agent.created' | 'agent.updated' | 'agent.deleted' | 'api_key.created' | 'api_key.deleted' | 'usage.budget.warning' | 'usage.budget.exceeded' | 'webhook.failing' | 'webhook.disabled' | 'webhook.test' | '*')[]
  /**
   * The IDs of the agents whose events are sent. If empty, all events are sent, including events without an
   * agent.
   */
  agentIds: string[]
  /**
   * The content of the events. `full` sends the whole resource. `ids` sends only IDs, for content that must
   * not leave the service.
   */
  payload: 'full' | 'ids'
  /**
   * Whether events are sent. If `false`, new events are discarded. Pending deliveries are resumed when it is
   * set to `true`.
   */
  isEnabled: boolean
  /**
   * The ID of the resource in an external system. It must be unique within the organization. `null` if there
   * is none.
   */
  externalId: string | null
  /**
   * The name of the file set that manages this resource, set by `parley apply`, or `null`. `parley apply
   * --prune` deletes the managed resources that are no longer in the files.
   */
  managedBy: string | null
  /**
   * Why the service disabled the webhook. `null` if the service did not disable it. Enabling the webhook
   * resets this field.
   */
  disabledReason: string | null
  /** When the current series of failed attempts started (UTC). `null` if the last attempt succeeded. */
  failingSince: string | null
  /** When the service stops signing with the previous secret (UTC). `null` if it is no longer used. */
  previousSecretExpiresAt: string | null
  /** The number of pending deliveries. */
  waitingCount: number
  /** The most recently attempted delivery. `null` if there is none. */
  lastDelivery: {
    /** The ID of the delivery. */
    id: string
    /** The event type. */
    type: string
    /**
     * The state of the delivery. `pending`: it will be attempted again. `delivered`: the receiver accepted it.
     * `failed`: the service stopped retrying.
     */
    state: 'pending' | 'delivered' | 'failed'
    /** When the last attempt was made (UTC). */
    at: string
    /** The HTTP status code of the response. `null` if there was no response. */
    responseStatus: number | null
    /** A description of the result. */
    detail: string
  } | null
  /**
   * The signing secret: `whsec_` followed by a base64-encoded key. It is returned only once. Empty in a dry
   * run.
   */
  secret: string
}

/** A merge patch for a webhook. */
export interface WebhookPatch {
  /** The name of the webhook. */
  name?: string | undefined
  /** The URL that receives the events. Redirects are not followed. */
  url?: string | undefined
  /** The event types to send. `*` means all event types, including future ones. */
  events?: ('conversation.created' | 'conversation.deleted' | 'conversation.message.created' | 'turn.ended' | 'realtime.session.started' | 'realtime.session.ended' | 'call.started' | 'call.ended' | 'approval.waiting' | 'approval.decided' | 'approval.expired' | 'task.created' | 'task.updated' | 'task.run.started' | 'task.run.ended' | 'agent.created' | 'agent.updated' | 'agent.deleted' | 'api_key.created' | 'api_key.deleted' | 'usage.budget.warning' | 'usage.budget.exceeded' | 'webhook.failing' | 'webhook.disabled' | 'webhook.test' | '*')[] | undefined
  /**
   * The IDs of the agents whose events are sent. If empty, all events are sent, including events without an
   * agent.
   */
  agentIds?: string[] | undefined
  /**
   * The content of the events. `full` sends the whole resource. `ids` sends only IDs, for content that must
   * not leave the service.
   */
  payload?: 'full' | 'ids' | undefined
  /**
   * Whether events are sent. If `false`, new events are discarded. Pending deliveries are resumed when it is
   * set to `true`.
   */
  isEnabled?: boolean | undefined
  /**
   * The ID of the resource in an external system. It must be unique within the organization. `null` if there
   * is none.
   */
  externalId?: string | null | undefined
  /**
   * The name of the file set that manages this resource, set by `parley apply`, or `null`. `parley apply
   * --prune` deletes the managed resources that are no longer in the files.
   */
  managedBy?: string | null | undefined
}

/** The parameters for creating or replacing a webhook by its external ID, which is part of the path. */
export interface WebhookUpsert {
  /** The name of the webhook. */
  name: string
  /** The URL that receives the events. Redirects are not followed. */
  url: string
  /** The event types to send. `*` means all event types, including future ones. */
  events: ('conversation.created' | 'conversation.deleted' | 'conversation.message.created' | 'turn.ended' | 'realtime.session.started' | 'realtime.session.ended' | 'call.started' | 'call.ended' | 'approval.waiting' | 'approval.decided' | 'approval.expired' | 'task.created' | 'task.updated' | 'task.run.started' | 'task.run.ended' | 'agent.created' | 'agent.updated' | 'agent.deleted' | 'api_key.created' | 'api_key.deleted' | 'usage.budget.warning' | 'usage.budget.exceeded' | 'webhook.failing' | 'webhook.disabled' | 'webhook.test' | '*')[]
  /**
   * The IDs of the agents whose events are sent. If empty, all events are sent, including events without an
   * agent. Default: `[]`.
   */
  agentIds?: string[] | undefined
  /**
   * The content of the events. `full` sends the whole resource. `ids` sends only IDs, for content that must
   * not leave the service. Default: `"full"`.
   */
  payload?: 'full' | 'ids' | undefined
  /**
   * Whether events are sent. If `false`, new events are discarded. Pending deliveries are resumed when it is
   * set to `true`. Default: `true`.
   */
  isEnabled?: boolean | undefined
  /**
   * The name of the file set that manages this resource, set by `parley apply`, or `null`. `parley apply
   * --prune` deletes the managed resources that are no longer in the files.
   */
  managedBy?: string | null | undefined
}

/** A webhook, including its signing secret if it was created. */
export interface UpsertedWebhook {
  /** The ID of the resource (UUID v7). */
  id: string
  /** When the resource was created (UTC). */
  createdAt: string
  /** When the resource was last updated (UTC). */
  updatedAt: string
  /** The name of the webhook. */
  name: string
  /** The URL that receives the events. Redirects are not followed. */
  url: string
  /** The event types to send. `*` means all event types, including future ones. */
  events: ('conversation.created' | 'conversation.deleted' | 'conversation.message.created' | 'turn.ended' | 'realtime.session.started' | 'realtime.session.ended' | 'call.started' | 'call.ended' | 'approval.waiting' | 'approval.decided' | 'approval.expired' | 'task.created' | 'task.updated' | 'task.run.started' | 'task.run.ended' | 'agent.created' | 'agent.updated' | 'agent.deleted' | 'api_key.created' | 'api_key.deleted' | 'usage.budget.warning' | 'usage.budget.exceeded' | 'webhook.failing' | 'webhook.disabled' | 'webhook.test' | '*')[]
  /**
   * The IDs of the agents whose events are sent. If empty, all events are sent, including events without an
   * agent.
   */
  agentIds: string[]
  /**
   * The content of the events. `full` sends the whole resource. `ids` sends only IDs, for content that must
   * not leave the service.
   */
  payload: 'full' | 'ids'
  /**
   * Whether events are sent. If `false`, new events are discarded. Pending deliveries are resumed when it is
   * set to `true`.
   */
  isEnabled: boolean
  /**
   * The ID of the resource in an external system. It must be unique within the organization. `null` if there
   * is none.
   */
  externalId: string | null
  /**
   * The name of the file set that manages this resource, set by `parley apply`, or `null`. `parley apply
   * --prune` deletes the managed resources that are no longer in the files.
   */
  managedBy: string | null
  /**
   * Why the service disabled the webhook. `null` if the service did not disable it. Enabling the webhook
   * resets this field.
   */
  disabledReason: string | null
  /** When the current series of failed attempts started (UTC). `null` if the last attempt succeeded. */
  failingSince: string | null
  /** When the service stops signing with the previous secret (UTC). `null` if it is no longer used. */
  previousSecretExpiresAt: string | null
  /** The number of pending deliveries. */
  waitingCount: number
  /** The most recently attempted delivery. `null` if there is none. */
  lastDelivery: {
    /** The ID of the delivery. */
    id: string
    /** The event type. */
    type: string
    /**
     * The state of the delivery. `pending`: it will be attempted again. `delivered`: the receiver accepted it.
     * `failed`: the service stopped retrying.
     */
    state: 'pending' | 'delivered' | 'failed'
    /** When the last attempt was made (UTC). */
    at: string
    /** The HTTP status code of the response. `null` if there was no response. */
    responseStatus: number | null
    /** A description of the result. */
    detail: string
  } | null
  /** The signing secret, if the webhook was created. It is returned only once. */
  secret?: string | undefined
}

/** The delivery of an event to a webhook. */
export interface WebhookDelivery {
  /** The ID of the resource (UUID v7). */
  id: string
  /** When the resource was created (UTC). */
  createdAt: string
  /** When the resource was last updated (UTC). */
  updatedAt: string
  /** The ID of the webhook. */
  webhookId: string
  /**
   * The value of the `webhook-id` header. It is the same for every attempt and redelivery, so that receivers
   * can detect duplicates.
   */
  messageId: string
  /** The event type. */
  type: 'conversation.created' | 'conversation.deleted' | 'conversation.message.created' | 'turn.ended' | 'realtime.session.started' | 'realtime.session.ended' | 'call.started' | 'call.ended' | 'approval.waiting' | 'approval.decided' | 'approval.expired' | 'task.created' | 'task.updated' | 'task.run.started' | 'task.run.ended' | 'agent.created' | 'agent.updated' | 'agent.deleted' | 'api_key.created' | 'api_key.deleted' | 'usage.budget.warning' | 'usage.budget.exceeded' | 'webhook.failing' | 'webhook.disabled' | 'webhook.test'
  /**
   * The state of the delivery. `pending`: it will be attempted again. `delivered`: the receiver accepted it.
   * `failed`: the service stopped retrying.
   */
  state: 'pending' | 'delivered' | 'failed'
  /** The exact request body. `null` if it was deleted with its conversation. */
  body: string | null
  /** The number of attempts since the event occurred, or since the last redelivery was requested. */
  attemptCount: number
  /** When the next attempt is made (UTC). `null` if no attempt is planned. */
  nextAttemptAt: string | null
  /**
   * When the event was delivered, or when the service stopped retrying (UTC). `null` while the delivery is
   * pending.
   */
  endedAt: string | null
  /** The last 12 attempts, newest first. */
  attempts: WebhookAttempt[]
}

/** One page of a list of `WebhookDelivery` objects. */
export type WebhookDeliveryPage = Page<WebhookDelivery>

/** The parameters for redelivering events. */
export interface WebhookRedelivery {
  /** The start of the period. Events that occurred at or after this time are redelivered. */
  since: string
  /** Only redeliver deliveries in this state. If `null`, all deliveries that are not pending are redelivered. */
  state?: 'delivered' | 'failed' | null | undefined
}

/** The result of requesting redeliveries. */
export interface WebhookRedeliveryCount {
  /** The number of deliveries that will be redelivered. */
  count: number
}

/** A delivery attempt and its response. */
export interface WebhookAttempt {
  /** When the request was sent (UTC). */
  at: string
  /** The duration of the request in milliseconds. */
  durationMilliseconds: number
  /** The HTTP status code of the response. `null` if there was no response. */
  responseStatus: number | null
  /** The first 1,000 characters of the response body. `null` if there was no response. */
  responseBody: string | null
  /** A description of the result. */
  detail: string
}
