import { v7 as uuid } from 'uuid'
import type { WebhookDeliveryRecord, WebhookRecord } from '#server/ports/webhook-stores.js'

export function makeWebhook(organizationId: string): WebhookRecord {
  const at = new Date().toISOString()
  return {
    ...{ id: uuid(), organizationId, version: 1, createdAt: at, updatedAt: at },
    ...{ externalId: null, managedBy: null },
    ...{ name: 'Booking system', url: 'https://booking.example.com', events: ['*'], agentIds: [] },
    ...{ payload: 'full', isEnabled: false, disabledReason: null, failingSince: null, isFailingTold: false },
    ...{ sealedSecret: 'v1.sealed', sealedPreviousSecret: null, previousSecretExpiresAt: null },
  }
}

/** A delivery that has ended. */
export function makeDelivery({ id, organizationId }: WebhookRecord): WebhookDeliveryRecord {
  const at = new Date().toISOString()
  return {
    ...{ id: uuid(), organizationId, webhookId: id, createdAt: at, updatedAt: at, messageId: uuid() },
    ...{
      position: 1,
      orderKey: uuid(),
      conversationId: null,
      endUserId: null,
      type: 'task.created',
      body: '{}',
    },
    ...{ state: 'delivered', attemptCount: 1, attemptedAt: at, dueAt: null, endedAt: at },
    ...{ claimedBy: null, claimedAt: null, attempts: [] },
  }
}
