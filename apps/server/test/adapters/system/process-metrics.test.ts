import { Registry } from 'prom-client'
import { expect, test } from 'vitest'
import { addProcessMetrics } from '#server/adapters/system/prometheus-metrics.js'

test('measures the process once and reports the figures for every service in it [OPS-6]', async () => {
  const [one, other] = [new Registry(), new Registry()]
  addProcessMetrics(one)
  addProcessMetrics(other)
  const names = one.getMetricsAsArray().map(({ name }) => name)
  expect(names).toEqual(
    expect.arrayContaining(['nodejs_eventloop_lag_seconds', 'nodejs_gc_duration_seconds']),
  )
  for (const name of names) expect(other.getSingleMetric(name)).toBe(one.getSingleMetric(name))
  expect(await other.metrics()).toMatch(/^nodejs_eventloop_lag_max_seconds \d/m)
})
