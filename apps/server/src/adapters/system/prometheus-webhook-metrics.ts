import { Counter, type Registry } from 'prom-client'
import type { WebhookMetrics } from '../../ports/webhook-metrics.js'

const outcomes = ['delivered', 'failed', 'gone'] as const

export function makePrometheusWebhookMetrics(registry: Registry): WebhookMetrics {
  const attempts = new Counter({
    name: 'parley_webhook_attempts_total',
    help: 'Attempts to deliver events to webhooks, by what came of them.',
    labelNames: ['outcome'],
    registers: [registry],
  })
  for (const outcome of outcomes) attempts.inc({ outcome }, 0)
  return { webhookAttempted: (outcome) => attempts.inc({ outcome }) }
}
