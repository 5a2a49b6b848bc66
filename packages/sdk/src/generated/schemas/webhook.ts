// Generated from the contract by `npm run generate`. What is changed here is lost.

import type { Page } from '../../rest/page.js'

/** One page of a list of Webhook items. */
export type WebhookPage = Page<Webhook>

/** An endpoint that receives events, without its secret. */
export interface Webhook {
  /** The resource id (UUID v7). */
  id: string
  /** When it was created (UTC). */
  createdAt: string
  /** When it last changed (UTC). */
  updatedAt: string
  /** The name of the webhook. */
  name: string
  /** The address that receives events. Redirects are not followed. */
  url: string
  /** The event types to send, or `*` for all, including future ones. */
  events: ('conversation.created' | 'conversation.deleted' | 'conversation.message.created' | 'turn.ended' | 'realtime.session.started' | 'realtime.session.ended' | 'approval.waiting' | 'approval.decided' | 'approval.expired' | 'task.created' | 'task.updated' | 'task.run.started' | 'task.run.ended' | 'agent.created' | 'agent.updated' | 'agent.deleted' | 'api_key.created' | 'api_key.deleted' | 'usage.budget.warning' | 'usage.budget.exceeded' | 'webhook.failing' | 'webhook.disabled' | 'webhook.test' | '*')[]
  /** Only events of these agents. Empty: all events, including those without an agent. */
  agentIds: string[]
  /** Whether the whole resource is sent or only its ids, if content must not leave the service. */
  payload: 'full' | 'ids'
  /**
   * Whether events are sent. While it is false, no new events are stored. Pending deliveries resume when it is
   * true again.
   */
  isEnabled: boolean
  /** The id in another system, unique in the organization. */
  externalId: string | null
  /**
   * The set of files that manages this resource, recorded by `parley apply`. Null: none. `parley apply
   * --prune` deletes only resources that their set no longer contains.
   */
  managedBy: string | null
  /** Why the service disabled the webhook. Null: it did not. Enabling it clears the reason. */
  disabledReason: string | null
  /** Since when no attempt has succeeded. Null: the last attempt succeeded. */
  failingSince: string | null
  /** Until when the previous secret also signs. Null: it no longer does. */
  previousSecretExpiresAt: string | null
  /** The number of pending deliveries. */
  waitingCount: number
  lastDelivery: {
    /** The delivery. */
    id: string
    /** The event type. */
    type: string
    /** Whether the delivery is pending, was accepted by the receiver, or was given up. */
    state: 'pending' | 'delivered' | 'failed'
    /** When it was last attempted (UTC). */
    at: string
    /** The HTTP status of the answer. Null: no answer. */
    responseStatus: number | null
    /** A description of the result. */
    detail: string
  } | null
}

/** The body that creates or replaces a webhook. */
export interface WebhookInput {
  /** The name of the webhook. */
  name: string
  /** The address that receives events. Redirects are not followed. */
  url: string
  /** The event types to send, or `*` for all, including future ones. */
  events: ('conversation.created' | 'conversation.deleted' | 'conversation.message.created' | 'turn.ended' | 'realtime.session.started' | 'realtime.session.ended' | 'approval.waiting' | 'approval.decided' | 'approval.expired' | 'task.created' | 'task.updated' | 'task.run.started' | 'task.run.ended' | 'agent.created' | 'agent.updated' | 'agent.deleted' | 'api_key.created' | 'api_key.deleted' | 'usage.budget.warning' | 'usage.budget.exceeded' | 'webhook.failing' | 'webhook.disabled' | 'webhook.test' | '*')[]
  /** Only events of these agents. Empty: all events, including those without an agent. Default: `[]`. */
  agentIds?: string[] | undefined
  /**
   * Whether the whole resource is sent or only its ids, if content must not leave the service. Default:
   * `"full"`.
   */
  payload?: 'full' | 'ids' | undefined
  /**
   * Whether events are sent. While it is false, no new events are stored. Pending deliveries resume when it is
   * true again. Default: `true`.
   */
  isEnabled?: boolean | undefined
  /** The id in another system, unique in the organization. */
  externalId?: string | null | undefined
  /**
   * The set of files that manages this resource, recorded by `parley apply`. Null: none. `parley apply
   * --prune` deletes only resources that their set no longer contains.
   */
  managedBy?: string | null | undefined
}

