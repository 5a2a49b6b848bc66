import type { Registry } from 'prom-client'
import { makePrometheusWebhookMetrics } from '../adapters/system/prometheus-metrics.js'
import type { Config } from '../config/config.js'
import type { TestWebhookDependencies } from '../domain/webhook-deliveries/test-webhook.js'
import { WebhookDeliveries } from '../domain/webhook-deliveries/webhook-deliveries.js'
import { makeWebhooks, type Webhooks, type WebhooksDependencies } from '../domain/webhooks/webhooks.js'
import type { Database } from '../ports/database.js'
import type { Log } from '../ports/log.js'
import type { Timers } from '../ports/time.js'

export interface ComposeWebhooksOptions extends WebhooksDependencies {
  readonly config: Config
  readonly database: Database
  readonly timers: Timers
  readonly log: Log
  readonly instanceId: string
  readonly registry: Registry
}

export interface ComposedWebhooks {
  readonly services: {
    readonly webhooks: Webhooks
    readonly webhookAttempts: TestWebhookDependencies
  }
  readonly deliveries: WebhookDeliveries
}

/** Composes webhooks and their deliveries. */
export function composeWebhooks(options: ComposeWebhooksOptions): ComposedWebhooks {
  const { config, database, clock, timers, log, cipher, outbound, instanceId, registry } = options
  const timeoutMilliseconds = config.webhookTimeoutSeconds * 1000
  const { leaseSeconds } = config
  const webhookAttempts = {
    database,
    clock,
    timers,
    cipher,
    outbound,
    timeoutMilliseconds,
    instanceId,
    leaseSeconds,
  }
  const metrics = makePrometheusWebhookMetrics(registry)
  return {
    services: { webhooks: makeWebhooks(options), webhookAttempts },
    deliveries: new WebhookDeliveries({ ...webhookAttempts, log, metrics }),
  }
}
