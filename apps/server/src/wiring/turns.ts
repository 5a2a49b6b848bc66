import type { Registry } from 'prom-client'
import { makePrometheusTurnMetrics } from '../adapters/system/prometheus-metrics.js'
import type { Config } from '../config/config.js'
import type { Limits } from '../domain/limits/organization-limits.js'
import type { Questions } from '../domain/turns/ask-question.js'
import { TurnFeeds } from '../domain/turns/follow-turn.js'
import { RunningTurns } from '../domain/turns/running-turns.js'
import type { ChangeSignals } from '../ports/changes.js'
import type { ChatModels } from '../ports/chat-model.js'
import type { Database } from '../ports/database.js'
import type { Log } from '../ports/log.js'
import type { WorkMetrics } from '../ports/metrics.js'
import type { Cipher } from '../ports/secrets.js'
import type { Clock, Timers } from '../ports/time.js'
import type { Tracing } from '../ports/tracing.js'
import type { ComposedTools } from './tools.js'

export interface ComposeTurnsOptions {
  readonly config: Config
  readonly database: Database
  readonly clock: Clock
  readonly limits: Limits
  readonly timers: Timers
  readonly log: Log
  readonly cipher: Cipher
  readonly instanceId: string
  readonly models: ChatModels
  readonly tools: ComposedTools
  readonly registry: Registry
  readonly signals: ChangeSignals
  readonly tracing: Tracing
  readonly workMetrics: WorkMetrics
}

/** Composes text turns and the feeds that follow them. */
export function composeTurns({ config, tools, registry, ...options }: ComposeTurnsOptions): Questions {
  const feeds = new TurnFeeds(options.signals)
  const running = new RunningTurns({
    ...options,
    feeds,
    metrics: makePrometheusTurnMetrics(registry),
    discoverMcpTools: tools.trials.discoverMcpTools,
    calls: tools.calls,
    maxRunningPerOrganization: config.organization.runningTurns,
    contextTokens: config.chatContextTokens,
    stepTimeoutMilliseconds: config.chatTimeoutSeconds * 1000,
    taskSettings: config.tasks,
    taskMaxSteps: config.tasks.maxSteps,
  })
  return { ...options, feeds, running }
}