/** A webhook, with its new secret. */
export interface CreatedWebhook {
  /** The resource id (UUID v7). */
  id: string
  /** When it was created (UTC). */
  createdAt: string
  /** When it last changed (UTC). */
  updatedAt: string
  /** The name of the webhook. */
  name: string
  /** The address that receives events. Redirects are not followed. */
  url: string
  /** The event types to send, or `*` for all, including future ones. */
  events: ('conversation.created' | 'conversation.deleted' | 'conversation.message.created' | 'turn.ended' | 'realtime.session.started' | 'realtime.session.ended' | 'approval.waiting' | 'approval.decided' | 'approval.expired' | 'task.created' | 'task.updated' | 'task.run.started' | 'task.run.ended' | 'agent.created' | 'agent.updated' | 'agent.deleted' | 'api_key.created' | 'api_key.deleted' | 'usage.budget.warning' | 'usage.budget.exceeded' | 'webhook.failing' | 'webhook.disabled' | 'webhook.test' | '*')[]
  /** Only events of these agents. Empty: all events, including those without an agent. */
  agentIds: string[]
  /** Whether the whole resource is sent or only its ids, if content must not leave the service. */
  payload: 'full' | 'ids'
  /**
   * Whether events are sent. While it is false, no new events are stored. Pending deliveries resume when it is
   * true again.
   */
  isEnabled: boolean
  /** The id in another system, unique in the organization. */
  externalId: string | null
  /**
   * The set of files that manages this resource, recorded by `parley apply`. Null: none. `parley apply
   * --prune` deletes only resources that their set no longer contains.
   */
  managedBy: string | null
  /** Why the service disabled the webhook. Null: it did not. Enabling it clears the reason. */
  disabledReason: string | null
  /** Since when no attempt has succeeded. Null: the last attempt succeeded. */
  failingSince: string | null
  /** Until when the previous secret also signs. Null: it no longer does. */
  previousSecretExpiresAt: string | null
  /** The number of pending deliveries. */
  waitingCount: number
  lastDelivery: {
    /** The delivery. */
    id: string
    /** The event type. */
    type: string
    /** Whether the delivery is pending, was accepted by the receiver, or was given up. */
    state: 'pending' | 'delivered' | 'failed'
    /** When it was last attempted (UTC). */
    at: string
    /** The HTTP status of the answer. Null: no answer. */
    responseStatus: number | null
    /** A description of the result. */
    detail: string
  } | null
  /** The signing secret: `whsec_` and base64. It is shown only once. Empty in a dry run. */
  secret: string
}

/** A merge patch of a webhook. */
export interface WebhookPatch {
  /** The name of the webhook. */
  name?: string | undefined
  /** The address that receives events. Redirects are not followed. */
  url?: string | undefined
  /** The event types to send, or `*` for all, including future ones. */
  events?: ('conversation.created' | 'conversation.deleted' | 'conversation.message.created' | 'turn.ended' | 'realtime.session.started' | 'realtime.session.ended' | 'approval.waiting' | 'approval.decided' | 'approval.expired' | 'task.created' | 'task.updated' | 'task.run.started' | 'task.run.ended' | 'agent.created' | 'agent.updated' | 'agent.deleted' | 'api_key.created' | 'api_key.deleted' | 'usage.budget.warning' | 'usage.budget.exceeded' | 'webhook.failing' | 'webhook.disabled' | 'webhook.test' | '*')[] | undefined
  /** Only events of these agents. Empty: all events, including those without an agent. */
  agentIds?: string[] | undefined
  /** Whether the whole resource is sent or only its ids, if content must not leave the service. */
  payload?: 'full' | 'ids' | undefined
  /**
   * Whether events are sent. While it is false, no new events are stored. Pending deliveries resume when it is
   * true again.
   */
  isEnabled?: boolean | undefined
  /** The id in another system, unique in the organization. */
  externalId?: string | null | undefined
  /**
   * The set of files that manages this resource, recorded by `parley apply`. Null: none. `parley apply
   * --prune` deletes only resources that their set no longer contains.
   */
  managedBy?: string | null | undefined
}

/** The body that creates or replaces a webhook by its external id. The id is in the path. */
export interface WebhookUpsert {
  /** The name of the webhook. */
  name: string
  /** The address that receives events. Redirects are not followed. */
  url: string
  /** The event types to send, or `*` for all, including future ones. */
  events: ('conversation.created' | 'conversation.deleted' | 'conversation.message.created' | 'turn.ended' | 'realtime.session.started' | 'realtime.session.ended' | 'approval.waiting' | 'approval.decided' | 'approval.expired' | 'task.created' | 'task.updated' | 'task.run.started' | 'task.run.ended' | 'agent.created' | 'agent.updated' | 'agent.deleted' | 'api_key.created' | 'api_key.deleted' | 'usage.budget.warning' | 'usage.budget.exceeded' | 'webhook.failing' | 'webhook.disabled' | 'webhook.test' | '*')[]
  /** Only events of these agents. Empty: all events, including those without an agent. Default: `[]`. */
  agentIds?: string[] | undefined
  /**
   * Whether the whole resource is sent or only its ids, if content must not leave the service. Default:
   * `"full"`.
   */
  payload?: 'full' | 'ids' | undefined
  /**
   * Whether events are sent. While it is false, no new events are stored. Pending deliveries resume when it is
   * true again. Default: `true`.
   */
  isEnabled?: boolean | undefined
  /**
   * The set of files that manages this resource, recorded by `parley apply`. Null: none. `parley apply
   * --prune` deletes only resources that their set no longer contains.
   */
  managedBy?: string | null | undefined
}

