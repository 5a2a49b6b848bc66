import { operations } from '@parley/contract'
import { testWebhook } from '../../../domain/webhook-deliveries/test-webhook.js'
import type { Router } from '../operation-route.js'
import type { Services } from '../services.js'

export function registerWebhookRoutes({ read, write, upsert, act }: Router, services: Services): void {
  const { webhooks } = services
  read(operations.listWebhooks, ({ query }, scope) => webhooks.list(scope, query))
  write(operations.createWebhook, ({ body }, scope) => webhooks.create(scope, body))
  read(operations.getWebhook, ({ params }, scope) => webhooks.read(scope, params.webhookId))
  write(operations.replaceWebhook, ({ params, ifMatch, body }, scope) =>
    webhooks.replace(scope, { id: params.webhookId, ifMatch }, body),
  )
  write(operations.patchWebhook, ({ params, ifMatch, body }, scope) =>
    webhooks.patch(scope, { id: params.webhookId, ifMatch }, body),
  )
  upsert(operations.upsertWebhook, ({ params, ifMatch, body }, scope) =>
    webhooks.upsert(scope, { externalId: params.externalId, ifMatch }, body),
  )
  write(operations.deleteWebhook, ({ params, ifMatch }, scope) =>
    webhooks.remove(scope, { id: params.webhookId, ifMatch }),
  )
  act(operations.testWebhook, ({ params }, scope) =>
    testWebhook(services.webhookAttempts, scope, params.webhookId),
  )
  write(operations.rotateWebhookSecret, ({ params }, scope) => webhooks.rotateSecret(scope, params.webhookId))
  read(operations.listWebhookDeliveries, ({ params, query }, scope) =>
    webhooks.listDeliveries(scope, params.webhookId, query),
  )
  write(operations.redeliverWebhookDelivery, ({ params }, scope) => webhooks.redeliver(scope, params))
  write(operations.redeliverWebhook, ({ params, body }, scope) =>
    webhooks.redeliverSince(scope, params.webhookId, body),
  )
}
