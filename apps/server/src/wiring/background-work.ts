import { type RepeatingJob, startRepeatingJob } from '../adapters/system/repeating-job.js'
import { batch, coalesce } from '../concurrency/coalesce.js'
import type { DatabaseConfig } from '../config/config.js'
import type { RunningTests } from '../domain/agent-tests/running-tests.js'
import { sealAuditLog } from '../domain/audit/seal.js'
import { SealLog } from '../domain/audit/seal-log.js'
import type { MemoryRuns } from '../domain/memory/memory-runs.js'
import type { RunningSessions } from '../domain/realtime/session/running-sessions.js'
import type { Erasures } from '../domain/retention/erase.js'
import { type RetentionPeriods, removeOverdue } from '../domain/retention/remove-overdue.js'
import { FarPlans, type TaskRuns } from '../domain/task-runs/task-runs.js'
import type { RunningCalls } from '../domain/telephone/running-calls.js'
import type { SipLines } from '../domain/telephone/sip-lines.js'
import type { UnattendedCalls } from '../domain/tools/approvals/unattended-calls.js'
import type { WaitingApprovals } from '../domain/tools/approvals/waiting-approvals.js'
import type { RunningTurns } from '../domain/turns/running-turns.js'
import type { WebhookDeliveries } from '../domain/webhook-deliveries/webhook-deliveries.js'
import type { ChangeKind, SignalledChange } from '../ports/changes.js'
import type { Database } from '../ports/database.js'
import type { Log } from '../ports/log.js'
import type { Metrics, WorkMetrics } from '../ports/metrics.js'
import type { ChainKeys, Cipher } from '../ports/secrets.js'
import type { Clock, Timers } from '../ports/time.js'
import type { ComposedPeople } from './people.js'

const retentionIntervalMilliseconds = 60 * 1000
const deliveryIntervalMilliseconds = 1000
const planIntervalMilliseconds = 60 * 1000
const memoryIntervalMilliseconds = 30 * 1000
const clockIntervalMilliseconds = 10_000
const spreadIntervalMilliseconds = 5000
/** The maximum age of the log's newest chain head. */
const headIntervalMilliseconds = 10 * 60 * 1000
/**
 * The minimum interval between webhook deliveries that log entries of sessions and turns trigger. It is also
 * the maximum time that such an entry waits for a delivery to start.
 */
const entryIntervalMilliseconds = 250
/**
 * The minimum intervals between polls that changes of this instance trigger. The first change triggers a poll
 * immediately. The intervals are short for work that users wait for. No user waits for sealing, and it takes
 * seven statements regardless of the number of records.
 */
const wakeIntervalMilliseconds = { own: 25, unattended: 50, seal: 500 } as const

/**
 * The interval at which an instance polls for changes of other instances. Its own changes trigger a poll
 * immediately. So do signals of other instances, but signals can be lost. With the embedded database, there
 * are no other instances. Polling is then only a safety net and must not slow down the relay.
 */
const pollIntervalMilliseconds = { embedded: 10_000, postgres: 1000 } as const

/**
 * The maximum number of changes that are signaled by name. For a larger batch, the signal says that anything
 * may have changed.
 */
const maxOwnChanges = 1000

/** How often an instance looks for SIP lines that no other one holds. */
const lineIntervalMilliseconds = { embedded: 10_000, postgres: 3000 } as const

const changeKinds = [
  'sessions',
  'turns',
  'approvals',
  'calls',
  'lines',
] as const satisfies readonly ChangeKind[]

const organizationsOf = (changes: ReadonlySet<SignalledChange>, kind: ChangeKind): readonly string[] =>
  [...changes].flatMap((change) => (change.startsWith(`${kind} `) ? [change.slice(kind.length + 1)] : []))

