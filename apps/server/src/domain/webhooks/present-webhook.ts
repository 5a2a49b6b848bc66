import type { WebhookDelivery } from '@parley/contract'
import type { Stores } from '../../ports/database.js'
import type { DeliverySummary, WebhookDeliveryRecord } from '../../ports/webhook-delivery-store.js'
import type { WebhookRecord } from '../../ports/webhook-store.js'

/** A webhook as callers see it: with how its deliveries go. */
export type PresentedWebhook = WebhookRecord & DeliverySummary

const nothingYet: DeliverySummary = { waitingCount: 0, lastDelivery: null }

export async function presentWebhooks(
  stores: Stores,
  records: readonly WebhookRecord[],
): Promise<readonly PresentedWebhook[]> {
  const summaries = await stores.webhookDeliveries.summaries(records.map(({ id }) => id))
  return records.map((record) => ({ ...record, ...(summaries.get(record.id) ?? nothingYet) }))
}

export function presentDelivery({ dueAt, attempts, ...record }: WebhookDeliveryRecord): WebhookDelivery {
  return { ...record, nextAttemptAt: dueAt, attempts: [...attempts] }
}
