import type { WebhookDelivery } from '@parley/contract'
import { v7 as uuid } from 'uuid'
import type { Database } from '../../ports/database.js'
import type { WebhookDeliveryRecord } from '../../ports/webhook-delivery-store.js'
import { recordChange } from '../audit/record-change.js'
import type { CallerScope } from '../caller-scope.js'
import { DomainError, notFound } from '../domain-error.js'
import { presentDelivery, presentWebhooks } from '../webhooks/present-webhook.js'
import { type AttemptDependencies, attemptDelivery } from './attempt-delivery.js'
import { eventBody, publicData } from './event-body.js'

const type = 'webhook.test'

/** Posts a test event once, and keeps what came of it among the deliveries. */
export async function testWebhook(
  dependencies: AttemptDependencies & { readonly database: Database },
  scope: CallerScope,
  id: string,
): Promise<WebhookDelivery> {
  const { clock, database } = dependencies
  const { organizationId } = scope.caller
  const found = await scope.stores.webhooks.find(organizationId, id)
  const [webhook] = await presentWebhooks(scope.stores, found === null ? [] : [found])
  if (webhook === undefined) throw notFound('Webhook')
  const at = clock.now().toISOString()
  const messageId = uuid()
  const body = eventBody({ type, at, organizationId }, publicData(type, webhook), webhook.payload)
  const never = new AbortController().signal
  const outcome = await attemptDelivery(dependencies, { webhook, messageId, body }, never)
  if (outcome.kind === 'stopped') throw new DomainError('Unavailable', 'The service is shutting down.')
  const endedAt = clock.now().toISOString()
  const record: WebhookDeliveryRecord = {
    ...{
      id: uuid(),
      organizationId,
      webhookId: id,
      createdAt: at,
      updatedAt: endedAt,
      messageId,
      type,
      body,
    },
    ...{ position: 0, orderKey: id, conversationId: null, attemptCount: 1, attempts: [outcome.attempt] },
    state: outcome.kind === 'delivered' ? 'delivered' : 'failed',
    ...{ attemptedAt: endedAt, dueAt: null, endedAt, claimedBy: null, claimedAt: null },
  }
  await database.ownedBy({ organizationId, kind: 'call' }).transaction(async (stores) => {
    // It may have been deleted meanwhile.
    if ((await stores.webhooks.findLocked(organizationId, id)) === null) throw notFound('Webhook')
    await stores.webhookDeliveries.insert([record])
    const details = { state: record.state }
    await recordChange(clock, { ...scope, stores }, { action: 'webhook.test', type: 'Webhook', id, details })
  })
  return presentDelivery(record)
}
