import { Counter, type Registry } from 'prom-client'
import type { LimitMetrics } from '../../ports/limit-metrics.js'

/** `limits` are there from the start, at 0: an alert can be written before the first refusal. */
export function makePrometheusLimitMetrics(registry: Registry, limits: readonly string[]): LimitMetrics {
  const reached = new Counter({
    name: 'parley_organization_limit_refusals_total',
    help: 'Refusals because an organization had reached a limit, by limit.',
    labelNames: ['limit'],
    registers: [registry],
  })
  for (const limit of limits) reached.inc({ limit }, 0)
  return { limitReached: (limit) => reached.inc({ limit }) }
}
