import cluster from 'node:cluster'
import { makeFrameSocket, RelayWebSocket } from '@parley/relay-socket'
import type { Logger } from 'pino'
import { Registry } from 'prom-client'
import { v7 as uuid } from 'uuid'
import { metricsOfAllWorkers } from '../adapters/system/cluster-metrics.js'
import { measureDatabase } from '../adapters/system/prometheus-database-metrics.js'
import {
  makePrometheusLimitMetrics,
  makePrometheusMetrics,
  makePrometheusRealtimeMetrics,
  makePrometheusWorkMetrics,
  measureBuild,
  measureWaitingWrites,
} from '../adapters/system/prometheus-metrics.js'
import { systemTimers } from '../adapters/system/timers.js'
import type { Config } from '../config/config.js'
import { makeApiKeys } from '../domain/access/api-keys.js'
import { makeConversations } from '../domain/conversations/conversations.js'
import type { DrainOptions } from '../domain/durability/drain-options.js'
import { type AnsweringModel, findAnsweringModel } from '../domain/first-start/answering-model.js'
import type { FirstStart } from '../domain/first-start/first-start.js'
import { Limits, organizationLimits } from '../domain/limits/organization-limits.js'
import { makeRealtimeSessions } from '../domain/realtime/realtime-sessions.js'
import { RunningSessions } from '../domain/realtime/session/running-sessions.js'
import type { SessionDependencies } from '../domain/realtime/session/session.js'
import { makeTasks } from '../domain/tasks/tasks.js'
import { makeApprovals } from '../domain/tools/approvals/approvals.js'
import type { RunningTurns } from '../domain/turns/running-turns.js'
import { buildApp } from '../edge/http/build-app.js'
import { makeQuietConnectionsCloser } from '../edge/http/idle-connections.js'
import { makeClientAddress } from '../edge/http/request/client-address.js'
import type { App, Services } from '../edge/http/services.js'
import { makePhoneMediaHandler } from '../edge/ws/phone-media.js'
import { type ClientSockets, makeUpgradeHandler, type UpgradeDependencies } from '../edge/ws/upgrade.js'
import type { ChangeSignals } from '../ports/changes.js'
import type { Database } from '../ports/database.js'
import type { Log } from '../ports/log.js'
import type { Metrics, WorkMetrics } from '../ports/metrics.js'
import type { Clock, Timers } from '../ports/time.js'
import type { Tracing } from '../ports/tracing.js'
import { version } from '../version.js'
import {
  type BackgroundWork,
  type BackgroundWorkOptions,
  backgroundJobs,
  startBackgroundWork,
} from './background-work.js'
import { composeClock } from './clock.js'
import { concernedBy, requestsRemoval } from './concerned-work.js'
import { composeEndUsers, composeEndUserWork } from './end-users.js'
import { composeFiles } from './files.js'
import { composeFoundation, setUpInstallation } from './foundation.js'
import { composeLive } from './live.js'
import { composeMcp } from './mcp.js'
import { type ComposedModels, composeModels } from './models.js'
import { type OpenedDatabase, openWithSecrets } from './open-with-secrets.js'
import { type OperatorDoor, openDoor } from './operator.js'
import { composePeople } from './people.js'
import { composeRedis } from './redis.js'
import { makeStartGate, type StartGate } from './start-gate.js'
import { composeStoredTests } from './stored-tests.js'
import { composeTaskRuns } from './task-runs.js'
import { composeTelephone } from './telephone.js'
import { composeTools } from './tools.js'
import { composeTracing } from './tracing.js'
import { composeTurns } from './turns.js'
import { composeUsage } from './usage.js'
import { composeWebhooks } from './webhooks.js'

/** The composed service, ready to listen. */
export interface Service {
  readonly app: App
  readonly database: Database
  /**
   * Listens on the port first, so that a port that is in use fails before anything is stored. Then sets up
   * the installation if necessary, and serves. Requests that arrive earlier wait.
   */
  listen(address: { readonly host: string; readonly port: number }): Promise<Listening>
  /** Returns the running work that a shutdown would wait for, and the work that it would not wait for. */
  inProgress(options?: DrainOptions): WorkInProgress
  /** Fails readiness checks from now on. Running work continues. */
  drain(): void
  /** Waits for running work, up to the configured time, and then releases all resources. */
  close(options?: DrainOptions): Promise<void>
}

