import type { Webhook } from '@parley/contract'
import type { ResourceRecord, ResourceStore, UpsertStore } from './resource-store.js'

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
