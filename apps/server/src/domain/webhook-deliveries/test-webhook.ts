import type { WebhookDelivery } from '@parley/contract'
import { v7 as uuid } from 'uuid'
import type { Database } from '../../ports/database.js'
import type { WebhookDeliveryRecord } from '../../ports/webhook-stores.js'
import { recordChange } from '../audit/record-change.js'
import type { CallerScope } from '../caller-scope.js'
import { DomainError, notFound } from '../domain-error.js'
import { presentDelivery, presentWebhooks } from '../webhooks/webhooks.js'
import { type AttemptDependencies, attemptDelivery, perWebhook } from './attempt-delivery.js'
import { eventBody, publicData } from './expand-events.js'

const type = 'webhook.test'

export interface TestWebhookDependencies extends AttemptDependencies {
  readonly database: Database
  readonly instanceId: string
  readonly leaseSeconds: number
}

/**
 * Sends a test event once, and stores the outcome as a delivery. The delivery is claimed when it is created,
 * so that it counts towards the receiver's concurrent attempts. If this instance dies, another one repeats
 * the attempt.
 */
export async function testWebhook(
  dependencies: TestWebhookDependencies,
  scope: CallerScope,
  id: string,
): Promise<WebhookDelivery> {
  const { clock, database, instanceId } = dependencies
  const { organizationId } = scope.caller
  const owned = database.ownedBy({ organizationId, kind: 'call' })
  const { delivery, outgoing } = await owned.transaction((stores) =>
    begin(dependencies, { ...scope, stores }, id),
  )
  const never = new AbortController().signal
  const outcome = await attemptDelivery(dependencies, outgoing, never)
  if (outcome.kind === 'stopped') throw new DomainError('Unavailable', 'The service is shutting down.')
  const endedAt = clock.now().toISOString()
  const state = outcome.kind === 'delivered' ? 'delivered' : 'failed'
  const attempted = { state, attemptCount: 1, attempts: [outcome.attempt], attemptedAt: endedAt } as const
  const settled: WebhookDeliveryRecord = {
    ...delivery,
    ...attempted,
    dueAt: null,
    endedAt,
    updatedAt: endedAt,
  }
  await owned.transaction(async (stores) => {
    // The webhook may have been deleted in the meantime.
    if ((await stores.webhooks.findLocked(organizationId, id)) === null) throw notFound('Webhook')
    await stores.webhookDeliveries.settle(instanceId, [settled], endedAt)
    const details = { state }
    await recordChange(clock, { ...scope, stores }, { action: 'webhook.test', type: 'Webhook', id, details })
  })
  return presentDelivery(settled)
}

/** Claims a slot of the receiver, under the lock that instances acquire before they claim deliveries. */
async function begin(
  { clock, instanceId, leaseSeconds, timeoutMilliseconds }: TestWebhookDependencies,
  { stores, caller: { organizationId } }: CallerScope,
  webhookId: string,
) {
  const found = await stores.webhooks.findLocked(organizationId, webhookId)
  const [webhook] = await presentWebhooks(stores, found === null ? [] : [found])
  if (webhook === undefined) throw notFound('Webhook')
  const at = clock.now().toISOString()
  const inProgress = await stores.webhookDeliveries.countInProgress(webhookId, leaseSeconds, at)
  if (inProgress >= perWebhook)
    throw new DomainError(
      'RateLimited',
      `This receiver has reached the maximum of ${inProgress} concurrent requests. Try again when one of them has ended.`,
      { retryAfterSeconds: Math.ceil(timeoutMilliseconds / 1000) },
    )
  const [id, messageId] = [uuid(), uuid()]
  const body = eventBody({ type, at, organizationId }, publicData(type, webhook), webhook.payload)
  const delivery: WebhookDeliveryRecord = {
    id,
    organizationId,
    webhookId,
    createdAt: at,
    updatedAt: at,
    messageId,
    type,
    body,
    // The test has its own order key, so that tests and events do not wait for each other.
    ...{
      position: 0,
      orderKey: id,
      conversationId: null,
      endUserId: null,
      state: 'pending',
      attemptCount: 0,
      attempts: [],
    },
    attemptedAt: null,
    dueAt: at,
    endedAt: null,
    claimedBy: instanceId,
    claimedAt: at,
  }
  await stores.webhookDeliveries.insert([delivery])
  return { delivery, outgoing: { webhook, messageId, body } }
}