export interface WorkInProgress {
  readonly sessions: number
  readonly turns: number
  /** Turns that wait only for a user's decision. A shutdown ends them without waiting. */
  readonly waitingTurns: number
}

export interface Listening {
  readonly port: number
  readonly url: string
  /** The result of the first start. Null on every later start. */
  readonly firstStart: FirstStart | null
  /** The model that answers for the first organization's agents, or null if there is none. */
  readonly answering: AnsweringModel | null
}

export interface ComposeOptions {
  readonly log: Logger
  /** The name of this process among the instances, as in the log. Defaults to a new id. */
  readonly instanceId?: string
  readonly clock?: Clock
  readonly timers?: Timers
  /** How often an instance polls for changes of other instances. Defaults to the interval of its database. */
  readonly pollMilliseconds?: number
  /** The database, if it is already being opened. */
  readonly opened?: Promise<OpenedDatabase>
  /** Called when the service cannot continue. */
  readonly onFatal: (error: Error) => void
}

/** Composes the service. Only this function connects adapters with domain and edge. */
export async function compose(
  config: Config,
  { log, instanceId = uuid(), timers = systemTimers, onFatal, pollMilliseconds, ...options }: ComposeOptions,
): Promise<Service> {
  const opened = await (options.opened ?? openWithSecrets(config, { log, onCrash: onFatal }))
  const { clock, watchClock, ...clockWatch } = await composeClock(config, opened.database, options.clock)
  const registry = new Registry()
  const limits = makeLimits(config, registry)
  const foundation = await composeFoundation(config, { opened, clock, limits, timers })
  const { database, cipher, chainKeys, outbound, providerOutbound, agents, connections } = foundation
  const metrics = makeMetrics(registry)
  watchClock({ log, metrics })
  const tracing = await composeTracing(config, { log, instanceId, database })
  const workMetrics = measureWork(registry, database)
  const world = { database, clock, timers, log, tracing, workMetrics }
  const shared = await composeRedis(config, { log, instanceId, registry })
  const tasks = makeTasks({ clock, limits, settings: config.tasks, onPlanned: () => taskRuns.expect() })
  const models = await composeModels({ ...foundation, config, log, timers, tracing })
  const outside = { cipher, outbound, models: models.chat }
  const { mcpTokens, ...mcp } = composeMcp({ ...world, ...foundation, people: () => people })
  const tools = composeTools({ ...world, config, tasks, instanceId, mcpTokens, ...outside })
  const sessions = makeSessions(config, { ...world, tools: tools.calls, instanceId, registry })
  const files = composeFiles({ config, database, clock, timers, log, limits })
  const working = { ...world, config, limits, instanceId, signals: shared.signals }
  const questions = composeTurns({ ...working, tools, registry, ...outside })
  measureWaitingWrites(registry, () => sessions.waitingWrites + questions.running.waitingWrites)
  const webhooks = composeWebhooks({ ...foundation, config, timers, log, instanceId, registry })
  const taskRuns = composeTaskRuns({ ...working, questions })
  const talks = { approvals: makeApprovals({ clock }), conversations: makeConversations({ clock }) }
  const { tests, ...storedTests } = composeStoredTests({ ...working, questions, ...talks })
  const live = composeLive(working)
  let background: BackgroundWork | undefined
  let door: OperatorDoor | undefined
  let settingUp: ReturnType<typeof setUp> | null = null
  wakeByChanges(working, () => background)
  const people = composePeople({ ...foundation, config, timers, log, app: () => app })
  let isDraining = false
  const { lines, ...telephone } = composeTelephone({
    ...{ ...foundation, ...world, config, instanceId, sessions, models, tools },
    ...{ isDraining: () => isDraining, publicUrl: () => people.services.publicUrl() },
  })
  const services: Services = {
    ...{ database, clock, cipher, chainKeys, providerOutbound, metrics, tracing },
    ...{ accessTokens: foundation.accessTokens, rateLimiter: shared.rateLimiter, limits },
    clientAddress: makeClientAddress(config.trustProxy),
    ...{ agents, connections, ...mcp, ...composeEndUsers({ clock }) },
    ...{ apiKeys: makeApiKeys({ clock, limits }), ...talks, ...storedTests },
    ...{ files: files.files, live, ...people.services },
    ...{ realtimeSessions: makeRealtimeSessions({ clock }), realtimeSettings: config.realtime },
    ...{ questions, tasks, toolTrials: tools.trials, ...webhooks.services, ...telephone },
    ...composeUsage({ clock, limits, recordDays: config.retention.usageDays }),
    idempotencyHours: config.retention.idempotencyHours,
    isDraining: () => isDraining,
    ...{ isEngineRunning: models.isEngineRunning, isRedisUnavailable: shared.isRedisUnavailable },
  }
  const gate = makeStartGate()
  const app = await buildApp(services, { logger: log, version, whenSetUp: gate.opened })
  const closeQuietConnections = makeQuietConnectionsCloser(app.server)
  acceptSessions(config, app, { ...services, ...world, instanceId, sessions, models, gate })
  const drain = () => {
    isDraining = true
    void lines.release()
  }

  async function setUp(): Promise<Pick<Listening, 'firstStart' | 'answering'>> {
    const firstStart = await setUpInstallation(config, foundation)
    // Must happen before the first session. Without a lease, the instance of the session would be considered
    // lost.
    await sessions.keepLease()
    const work = { sessions, turns: questions.running, tests, calls: telephone.calls, lines }
    if (config.database.kind === 'embedded') await takeOver(work, config.leaseSeconds)
    background = startBackgroundWork({
      ...{ database, clock, ...clockWatch, cipher, chainKeys, timers, log, metrics, workMetrics, ...work },
      ...{ retention: config.retention, databaseKind: config.database.kind, pollMilliseconds },
      ...{ waitingApprovals: tools.calls.waitingApprovals, unattended: tools.unattended, people },
      ...{ webhookDeliveries: webhooks.deliveries, taskRuns, leaseSeconds: config.leaseSeconds },
      ...composeEndUserWork({ ...working, ...outside, tools }),
    })
    // Only this process can open the embedded database, so the operator's commands must go through its
    // socket.
    if (config.database.kind === 'embedded')
      door = await openDoor(config.database.dataDir, { ...foundation, log })
    gate.open()
    return { firstStart, answering: await findAnsweringModel(database) }
  }

  async function listen(address: { readonly host: string; readonly port: number }): Promise<Listening> {
    const url = await app.listen(address)
    settingUp = setUp()
    const found = await settingUp
    settingUp = null
    return { url, port: Number(new URL(url).port), ...found }
  }

  async function closeAll(options?: DrainOptions): Promise<void> {
    drain()
    taskRuns.stop()
    live.end()
    // Skipped if setup is not running, because the time to drain starts with this call.
    if (settingUp !== null) await settingUp.catch(() => undefined)
    const milliseconds = config.drainSeconds * 1000
    const deadline = timers.monotonic() + milliseconds
    const [areSessionsStored, areTurnsStored] = await Promise.all([
      sessions.drain(milliseconds, options),
      questions.running.drain(milliseconds, options),
      tools.unattended.stop(milliseconds),
      tests.stop(milliseconds),
      webhooks.deliveries.stop(milliseconds),
    ])
    await Promise.all([telephone.calls.stop(), door?.close()])
    // The lease must not be renewed after its release.
    await background?.stop()
    if (areSessionsStored && areTurnsStored) await sessions.releaseLease()
    await closeWithin({ app, log, closeQuietConnections }, deadline - timers.monotonic())
    await Promise.all([tools.close(), models.close(), files.close(), people.close(), lines.stop()])
    await Promise.all([shared.close(), providerOutbound.close(), outbound.close()])
    await Promise.all([database.close(), tracing.close()])
  }

  const close = once(closeAll)
  return { app, database, listen, inProgress: makeInProgress(sessions, questions.running), drain, close }
}

