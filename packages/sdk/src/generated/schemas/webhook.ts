// Generated from the contract by `npm run generate`. What is changed here is lost.

import type { Page } from '../../rest/page.js'

/** One page of a list of Webhook items. */
export type WebhookPage = Page<Webhook>

/** An address that is told what happens, without its secret. */
export interface Webhook {
  /** The resource id (UUID v7). */
  id: string
  /** When it was created (UTC). */
  createdAt: string
  /** When it last changed (UTC). */
  updatedAt: string
  /** The name people see. */
  name: string
  /** Where events are posted to. Redirects are not followed. */
  url: string
  /** What it is told of: names of events, or `*` for all, those to come included. */
  events: ('conversation.created' | 'conversation.deleted' | 'conversation.message.created' | 'turn.ended' | 'realtime.session.started' | 'realtime.session.ended' | 'approval.waiting' | 'approval.decided' | 'approval.expired' | 'task.created' | 'task.updated' | 'task.run.started' | 'task.run.ended' | 'agent.created' | 'agent.updated' | 'agent.deleted' | 'api_key.created' | 'api_key.deleted' | 'usage.budget.warning' | 'usage.budget.exceeded' | 'webhook.failing' | 'webhook.disabled' | 'webhook.test' | '*')[]
  /** Only events of these agents; empty: all events, those of no agent included. */
  agentIds: string[]
  /** Whether the whole resource is sent, or its ids alone, where words must not leave. */
  payload: 'full' | 'ids'
  /**
   * Whether events are sent. While it is false nothing new is kept for it; what waits goes on when it is true
   * again.
   */
  isEnabled: boolean
  /** Its id in another system, unique in the organization. */
  externalId: string | null
  /**
   * The set of files that it is kept in, as `parley apply` notes it; null: in none. What a set no longer names
   * is deleted by `parley apply --prune`, and nothing else is.
   */
  managedBy: string | null
  /**
   * Why the service has switched it off, for a person to read; null where it has not. Switching it on again
   * clears it.
   */
  disabledReason: string | null
  /** Since when no attempt has succeeded; null where the last one did. */
  failingSince: string | null
  /** Until when the secret before this one signs too; null where it does not any more. */
  previousSecretExpiresAt: string | null
  /** How many deliveries wait for their next attempt. */
  waitingCount: number
  lastDelivery: {
    /** The delivery. */
    id: string
    /** What it told of. */
    type: string
    /** Whether it waits for an attempt, was taken by the receiver, or was given up. */
    state: 'pending' | 'delivered' | 'failed'
    /** When it was last attempted (UTC). */
    at: string
    /** The HTTP status of the answer; null where none came. */
    responseStatus: number | null
    /** What came of it, for a person to read. */
    detail: string
  } | null
}

/** A webhook as it is created or replaced. */
export interface WebhookInput {
  /** The name people see. */
  name: string
  /** Where events are posted to. Redirects are not followed. */
  url: string
  /** What it is told of: names of events, or `*` for all, those to come included. */
  events: ('conversation.created' | 'conversation.deleted' | 'conversation.message.created' | 'turn.ended' | 'realtime.session.started' | 'realtime.session.ended' | 'approval.waiting' | 'approval.decided' | 'approval.expired' | 'task.created' | 'task.updated' | 'task.run.started' | 'task.run.ended' | 'agent.created' | 'agent.updated' | 'agent.deleted' | 'api_key.created' | 'api_key.deleted' | 'usage.budget.warning' | 'usage.budget.exceeded' | 'webhook.failing' | 'webhook.disabled' | 'webhook.test' | '*')[]
  /** Only events of these agents; empty: all events, those of no agent included. Default: `[]`. */
  agentIds?: string[] | undefined
  /** Whether the whole resource is sent, or its ids alone, where words must not leave. Default: `"full"`. */
  payload?: 'full' | 'ids' | undefined
  /**
   * Whether events are sent. While it is false nothing new is kept for it; what waits goes on when it is true
   * again. Default: `true`.
   */
  isEnabled?: boolean | undefined
  /** Its id in another system, unique in the organization. */
  externalId?: string | null | undefined
  /**
   * The set of files that it is kept in, as `parley apply` notes it; null: in none. What a set no longer names
   * is deleted by `parley apply --prune`, and nothing else is.
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
  /** The name people see. */
  name: string
  /** Where events are posted to. Redirects are not followed. */
  url: string
  /** What it is told of: names of events, or `*` for all, those to come included. */
  events: ('conversation.created' | 'conversation.deleted' | 'conversation.message.created' | 'turn.ended' | 'realtime.session.started' | 'realtime.session.ended' | 'approval.waiting' | 'approval.decided' | 'approval.expired' | 'task.created' | 'task.updated' | 'task.run.started' | 'task.run.ended' | 'agent.created' | 'agent.updated' | 'agent.deleted' | 'api_key.created' | 'api_key.deleted' | 'usage.budget.warning' | 'usage.budget.exceeded' | 'webhook.failing' | 'webhook.disabled' | 'webhook.test' | '*')[]
  /** Only events of these agents; empty: all events, those of no agent included. */
  agentIds: string[]
  /** Whether the whole resource is sent, or its ids alone, where words must not leave. */
  payload: 'full' | 'ids'
  /**
   * Whether events are sent. While it is false nothing new is kept for it; what waits goes on when it is true
   * again.
   */
  isEnabled: boolean
  /** Its id in another system, unique in the organization. */
  externalId: string | null
  /**
   * The set of files that it is kept in, as `parley apply` notes it; null: in none. What a set no longer names
   * is deleted by `parley apply --prune`, and nothing else is.
   */
  managedBy: string | null
  /**
   * Why the service has switched it off, for a person to read; null where it has not. Switching it on again
   * clears it.
   */
  disabledReason: string | null
  /** Since when no attempt has succeeded; null where the last one did. */
  failingSince: string | null
  /** Until when the secret before this one signs too; null where it does not any more. */
  previousSecretExpiresAt: string | null
  /** How many deliveries wait for their next attempt. */
  waitingCount: number
  lastDelivery: {
    /** The delivery. */
    id: string
    /** What it told of. */
    type: string
    /** Whether it waits for an attempt, was taken by the receiver, or was given up. */
    state: 'pending' | 'delivered' | 'failed'
    /** When it was last attempted (UTC). */
    at: string
    /** The HTTP status of the answer; null where none came. */
    responseStatus: number | null
    /** What came of it, for a person to read. */
    detail: string
  } | null
  /**
   * What deliveries are signed with: `whsec_` and base64. It is shown this once and never again; empty in a
   * dry run.
   */
  secret: string
}

