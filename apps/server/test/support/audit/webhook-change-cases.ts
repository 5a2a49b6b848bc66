import { expect } from 'vitest'
import type { RunningService } from '../start-service.js'
import { nowhere } from '../webhooks/nowhere.js'
import type { ChangeCase } from './change-cases.js'

const webhooks = '/api/v1/Webhook'
const webhook = { name: 'Audited', url: nowhere, events: ['webhook.failing'] }

/** Returns the ids of a webhook and of a failed delivery to it. */
async function arrangeDelivery({ client }: RunningService): Promise<string> {
  const { body: made } = await client.call<{ id: string }>('POST', webhooks, { body: webhook })
  const { body: tested } = await client.call<{ id: string }>('POST', `${webhooks}/${made.id}/test`)
  return `${made.id} ${tested.id}`
}

export const webhookChanges = {
  'creating a webhook': {
    method: 'POST',
    path: () => webhooks,
    body: webhook,
    action: 'webhook.create',
    resourceType: 'Webhook',
    details: { name: 'Audited', events: ['webhook.failing'] },
  },
  'replacing a webhook': {
    prepare: [webhooks, webhook],
    method: 'PUT',
    path: (id) => `${webhooks}/${id}`,
    body: { ...webhook, name: 'Replaced' },
    action: 'webhook.update',
    resourceType: 'Webhook',
    details: { changed: ['name'] },
  },
  'patching a webhook': {
    prepare: [webhooks, webhook],
    method: 'PATCH',
    path: (id) => `${webhooks}/${id}`,
    body: { payload: 'ids' },
    action: 'webhook.update',
    resourceType: 'Webhook',
    details: { changed: ['payload'] },
  },
  'deleting a webhook': {
    prepare: [webhooks, webhook],
    method: 'DELETE',
    path: (id) => `${webhooks}/${id}`,
    action: 'webhook.delete',
    resourceType: 'Webhook',
    details: { name: 'Audited' },
  },
  'testing a webhook': {
    prepare: [webhooks, webhook],
    method: 'POST',
    path: (id) => `${webhooks}/${id}/test`,
    action: 'webhook.test',
    resourceType: 'Webhook',
    details: { state: 'failed' },
    resourceId: (id) => id,
  },
  'rotating the secret of a webhook': {
    prepare: [webhooks, webhook],
    method: 'POST',
    path: (id) => `${webhooks}/${id}/rotate-secret`,
    action: 'webhook.rotate_secret',
    resourceType: 'Webhook',
    details: {},
  },
  'repeating a delivery': {
    arrange: arrangeDelivery,
    method: 'POST',
    path(ids) {
      const [webhookId, deliveryId = '-'] = ids.split(' ')
      return `${webhooks}/${webhookId}/delivery/${deliveryId}/redeliver`
    },
    action: 'webhook.redeliver',
    resourceType: 'Webhook',
    details: { deliveryId: expect.any(String) },
    resourceId: (ids) => ids.split(' ')[0] ?? '',
  },
  'repeating all deliveries since a time': {
    prepare: [webhooks, webhook],
    method: 'POST',
    path: (id) => `${webhooks}/${id}/redeliver`,
    body: { since: '2030-01-01T00:00:00Z' },
    action: 'webhook.redeliver',
    resourceType: 'Webhook',
    details: { since: '2030-01-01T00:00:00.000Z', state: null, count: 0 },
    resourceId: (id) => id,
  },
} satisfies Record<string, Omit<ChangeCase, 'change'>>