/** Returns a function that calls `close` once. Later calls return the first result. */
function once(close: Service['close']): Service['close'] {
  let closing: Promise<void> | undefined
  return (options) => (closing ??= close(options))
}

/**
 * Starts the work that follows a change: immediately on this instance, and on others if they receive a
 * signal.
 */
function wakeByChanges(
  {
    database,
    signals,
    tracing,
  }: { readonly database: Database; readonly signals: ChangeSignals; readonly tracing: Tracing },
  background: () => BackgroundWork | undefined,
): void {
  // Runs outside the caller's span, because the work is not part of the caller's request.
  database.onChange((changes) =>
    tracing.apart(() => {
      if (requestsRemoval(changes)) background()?.wakeErasures()
      const concerned = concernedBy(changes)
      background()?.wake(concerned)
      for (const change of concerned) signals.publishChange(change)
    }),
  )
  database.onLogEntry(() => background()?.wakeForEntry())
  signals.onChanges((changes) => background()?.wakeForOthers(changes))
}

/**
 * Ends everything that earlier processes left behind, without waiting for leases to expire. This is safe
 * because the embedded database has one process at a time.
 */
async function takeOver(
  { sessions, turns, tests, calls }: Pick<BackgroundWorkOptions, 'sessions' | 'turns' | 'tests' | 'calls'>,
  leaseSeconds: number,
): Promise<void> {
  await sessions.takeOver()
  await tests.closeLost(leaseSeconds)
  await calls.closeLost()
  while ((await turns.closeLost(leaseSeconds)) > 0);
}

