import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type {
  LimitMetrics,
  Metrics,
  RealtimeMetrics,
  RelayCounters,
  TurnMetrics,
  WebhookMetrics,
  WorkMetrics,
} from '../../ports/metrics.js'

/** `renderText` returns the metrics of this process, or of all workers. */
export function makePrometheusMetrics(registry: Registry, renderText: () => Promise<string>): Metrics {
  addProcessMetrics(registry)
  const registers = [registry]
  const requests = new Histogram({
    name: 'parley_http_request_duration_seconds',
    help: 'Time from the first byte of a request to the end of its response.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers,
  })
  const refusedKeys = new Counter({
    name: 'parley_refused_keys_total',
    help: 'Requests rejected because of their key.',
    labelNames: ['reason'],
    registers,
  })
  const rateLimited = new Counter({
    name: 'parley_rate_limited_total',
    help: 'Requests rejected by the rate limit.',
    registers,
  })
  const sealed = new Counter({
    name: 'parley_audit_records_sealed_total',
    help: 'Audit records that were sealed.',
    registers,
  })
  const removed = new Counter({
    name: 'parley_overdue_removed_total',
    help: 'Rows that were removed after their retention period, by kind.',
    labelNames: ['kind'],
    registers,
  })
  const jumps = new Counter({
    name: 'parley_clock_jumps_total',
    help: 'Clock jumps of more than one minute, on the database server or, with the embedded database, on this machine.',
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

/** Every limit starts at 0, so that an alert works before the first rejection. */
export function makePrometheusLimitMetrics(registry: Registry, limits: readonly string[]): LimitMetrics {
  const reached = new Counter({
    name: 'parley_organization_limit_refusals_total',
    help: 'Requests rejected because an organization had reached a limit, by limit.',
    labelNames: ['limit'],
    registers: [registry],
  })
  for (const limit of limits) reached.inc({ limit }, 0)
  return { limitReached: (limit) => reached.inc({ limit }) }
}

const firstWordsSeconds = [0.1, 0.25, 0.5, 1, 2, 3, 5, 10, 20, 30, 60, 120]

export function makePrometheusTurnMetrics(registry: Registry): TurnMetrics {
  const registers = [registry]
  const active = new Gauge({
    name: 'parley_turns_active',
    help: 'Text turns in progress.',
    registers,
  })
  const ended = new Counter({
    name: 'parley_turns_ended_total',
    help: 'Text turns that ended, by final state.',
    labelNames: ['state'],
    registers,
  })
  const firstWords = new Histogram({
    name: 'parley_turn_first_words_seconds',
    help: 'Time from the start of a turn to the first words of its answer.',
    buckets: firstWordsSeconds,
    registers,
  })
  return {
    turnStarted: () => active.inc(),
    turnEnded(state) {
      active.dec()
      ended.inc({ state })
    },
    firstWords: (time) => firstWords.observe(time),
  }
}

const voiceSeconds = [0.05, 0.1, 0.25, 0.5, 0.75, 1, 1.5, 2, 3, 5, 10, 15]

export function makePrometheusRealtimeMetrics(registry: Registry): RealtimeMetrics {
  const registers = [registry]
  const relayed: RelayCounters = { clientFrames: 0, clientBytes: 0, providerFrames: 0, providerBytes: 0 }
  countFromNumbers(registry, relayed)
  const active = new Gauge({
    name: 'parley_realtime_sessions_active',
    help: 'Running sessions.',
    registers,
  })
  const ended = new Counter({
    name: 'parley_realtime_sessions_ended_total',
    help: 'Sessions that ended, by reason.',
    labelNames: ['reason'],
    registers,
  })
  const connectTime = new Histogram({
    name: 'parley_realtime_provider_connect_seconds',
    help: 'Time that the provider took to connect.',
    buckets: voiceSeconds,
    registers,
  })
  const firstAudio = new Histogram({
    name: 'parley_realtime_first_audio_seconds',
    help: "Time from the end of a user's turn to the first audio of the answer.",
    buckets: voiceSeconds,
    registers,
  })
  return {
    relayed,
    sessionStarted: () => active.inc(),
    sessionEnded(reason) {
      active.dec()
      ended.inc({ reason })
    },
    providerConnected: (time) => connectTime.observe(time),
    firstAudio: (time) => firstAudio.observe(time),
  }
}

/** Frames are counted as plain numbers, which are converted to metrics only when metrics are collected. */
function countFromNumbers(registry: Registry, relayed: RelayCounters): void {
  const counter = (name: string, help: string, client: keyof RelayCounters, provider: keyof RelayCounters) =>
    new Counter({
      name,
      help,
      labelNames: ['from'],
      registers: [registry],
      collect() {
        this.reset()
        this.inc({ from: 'client' }, relayed[client])
        this.inc({ from: 'provider' }, relayed[provider])
      },
    })
  counter('parley_realtime_frames_total', 'Frames relayed, by sender.', 'clientFrames', 'providerFrames')
  counter('parley_realtime_bytes_total', 'Bytes relayed, by sender.', 'clientBytes', 'providerBytes')
}

/** Measures the availability of Redis: 0 if it is unavailable for at least one worker. */
export function measureRedis(registry: Registry, isUnavailable: () => boolean): void {
  new Gauge({
    name: 'parley_redis_up',
    help: 'Whether Redis responds (1). If not (0), each instance counts limits separately and polls for changes.',
    registers: [registry],
    aggregator: 'min',
    collect() {
      this.set(isUnavailable() ? 0 : 1)
    },
  })
}

const deliveryOutcomes = ['delivered', 'failed', 'gone'] as const

export function makePrometheusWebhookMetrics(registry: Registry): WebhookMetrics {
  const attempts = new Counter({
    name: 'parley_webhook_attempts_total',
    help: 'Attempts to deliver events to webhooks, by outcome.',
    labelNames: ['outcome'],
    registers: [registry],
  })
  for (const outcome of deliveryOutcomes) attempts.inc({ outcome }, 0)
  return { webhookAttempted: (outcome) => attempts.inc({ outcome }) }
}

const toolSeconds = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120]

/** Every job starts at 0, so that an alert sees the first failure as an increase. */
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

/** Exports the versions of the service and of Node. */
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

/** Measures the writes of sessions and turns that are queued in memory. */
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

const ofProcess = new Registry()

/**
 * Adds the metrics of the process: memory, event loop, garbage collection. All services in the process share
 * them, because their timer and observer cannot be stopped.
 */
export function addProcessMetrics(registry: Registry): void {
  if (ofProcess.getMetricsAsArray().length === 0) collectDefaultMetrics({ register: ofProcess })
  for (const { name } of ofProcess.getMetricsAsArray()) {
    const metric = ofProcess.getSingleMetric(name)
    if (metric !== undefined) registry.registerMetric(metric)
  }
}