/** A merge patch of a webhook. */
export interface WebhookPatch {
  /** The name people see. */
  name?: string | undefined
  /** Where events are posted to. Redirects are not followed. */
  url?: string | undefined
  /** What it is told of: names of events, or `*` for all, those to come included. */
  events?: ('conversation.created' | 'conversation.deleted' | 'conversation.message.created' | 'turn.ended' | 'realtime.session.started' | 'realtime.session.ended' | 'approval.waiting' | 'approval.decided' | 'approval.expired' | 'task.created' | 'task.updated' | 'task.run.started' | 'task.run.ended' | 'agent.created' | 'agent.updated' | 'agent.deleted' | 'api_key.created' | 'api_key.deleted' | 'usage.budget.warning' | 'usage.budget.exceeded' | 'webhook.failing' | 'webhook.disabled' | 'webhook.test' | '*')[] | undefined
  /** Only events of these agents; empty: all events, those of no agent included. */
  agentIds?: string[] | undefined
  /** Whether the whole resource is sent, or its ids alone, where words must not leave. */
  payload?: 'full' | 'ids' | undefined
  /**
   * Whether events are sent. While it is false nothing new is kept for it; what waits goes on when it is true
   * again.
   */
  isEnabled?: boolean | undefined
  /** Its id in another system, unique in the organization. */
  externalId?: string | null | undefined
  /**
   * The set of files that it is kept in, as `parley apply` notes it; null: in none. What a set no longer names
   * is deleted by `parley apply --prune`, and nothing else is.
   */
  managedBy?: string | null | undefined
}

/** A webhook as it is created or replaced under its external id, which stands in the path. */
export interface WebhookUpsert {
  /** The name people see. */
  name: string
  /** Where events are posted to. Redirects are not followed. */
  url: string
  /** What it is told of: names of events, or `*` for all, those to come included. */
  events: ('conversation.created' | 'conversation.deleted' | 'conversation.message.created' | 'turn.ended' | 'realtime.session.started' | 'realtime.session.ended' | 'approval.waiting' | 'approval.decided' | 'approval.expired' | 'task.created' | 'task.updated' | 'task.run.started' | 'task.run.ended' | 'agent.created' | 'agent.updated' | 'agent.deleted' | 'api_key.created' | 'api_key.deleted' | 'usage.budget.warning' | 'usage.budget.exceeded' | 'webhook.failing' | 'webhook.disabled' | 'webhook.test' | '*')[]
  /** Only events of these agents; empty: all events, those of no agent included. Default: `[]`. */
  agentIds?: string[] | undefined
  /** Whether the whole resource is sent, or its ids alone, where words must not leave. Default: `"full"`. */
  payload?: 'full' | 'ids' | undefined
  /**
   * Whether events are sent. While it is false nothing new is kept for it; what waits goes on when it is true
   * again. Default: `true`.
   */
  isEnabled?: boolean | undefined
  /**
   * The set of files that it is kept in, as `parley apply` notes it; null: in none. What a set no longer names
   * is deleted by `parley apply --prune`, and nothing else is.
   */
  managedBy?: string | null | undefined
}