export interface BackgroundWorkOptions {
  readonly databaseKind: DatabaseConfig['kind']
  /** Overrides the poll interval of the database kind. */
  readonly pollMilliseconds: number | undefined
  readonly database: Database
  readonly clock: Clock
  readonly cipher: Cipher
  readonly chainKeys: ChainKeys
  readonly timers: Timers
  readonly retention: RetentionPeriods
  readonly log: Log
  readonly metrics: Metrics
  readonly workMetrics: WorkMetrics
  readonly sessions: RunningSessions
  readonly turns: RunningTurns
  readonly waitingApprovals: WaitingApprovals
  readonly unattended: UnattendedCalls
  readonly webhookDeliveries: WebhookDeliveries
  readonly taskRuns: TaskRuns
  readonly erasures: Erasures
  readonly memory: MemoryRuns
  readonly tests: RunningTests
  readonly calls: RunningCalls
  readonly lines: SipLines
  readonly leaseSeconds: number
  /** Compares this instance's clock with the reference clock. */
  readonly compareClock: () => Promise<void>
  readonly people: Pick<ComposedPeople, 'shortenSessions'>
  /** Returns whether this instance's clock may be used to remove data. */
  readonly isClockTrusted: () => boolean
}

export interface BackgroundWork {
  /** Called when this instance has changed something. Schedules the affected jobs. */
  wake(concerned: ReadonlySet<SignalledChange>): void
  /** Called when a session or turn has written a log entry that webhooks may want. */
  wakeForEntry(): void
  /**
   * Called when another instance has changed something. Schedules polls for affected sessions, turns and
   * calls of this instance. Null means that anything may have changed.
   */
  wakeForOthers(changes: ReadonlySet<SignalledChange> | null): void
  /** Called when this instance has requested the removal of end users or conversations. */
  wakeErasures(): void
  stop(): Promise<void>
}

/** The names of the jobs in the log and in the metrics. */
export const backgroundJobs = [
  'end sessions on request',
  'start and stop turns',
  'forward decisions',
  'dial and end calls',
  'hold SIP lines',
  'deliver to webhooks',
  'seal the audit log',
  'finish unattended calls',
  'run tasks',
  'renew the lease',
  'spread sessions',
  'compare the clock',
  'write audit heads to the log',
  'replan tasks',
  'remember end users',
  'remove expired data',
  'erase end users',
] as const

type JobName = (typeof backgroundJobs)[number]

