import type { DeliveryAttempt, DeliveryState, Webhook, WebhookEventType } from '@parley/contract'
import type { PageRequest, RecordPage, ResourceRecord, ResourceStore, UpsertStore } from './resource-store.js'

export interface WebhookRecord
  extends Readonly<Omit<Webhook, 'waitingCount' | 'lastDelivery'>>,
    ResourceRecord {
  readonly sealedSecret: string
  readonly sealedPreviousSecret: string | null
  /** Whether the other webhooks were told that this one fails. */
  readonly isFailingTold: boolean
}

export interface WebhookFilter {
  readonly search?: string | undefined
}

export interface WebhookStore
  extends ResourceStore<WebhookRecord, WebhookFilter>,
    UpsertStore<WebhookRecord> {
  /** Whether there is a webhook anywhere that wants to be told of something. */
  isAnyEnabled(): Promise<boolean>
  /** The webhooks of these organizations that are enabled. */
  enabledOf(organizationIds: readonly string[]): Promise<readonly WebhookRecord[]>
  /** An attempt has succeeded. */
  markWorking(ids: readonly string[]): Promise<void>
  /** An attempt has failed; returns the webhooks as they are now. */
  markFailing(ids: readonly string[], at: string): Promise<readonly WebhookRecord[]>
  /** The other webhooks are told that this one fails. False where they were. */
  markFailingTold(id: string): Promise<boolean>
  /** Switches it off, as a change of this moment. Null where it was off. */
  disable(id: string, reason: string, at: string): Promise<WebhookRecord | null>
}

/** Something that happened, as the transaction in which it did has left it. */
export interface WebhookEventRecord {
  /** The order in which events happened to one and the same thing. */
  readonly position: number
  readonly organizationId: string
  readonly type: WebhookEventType
  readonly at: string
  readonly agentId: string | null
  /** The conversation whose words it may hold. */
  readonly conversationId: string | null
  /** What it happened to; events of the same are delivered in order. */
  readonly orderKey: string
  /** The resource; more than callers may see of it. */
  readonly data: Readonly<Record<string, unknown>>
}

/**
 * What has happened and was not yet made into deliveries. Most of it is written by triggers on the tables of what it
 * happens to, so that no way to change a row can forget it; where no webhook wants it, nothing is written.
 */
export interface WebhookEventStore {
  /** Says that something happened, where a webhook wants to know. */
  record(event: Omit<WebhookEventRecord, 'position' | 'at'>): Promise<void>
  /** Whether there are any. */
  isAny(): Promise<boolean>
  /** Whether this transaction is the only one of all instances that takes events; it stays so until its end. */
  tryLock(): Promise<boolean>
  /** The oldest events, removed: whoever takes them makes deliveries of them in the same transaction. */
  take(limit: number): Promise<readonly WebhookEventRecord[]>
}

export interface WebhookDeliveryRecord {
  readonly id: string
  readonly organizationId: string
  readonly webhookId: string
  readonly createdAt: string
  readonly updatedAt: string
  /** What is sent as `webhook-id`. */
  readonly messageId: string
  readonly position: number
  readonly orderKey: string
  readonly conversationId: string | null
  readonly type: WebhookEventType
  /** Null where its words were deleted. */
  readonly body: string | null
  readonly state: DeliveryState
  readonly attemptCount: number
  /** When it was last attempted. */
  readonly attemptedAt: string | null
  /** When it is tried next; null where it has ended. */
  readonly dueAt: string | null
  readonly endedAt: string | null
  /** The instance that attempts it now. */
  readonly claimedBy: string | null
  readonly claimedAt: string | null
  /** The newest first. */
  readonly attempts: readonly DeliveryAttempt[]
}

/** A delivery that this instance attempts, and where it goes. */
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

/** The instance that claims, and how old a lease may be before the claims of its instance are anybody's. */
export interface Claimant {
  readonly instanceId: string
  readonly leaseSeconds: number
}

/** How many may be under way, so that nobody waits for somebody else's receiver. */
export interface DeliveryRoom {
  /** On this instance. */
  readonly free: number
  /** On this instance, to receivers that fail. */
  readonly freeForFailing: number
  /** To one receiver, on all instances. */
  readonly perWebhook: number
  /** One that has failed so often does not keep later ones of the same thing back any more. */
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

/** What a list of webhooks tells of their deliveries. */
export type DeliverySummary = Pick<Webhook, 'waitingCount' | 'lastDelivery'>

export interface WebhookDeliveryStore {
  insert(records: readonly WebhookDeliveryRecord[]): Promise<void>
  /**
   * Claims what is due, for this instance: of each webhook in order, of each organization in turn, and first what goes to
   * receivers that work. What an instance without a lease has claimed is free again.
   */
  claim(claimant: Claimant, now: string, room: DeliveryRoom): Promise<readonly ClaimedDelivery[]>
  /** Returns how many are under way on all instances. Exact while the webhook's row is locked. */
  countUnderWay(webhookId: string, leaseSeconds: number, now: string): Promise<number>
  /** Writes down what came of attempts that this instance has claimed, and releases them; what others have is left alone. */
  settle(instanceId: string, settled: readonly SettledDelivery[], at: string): Promise<void>
  find(webhookId: string, id: string): Promise<WebhookDeliveryRecord | null>
  list(
    webhookId: string,
    filter: DeliveryFilter,
    page: PageRequest,
  ): Promise<RecordPage<WebhookDeliveryRecord>>
  /** What waits for each of these webhooks, and what was attempted last. */
  summaries(webhookIds: readonly string[]): Promise<ReadonlyMap<string, DeliverySummary>>
  /** How many wait for each of these webhooks, counted no further than `atMost`. */
  countWaiting(webhookIds: readonly string[], atMost: number): Promise<ReadonlyMap<string, number>>
  /** Lets it be delivered again from the start. Null where there is none, or its body is gone. */
  redeliver(webhookId: string, id: string, at: string): Promise<WebhookDeliveryRecord | null>
  /** The same for all that have ended; returns how many. */
  redeliverSince(redelivery: Redelivery, at: string): Promise<number>
  /** Removes every word of a conversation that is deleted: what waits is not sent any more. */
  forgetConversation(conversationId: string, at: string): Promise<void>
}

export type SettledDelivery = Pick<
  WebhookDeliveryRecord,
  'id' | 'state' | 'attemptCount' | 'attemptedAt' | 'dueAt' | 'endedAt' | 'attempts' | 'claimedAt'
>