/** A webhook. A new one has its secret. */
export interface UpsertedWebhook {
  /** The resource id (UUID v7). */
  id: string
  /** When it was created (UTC). */
  createdAt: string
  /** When it last changed (UTC). */
  updatedAt: string
  /** The name of the webhook. */
  name: string
  /** The address that receives events. Redirects are not followed. */
  url: string
  /** The event types to send, or `*` for all, including future ones. */
  events: ('conversation.created' | 'conversation.deleted' | 'conversation.message.created' | 'turn.ended' | 'realtime.session.started' | 'realtime.session.ended' | 'approval.waiting' | 'approval.decided' | 'approval.expired' | 'task.created' | 'task.updated' | 'task.run.started' | 'task.run.ended' | 'agent.created' | 'agent.updated' | 'agent.deleted' | 'api_key.created' | 'api_key.deleted' | 'usage.budget.warning' | 'usage.budget.exceeded' | 'webhook.failing' | 'webhook.disabled' | 'webhook.test' | '*')[]
  /** Only events of these agents. Empty: all events, including those without an agent. */
  agentIds: string[]
  /** Whether the whole resource is sent or only its ids, if content must not leave the service. */
  payload: 'full' | 'ids'
  /**
   * Whether events are sent. While it is false, no new events are stored. Pending deliveries resume when it is
   * true again.
   */
  isEnabled: boolean
  /** The id in another system, unique in the organization. */
  externalId: string | null
  /**
   * The set of files that manages this resource, recorded by `parley apply`. Null: none. `parley apply
   * --prune` deletes only resources that their set no longer contains.
   */
  managedBy: string | null
  /** Why the service disabled the webhook. Null: it did not. Enabling it clears the reason. */
  disabledReason: string | null
  /** Since when no attempt has succeeded. Null: the last attempt succeeded. */
  failingSince: string | null
  /** Until when the previous secret also signs. Null: it no longer does. */
  previousSecretExpiresAt: string | null
  /** The number of pending deliveries. */
  waitingCount: number
  lastDelivery: {
    /** The delivery. */
    id: string
    /** The event type. */
    type: string
    /** Whether the delivery is pending, was accepted by the receiver, or was given up. */
    state: 'pending' | 'delivered' | 'failed'
    /** When it was last attempted (UTC). */
    at: string
    /** The HTTP status of the answer. Null: no answer. */
    responseStatus: number | null
    /** A description of the result. */
    detail: string
  } | null
  /** The signing secret of a new webhook. It is shown only once. */
  secret?: string | undefined
}

/** One event on its way to one webhook. */
export interface WebhookDelivery {
  /** The resource id (UUID v7). */
  id: string
  /** When it was created (UTC). */
  createdAt: string
  /** When it last changed (UTC). */
  updatedAt: string
  /** The webhook. */
  webhookId: string
  /**
   * The `webhook-id` header: the same on every attempt and redelivery, so that receivers can recognize
   * duplicates.
   */
  messageId: string
  /** The event type. */
  type: 'conversation.created' | 'conversation.deleted' | 'conversation.message.created' | 'turn.ended' | 'realtime.session.started' | 'realtime.session.ended' | 'approval.waiting' | 'approval.decided' | 'approval.expired' | 'task.created' | 'task.updated' | 'task.run.started' | 'task.run.ended' | 'agent.created' | 'agent.updated' | 'agent.deleted' | 'api_key.created' | 'api_key.deleted' | 'usage.budget.warning' | 'usage.budget.exceeded' | 'webhook.failing' | 'webhook.disabled' | 'webhook.test'
  /** Whether the delivery is pending, was accepted by the receiver, or was given up. */
  state: 'pending' | 'delivered' | 'failed'
  /** The exact body. Null: its conversation was deleted. */
  body: string | null
  /** The number of attempts since the event or the last requested redelivery. */
  attemptCount: number
  /** When the next attempt is made. Null: none is planned. */
  nextAttemptAt: string | null
  /** When it was delivered or given up. */
  endedAt: string | null
  /** The last 12 attempts, the newest first. */
  attempts: WebhookAttempt[]
}

/** One page of a list of WebhookDelivery items. */
export type WebhookDeliveryPage = Page<WebhookDelivery>

/** The body that requests redeliveries. */
export interface WebhookRedelivery {
  /** Redelivers events at or after this time. */
  since: string
  /** Only deliveries with this outcome. Null: all ended deliveries. */
  state?: 'delivered' | 'failed' | null | undefined
}

/** The requested redeliveries. */
export interface WebhookRedeliveryCount {
  /** The number of pending redeliveries. */
  count: number
}

/** One delivery attempt and its answer. */
export interface WebhookAttempt {
  /** When it was sent (UTC). */
  at: string
  /** The duration. */
  durationMilliseconds: number
  /** The HTTP status of the answer. Null: no answer. */
  responseStatus: number | null
  /** The first 1,000 characters of the answer. */
  responseBody: string | null
  /** A description of the result. */
  detail: string
}
