import type { WebhookEventType } from '@parley/contract'

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
