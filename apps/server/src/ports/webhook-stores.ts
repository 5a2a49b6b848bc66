import type { DeliveryAttempt, DeliveryState, Webhook, WebhookEventType } from '@parley/contract'
import type { PageRequest, RecordPage, ResourceRecord, ResourceStore, UpsertStore } from './resource-store.js'

export interface WebhookRecord
  extends Readonly<Omit<Webhook, 'waitingCount' | 'lastDelivery'>>,
    ResourceRecord {
  readonly sealedSecret: string
  readonly sealedPreviousSecret: string | null
  /** Whether other webhooks have received the event that this webhook fails. */
  readonly isFailingTold: boolean
}

export interface WebhookFilter {
  readonly search?: string | undefined
}

export interface WebhookStore
  extends ResourceStore<WebhookRecord, WebhookFilter>,
    UpsertStore<WebhookRecord> {
  /** Returns whether any organization has an enabled webhook. */
  isAnyEnabled(): Promise<boolean>
  /** Returns the enabled webhooks of these organizations. */
  enabledOf(organizationIds: readonly string[]): Promise<readonly WebhookRecord[]>
  /** Called when an attempt has succeeded. */
  markWorking(ids: readonly string[]): Promise<void>
  /** Called when an attempt has failed. Returns the updated webhooks. */
  markFailing(ids: readonly string[], at: string): Promise<readonly WebhookRecord[]>
  /**
   * Records that other webhooks receive the event that this one fails. Returns false if that was recorded
   * already.
   */
  markFailingTold(id: string): Promise<boolean>
  /** Disables the webhook. Returns null if it was disabled already. */
  disable(id: string, reason: string, at: string): Promise<WebhookRecord | null>
}

/** An event, as recorded by the transaction in which it occurred. */
export interface WebhookEventRecord {
  /** The order of the events about one resource. */
  readonly position: number
  readonly organizationId: string
  readonly type: WebhookEventType
  readonly at: string
  readonly agentId: string | null
  /** The conversation whose texts the event may contain. */
  readonly conversationId: string | null
  /** The resource that the event is about. Events about the same resource are delivered in order. */
  readonly orderKey: string
  /** The resource. It may contain fields that callers must not see. */
  readonly data: Readonly<Record<string, unknown>>
}

/**
 * Events that were not yet turned into deliveries. Triggers on the tables of the resources write most of
 * them, so that no code path can omit an event. Nothing is written if no webhook is subscribed to the event.
 */
export interface WebhookEventStore {
  /** Records an event if a webhook is subscribed to it. */
  record(event: Omit<WebhookEventRecord, 'position' | 'at'>): Promise<void>
  /** Returns whether there are any events. */
  isAny(): Promise<boolean>
  /**
   * Tries to become the only transaction of all instances that takes events. The lock is held until the
   * transaction ends.
   */
  tryLock(): Promise<boolean>
  /**
   * Removes and returns the oldest events. The caller must insert their deliveries in the same transaction.
   */
  take(limit: number): Promise<readonly WebhookEventRecord[]>
}

export interface WebhookDeliveryRecord {
  readonly id: string
  readonly organizationId: string
  readonly webhookId: string
  readonly createdAt: string
  readonly updatedAt: string
  /** Sent as `webhook-id`. */
  readonly messageId: string
  readonly position: number
  readonly orderKey: string
  readonly conversationId: string | null
  /** The end user that the body names, or null. */
  readonly endUserId: string | null
  readonly type: WebhookEventType
  /** Null if its conversation was deleted. */
  readonly body: string | null
  readonly state: DeliveryState
  readonly attemptCount: number
  readonly attemptedAt: string | null
  /** The time of the next attempt, or null if the delivery has ended. */
  readonly dueAt: string | null
  readonly endedAt: string | null
  /** The instance that currently attempts the delivery. */
  readonly claimedBy: string | null
  readonly claimedAt: string | null
  /** Newest first. */
  readonly attempts: readonly DeliveryAttempt[]
}

/** A delivery that this instance attempts, and its webhook. */
export interface ClaimedDelivery extends WebhookDeliveryRecord {
  readonly body: string
  readonly webhook: Pick<
    WebhookRecord,
    | 'id'
    | 'organizationId'
    | 'url'
    | 'sealedSecret'
    | 'sealedPreviousSecret'
    | 'previousSecretExpiresAt'
    | 'failingSince'
  >
}

/** The claiming instance. Claims of instances whose lease was not renewed for `leaseSeconds` are void. */
export interface Claimant {
  readonly instanceId: string
  readonly leaseSeconds: number
}

/** Limits for concurrent deliveries, so that a slow receiver does not delay others. */
export interface DeliveryRoom {
  /** Free slots on this instance. */
  readonly free: number
  /** Free slots on this instance for failing receivers. */
  readonly freeForFailing: number
  /** The maximum for one receiver, across all instances. */
  readonly perWebhook: number
  /** A delivery that has failed this often no longer blocks later deliveries about the same resource. */
  readonly attemptsInOrder: number
}

export interface DeliveryFilter {
  readonly state?: DeliveryState | undefined
  readonly type?: WebhookEventType | undefined
  readonly from?: string | undefined
  readonly to?: string | undefined
}

export interface Redelivery {
  readonly webhookId: string
  readonly since: string
  readonly state: 'delivered' | 'failed' | null
}

/** The delivery fields in a list of webhooks. */
export type DeliverySummary = Pick<Webhook, 'waitingCount' | 'lastDelivery'>

export interface WebhookDeliveryStore {
  insert(records: readonly WebhookDeliveryRecord[]): Promise<void>
  /**
   * Claims due deliveries for this instance: in order for each webhook, alternating between organizations,
   * and working receivers first. Claims of instances without a lease are void.
   */
  claim(claimant: Claimant, now: string, room: DeliveryRoom): Promise<readonly ClaimedDelivery[]>
  /**
   * Returns the number of deliveries in progress on all instances. The number is exact while the webhook's
   * row is locked.
   */
  countInProgress(webhookId: string, leaseSeconds: number, now: string): Promise<number>
  /**
   * Saves the results of attempts that this instance has claimed, and releases the claims. Ignores
   * deliveries claimed by other instances.
   */
  settle(instanceId: string, settled: readonly SettledDelivery[], at: string): Promise<void>
  find(webhookId: string, id: string): Promise<WebhookDeliveryRecord | null>
  list(
    webhookId: string,
    filter: DeliveryFilter,
    page: PageRequest,
  ): Promise<RecordPage<WebhookDeliveryRecord>>
  /** Returns the number of pending deliveries and the last attempt of each webhook. */
  summaries(webhookIds: readonly string[]): Promise<ReadonlyMap<string, DeliverySummary>>
  /** Returns the number of pending deliveries of each webhook, counted up to `atMost`. */
  countWaiting(webhookIds: readonly string[], atMost: number): Promise<ReadonlyMap<string, number>>
  /** Restarts the delivery. Returns null if it does not exist or its body was deleted. */
  redeliver(webhookId: string, id: string, at: string): Promise<WebhookDeliveryRecord | null>
  /** Restarts all ended deliveries since `since` that match. Returns their number. */
  redeliverSince(redelivery: Redelivery, at: string): Promise<number>
  /**
   * Called when a conversation is deleted. Erases its texts from events and deliveries. Pending deliveries
   * fail.
   */
  forgetConversation(conversationId: string, at: string): Promise<void>
}

export type SettledDelivery = Pick<
  WebhookDeliveryRecord,
  'id' | 'state' | 'attemptCount' | 'attemptedAt' | 'dueAt' | 'endedAt' | 'attempts' | 'claimedAt'
>