/** Starts the periodic jobs of the service. */
export function startBackgroundWork(options: BackgroundWorkOptions): BackgroundWork {
  const { database, clock, timers, log, metrics, sessions, turns, waitingApprovals, unattended } = options
  const { cipher, chainKeys } = options
  const sealing = { database, clock, cipher, chainKeys }
  const sealLog = new SealLog(log)
  const farPlans = new FarPlans({ database, clock, log })
  const { webhookDeliveries } = options
  const { taskRuns, tests, calls, lines, leaseSeconds, workMetrics } = options
  const repeat = (job: JobName, intervalMilliseconds: number, run: () => Promise<unknown>): RepeatingJob =>
    startRepeatingJob({
      run,
      intervalMilliseconds,
      onError(error) {
        workMetrics.jobFailed(job)
        log.error({ err: error, job }, 'background work failed')
      },
    })
  const pollMilliseconds = options.pollMilliseconds ?? pollIntervalMilliseconds[options.databaseKind]
  const poll = (job: JobName, run: () => Promise<unknown>) => repeat(job, pollMilliseconds, run)

  /**
   * Only the instance that holds the session, turn or call can do this work. A poll has no cost if it holds
   * none.
   */
  const ownPolls: Readonly<Record<ChangeKind, RepeatingJob>> = {
    sessions: poll('end sessions on request', () => sessions.endRequested()),
    turns: poll('start and stop turns', () => turns.poll()),
    approvals: poll('forward decisions', () => waitingApprovals.poll()),
    calls: poll('dial and end calls', () => calls.poll()),
    lines: repeat(
      'hold SIP lines',
      options.pollMilliseconds ?? lineIntervalMilliseconds[options.databaseKind],
      () => lines.poll(),
    ),
  }
  const holders = { sessions, turns, approvals: waitingApprovals, calls, lines }
  const wakeConcerned = (changes: ReadonlySet<SignalledChange> | null) => {
    for (const kind of changeKinds)
      if (changes === null || organizationsOf(changes, kind).some((id) => holders[kind].holdsWorkOf(id)))
        ownPolls[kind].wake()
  }
  const ownChanges = batch<SignalledChange>(wakeIntervalMilliseconds.own, maxOwnChanges, wakeConcerned)
  // This job also polls regularly, because failed attempts become due again and lost instances leave
  // deliveries behind.
  const deliver = repeat('deliver to webhooks', deliveryIntervalMilliseconds, () => webhookDeliveries.poll())
  webhookDeliveries.onRoom = () => deliver.wake()
  const deliverEntries = coalesce(entryIntervalMilliseconds, () => deliver.wake())
  const seal = poll('seal the audit log', async () =>
    metrics.auditRecordsSealed(await sealAuditLog({ ...sealing, listener: sealLog })),
  )
  const finish = poll('finish unattended calls', () => unattended.poll())
  const wakeAll = (jobs: readonly RepeatingJob[]) => () => {
    for (const job of jobs) job.wake()
  }
  /** The jobs that follow every change of this instance. */
  const wakes = [
    coalesce(wakeIntervalMilliseconds.own, wakeAll([deliver])),
    coalesce(wakeIntervalMilliseconds.unattended, wakeAll([finish])),
    coalesce(wakeIntervalMilliseconds.seal, wakeAll([seal])),
  ]
  const tasks = poll('run tasks', () => taskRuns.poll())
  taskRuns.onDue(() => tasks.wake())
  // The job runs immediately, because tasks that were due before the start should not wait for the first
  // poll.
  tasks.wake()
  const erase = poll('erase end users', () => options.erasures.poll())
  // An erasure that a restart has interrupted continues immediately.
  erase.wake()
  ownPolls.lines.wake()
  const all = [
    ...Object.values(ownPolls),
    ...[deliver, seal, finish, tasks, erase],
    repeat('renew the lease', (leaseSeconds * 1000) / 3, async () => {
      if (!(await sessions.keepLease())) return
      await turns.closeLost(leaseSeconds)
      await tests.closeLost(leaseSeconds)
      await calls.closeLost()
    }),
    repeat('spread sessions', options.pollMilliseconds ?? spreadIntervalMilliseconds, () =>
      sessions.spread(),
    ),
    repeat('write audit heads to the log', headIntervalMilliseconds, async () => sealLog.writeHeads()),
    repeat('compare the clock', clockIntervalMilliseconds, options.compareClock),
    repeat('remove expired data', retentionIntervalMilliseconds, async () => {
      await options.people.shortenSessions()
      await options.compareClock()
      if (!options.isClockTrusted()) return
      await removeOverdue({ ...sealing, timers, metrics, periods: options.retention })
    }),
    repeat('replan tasks', planIntervalMilliseconds, () => farPlans.correctSome()),
    repeat('remember end users', options.pollMilliseconds ?? memoryIntervalMilliseconds, () =>
      options.memory.poll(),
    ),
  ]
  return {
    wake(concerned) {
      for (const change of concerned) ownChanges.add(change)
      for (const each of wakes) each.request()
      taskRuns.noteCommit()
    },
    wakeForEntry: () => deliverEntries.request(),
    wakeForOthers: wakeConcerned,
    wakeErasures: () => erase.wake(),
    async stop() {
      options.erasures.stop()
      options.memory.stop()
      for (const each of [deliverEntries, ownChanges, ...wakes]) each.stop()
      await Promise.all(all.map((task) => task.stop()))
      sealLog.writeHeads()
    },
  }
}