/** A webhook, with its secret where it is new. */
export interface UpsertedWebhook {
  /** The resource id (UUID v7). */
  id: string
  /** When it was created (UTC). */
  createdAt: string
  /** When it last changed (UTC). */
  updatedAt: string
  /** The name people see. */
  name: string
  /** Where events are posted to. Redirects are not followed. */
  url: string
  /** What it is told of: names of events, or `*` for all, those to come included. */
  events: ('conversation.created' | 'conversation.deleted' | 'conversation.message.created' | 'turn.ended' | 'realtime.session.started' | 'realtime.session.ended' | 'approval.waiting' | 'approval.decided' | 'approval.expired' | 'task.created' | 'task.updated' | 'task.run.started' | 'task.run.ended' | 'agent.created' | 'agent.updated' | 'agent.deleted' | 'api_key.created' | 'api_key.deleted' | 'usage.budget.warning' | 'usage.budget.exceeded' | 'webhook.failing' | 'webhook.disabled' | 'webhook.test' | '*')[]
  /** Only events of these agents; empty: all events, those of no agent included. */
  agentIds: string[]
  /** Whether the whole resource is sent, or its ids alone, where words must not leave. */
  payload: 'full' | 'ids'
  /**
   * Whether events are sent. While it is false nothing new is kept for it; what waits goes on when it is true
   * again.
   */
  isEnabled: boolean
  /** Its id in another system, unique in the organization. */
  externalId: string | null
  /**
   * The set of files that it is kept in, as `parley apply` notes it; null: in none. What a set no longer names
   * is deleted by `parley apply --prune`, and nothing else is.
   */
  managedBy: string | null
  /**
   * Why the service has switched it off, for a person to read; null where it has not. Switching it on again
   * clears it.
   */
  disabledReason: string | null
  /** Since when no attempt has succeeded; null where the last one did. */
  failingSince: string | null
  /** Until when the secret before this one signs too; null where it does not any more. */
  previousSecretExpiresAt: string | null
  /** How many deliveries wait for their next attempt. */
  waitingCount: number
  lastDelivery: {
    /** The delivery. */
    id: string
    /** What it told of. */
    type: string
    /** Whether it waits for an attempt, was taken by the receiver, or was given up. */
    state: 'pending' | 'delivered' | 'failed'
    /** When it was last attempted (UTC). */
    at: string
    /** The HTTP status of the answer; null where none came. */
    responseStatus: number | null
    /** What came of it, for a person to read. */
    detail: string
  } | null
  /** What deliveries are signed with, where the webhook is new: it is shown this once. */
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
   * What is sent as `webhook-id`: the same on every attempt and every redelivery, so that receivers know what
   * they have.
   */
  messageId: string
  /** What it tells of. */
  type: 'conversation.created' | 'conversation.deleted' | 'conversation.message.created' | 'turn.ended' | 'realtime.session.started' | 'realtime.session.ended' | 'approval.waiting' | 'approval.decided' | 'approval.expired' | 'task.created' | 'task.updated' | 'task.run.started' | 'task.run.ended' | 'agent.created' | 'agent.updated' | 'agent.deleted' | 'api_key.created' | 'api_key.deleted' | 'usage.budget.warning' | 'usage.budget.exceeded' | 'webhook.failing' | 'webhook.disabled' | 'webhook.test'
  /** Whether it waits for an attempt, was taken by the receiver, or was given up. */
  state: 'pending' | 'delivered' | 'failed'
  /** What is sent, word for word; null where its conversation was deleted since. */
  body: string | null
  /** How many attempts were made since the event, or since somebody asked for a redelivery. */
  attemptCount: number
  /** When it is tried again; null where it is not. */
  nextAttemptAt: string | null
  /** When it was delivered or given up. */
  endedAt: string | null
  /** The last 12 attempts, the newest first. */
  attempts: WebhookAttempt[]
}

/** One page of a list of WebhookDelivery items. */
export type WebhookDeliveryPage = Page<WebhookDelivery>

/** What is to be delivered again. */
export interface WebhookRedelivery {
  /** Events at or after this moment are delivered again. */
  since: string
  /** Only deliveries that ended so; null: all that have ended. */
  state?: 'delivered' | 'failed' | null | undefined
}

/** What is delivered again. */
export interface WebhookRedeliveryCount {
  /** How many deliveries wait to be sent again. */
  count: number
}

/** One attempt to deliver, and what was answered. */
export interface WebhookAttempt {
  /** When it was sent (UTC). */
  at: string
  /** How long it took. */
  durationMilliseconds: number
  /** The HTTP status of the answer; null where none came. */
  responseStatus: number | null
  /** The first 1,000 characters of the answer. */
  responseBody: string | null
  /** What came of it, for a person to read. */
  detail: string
}