function makeInProgress(sessions: RunningSessions, turns: RunningTurns): Service['inProgress'] {
  return (options) => {
    const waitingTurns = turns.waitingCount(options)
    return { sessions: sessions.awaitedCount(options), turns: turns.count - waitingTurns, waitingTurns }
  }
}

function makeSessions(
  config: Config,
  {
    instanceId,
    registry,
    ...world
  }: Omit<SessionDependencies, 'metrics' | 'config' | 'breaker'> & {
    readonly instanceId: string
    readonly registry: Registry
  },
): RunningSessions {
  return new RunningSessions(
    { ...world, metrics: makePrometheusRealtimeMetrics(registry), config: config.realtime },
    { instanceId, leaseSeconds: config.leaseSeconds },
  )
}

function makeLimits(config: Config, registry: Registry): Limits {
  const metrics = makePrometheusLimitMetrics(registry, Object.keys(organizationLimits))
  return new Limits({ maxima: config.organization, metrics })
}

function measureWork(registry: Registry, database: Database): WorkMetrics {
  measureBuild(registry, version)
  measureDatabase(registry, database)
  return makePrometheusWorkMetrics(registry, backgroundJobs)
}

function makeMetrics(registry: Registry): Metrics {
  return makePrometheusMetrics(
    registry,
    cluster.isWorker ? metricsOfAllWorkers(registry) : () => registry.metrics(),
  )
}

/** Accepts realtime sessions on the same port as all other requests. */
function acceptSessions(
  config: Config,
  app: App,
  {
    gate,
    models,
    ...options
  }: Services &
    Pick<UpgradeDependencies, 'timers' | 'log' | 'instanceId' | 'sessions'> & {
      readonly gate: StartGate
      readonly models: ComposedModels
    },
): void {
  const sockets: ClientSockets = {
    webSocketClass: RelayWebSocket,
    wrap: (socket, connection) =>
      makeFrameSocket(socket as RelayWebSocket, {
        fast:
          models.relayIo === 'ws'
            ? null
            : {
                connection,
                peer: 'client',
                maxMessageBytes: config.realtime.maxMessageBytes,
                usesZeroMask: true,
              },
      }),
  }
  const onSession = makeUpgradeHandler({
    ...options,
    provider: models.realtime,
    server: app.server,
    settings: config.realtime,
    maxMessageBytes: config.realtime.maxMessageBytes,
    sockets,
  })
  const onUpgrade = makePhoneMediaHandler({ ...options, sockets }, onSession)
  app.server.on('upgrade', gate.guardUpgrade(onUpgrade))
}

/**
 * The minimum time that requests have to finish. Turns and sessions that end at the deadline still need time
 * to respond to their requests.
 */
const answerGraceMilliseconds = 500

/** How long to wait until cut connections are closed. After that, the process ends anyway. */
const cutGraceMilliseconds = 2000

interface Connections {
  readonly app: App
  readonly log: Log
  readonly closeQuietConnections: () => void
}

/** Waits for running requests, and cuts those that exceed the time limit. */
async function closeWithin(
  { app, log, closeQuietConnections }: Connections,
  milliseconds: number,
): Promise<void> {
  closeQuietConnections()
  const closed = app.close()
  const { ok } = await systemTimers.within(Math.max(milliseconds, answerGraceMilliseconds), closed)
  if (ok) return
  app.server.closeAllConnections()
  const cut = await systemTimers.within(cutGraceMilliseconds, closed)
  if (!cut.ok) log.warn({}, 'some connections did not close')
}
