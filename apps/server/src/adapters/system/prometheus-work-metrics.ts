import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import type { WorkMetrics } from '../../ports/work-metrics.js'

const toolSeconds = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120]

/** `jobs` are there from the start, at 0: an alert sees the first failure as an increase. */
export function makePrometheusWorkMetrics(registry: Registry, jobs: readonly string[]): WorkMetrics {
  const registers = [registry]
  const failures = new Counter({
    name: 'parley_background_failures_total',
    help: 'Failed runs of background jobs, by name of the job. The next run follows at its interval.',
    labelNames: ['name'],
    registers,
  })
  for (const name of jobs) failures.inc({ name }, 0)
  const tools = new Histogram({
    name: 'parley_tool_call_duration_seconds',
    help: 'Duration of tool calls, by kind of tool and by outcome.',
    labelNames: ['kind', 'outcome'],
    buckets: toolSeconds,
    registers,
  })
  const tokens = new Counter({
    name: 'parley_model_tokens_total',
    help: 'Tokens that models used, by channel, kind of connection and type. Cached input is part of the input.',
    labelNames: ['channel', 'kind', 'type'],
    registers,
  })
  const cost = new Counter({
    name: 'parley_model_cost_usd_total',
    help: 'Cost of models in US dollars, by channel and kind of connection; only models that have a price.',
    labelNames: ['channel', 'kind'],
    registers,
  })
  const unpriced = new Counter({
    name: 'parley_model_unpriced_uses_total',
    help: 'Uses of models without a price, by channel and kind of connection.',
    labelNames: ['channel', 'kind'],
    registers,
  })
  return {
    jobFailed: (name) => failures.inc({ name }),
    toolCalled: ({ kind, outcome, seconds }) => tools.observe({ kind, outcome }, seconds),
    modelUsed({ channel, kind, inputTokens, outputTokens, cachedInputTokens, ...use }) {
      tokens.inc({ channel, kind, type: 'input' }, inputTokens)
      tokens.inc({ channel, kind, type: 'output' }, outputTokens)
      tokens.inc({ channel, kind, type: 'cached_input' }, cachedInputTokens)
      if (use.isPriced) cost.inc({ channel, kind }, use.cost)
      else unpriced.inc({ channel, kind })
    },
  }
}

/** Which version runs, on which Node. */
export function measureBuild(registry: Registry, version: string): void {
  const info = new Gauge({
    name: 'parley_build_info',
    help: 'Always 1; the labels name the version of the service and of Node.',
    labelNames: ['version', 'node'],
    registers: [registry],
    aggregator: 'max',
  })
  info.set({ version, node: process.versions.node }, 1)
}

/** Writes of sessions and turns that wait for the database in this process's memory. */
export function measureWaitingWrites(registry: Registry, count: () => number): void {
  new Gauge({
    name: 'parley_writes_waiting',
    help: 'Writes of sessions and turns that wait in memory for the database.',
    registers: [registry],
    collect() {
      this.set(count())
    },
  })
}
