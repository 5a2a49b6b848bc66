import { Counter, Histogram, type Registry } from 'prom-client'
import type { Metrics } from '../../ports/metrics.js'
import { addProcessMetrics } from './process-metrics.js'

/** `renderText` writes everything down, of this process alone or of all workers. */
export function makePrometheusMetrics(registry: Registry, renderText: () => Promise<string>): Metrics {
  addProcessMetrics(registry)
  const registers = [registry]
  const requests = new Histogram({
    name: 'parley_http_request_duration_seconds',
    help: 'Time from the first byte of a request to the end of its answer.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers,
  })
  const refusedKeys = new Counter({
    name: 'parley_refused_keys_total',
    help: 'Requests refused because of their key.',
    labelNames: ['reason'],
    registers,
  })
  const rateLimited = new Counter({
    name: 'parley_rate_limited_total',
    help: 'Requests refused by the rate limit.',
    registers,
  })
  const sealed = new Counter({
    name: 'parley_audit_records_sealed_total',
    help: 'Audit records that were given their place in the chain.',
    registers,
  })
  const removed = new Counter({
    name: 'parley_overdue_removed_total',
    help: 'Rows that were removed after they had been kept for their time, by kind.',
    labelNames: ['kind'],
    registers,
  })
  const jumps = new Counter({
    name: 'parley_clock_jumps_total',
    help: 'Jumps of the time by more than a minute: of the database, or of the machine with the embedded one.',
    registers,
  })
  return {
    requestFinished: ({ method, route, status, seconds }) =>
      requests.observe({ method, route, status }, seconds),
    keyRefused: (reason) => refusedKeys.inc({ reason }),
    rateLimited: () => rateLimited.inc(),
    auditRecordsSealed: (count) => sealed.inc(count),
    overdueRemoved: (kind, count) => removed.inc({ kind }, count),
    clockJumped: () => jumps.inc(),
    render: async () => ({ contentType: registry.contentType, text: await renderText() }),
  }
}
